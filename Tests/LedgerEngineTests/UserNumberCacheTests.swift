import LedgerTestSupport
import ReactionModel
import Testing

@testable import LedgerEngine

/// The cache may forget, but what it tells is what it was told last.
@Suite("The cache of user numbers")
struct UserNumberCacheTests {
  @Test("Random ids, alike and of all lengths", arguments: [1, 4, 64, 4_096])
  func model(_ capacity: Int) {
    var generator = SeededGenerator(seed: UInt64(capacity))
    var cache = UserNumberCache(capacity: capacity)
    var known: [[UInt8]: UserNumber] = [:]
    var foundCount = 0
    for step in 1...20_000 {
      let count = Int.random(in: 1...48, using: &generator)
      var id = [UInt8](repeating: 0, count: count)
      id[count - 1] = UInt8.random(in: 0...3, using: &generator)
      id[0] = UInt8.random(in: 0...3, using: &generator)
      let found = cache.number(of: id.span)
      if let found {
        foundCount += 1
        #expect(found == known[id])
      } else {
        cache.insert(UserNumber(step), for: id.span)
        known[id] = UserNumber(step)
        let again = cache.number(of: id.span)
        #expect(again == (count <= 40 ? UserNumber(step) : nil))
      }
      guard step % 5_000 == 0 else { continue }
      cache.removeAll()
      known = [:]
      let forgotten = cache.number(of: id.span)
      #expect(forgotten == nil)
    }
    #expect(capacity < 64 || foundCount > 1_000)
  }
}
