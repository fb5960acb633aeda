import Foundation
import LMDB
import LedgerTestSupport
import Testing

/// Meant for the thread sanitizer too.
@Suite("Concurrency")
struct ConcurrencyTests {
  static let accountCount = 16
  static let roundCount = 150

  private static func sum(
    _ snapshot: borrowing ReadTransaction, _ database: Database
  ) throws(LMDBError) -> Int {
    var cursor = try Cursor(snapshot, in: database)
    var sum = 0
    while let row = try cursor.next() {
      sum += [UInt8](row.value).reduce(0) { $0 << 8 | Int($1) }
    }
    return sum
  }

  private static func amount(
    _ snapshot: borrowing ReadTransaction, _ account: Int, _ database: Database
  ) throws(LMDBError) -> Int {
    try snapshot.copy([UInt8](number: account), database)?.reduce(0) { $0 << 8 | Int($1) } ?? 0
  }

  private static func transfer(
    _ environment: Environment, _ database: Database, _ generator: inout SeededGenerator
  ) throws(ModelTests.Stop) {
    let from = Int.random(in: 0..<accountCount, using: &generator)
    let step = Int.random(in: 1..<accountCount, using: &generator)
    let aborts = Int.random(in: 0..<4, using: &generator) == 0
    let to = (from + step) % accountCount
    try environment.write { (transaction) throws(ModelTests.Stop) in
      do throws(LMDBError) {
        let source = try amount(transaction.reads, from, database)
        let target = try amount(transaction.reads, to, database)
        guard source > 0 else { return }
        try transaction.put(
          [UInt8](number: source - 1).span, for: [UInt8](number: from).span, in: database)
        // Thrown between the two halves: a half must never be seen.
        if aborts { throw LMDBError(.diskFull, call: "asked for") }
        try transaction.put(
          [UInt8](number: target + 1).span, for: [UInt8](number: to).span, in: database)
      } catch  where error.code == .diskFull {
        throw .asked
      } catch {
        throw .failed(error)
      }
    }
  }

  @Test("4 writers and 4 readers: sums stay, commits are counted", .timeLimit(.minutes(15)))
  func transfers() throws {
    try withEnvironment { environment, database in
      let total = Self.accountCount * 1000
      for account in 0..<Self.accountCount {
        try environment.put([UInt8](number: 1000), [UInt8](number: account), database)
      }
      let start = environment.information.lastTransaction
      let (threads, commits) = (Threads(), Counter())
      for writer in 0..<4 {
        threads.start {
          var generator = SeededGenerator(seed: UInt64(writer))
          expectNoThrow {
            for _ in 0..<Self.roundCount {
              do {
                try Self.transfer(environment, database, &generator)
                commits.add()
              } catch ModelTests.Stop.asked {}
            }
          }
        }
        threads.start {
          expectNoThrow {
            var last: UInt64 = 0
            for _ in 0..<Self.roundCount {
              try environment.read { (snapshot) throws(LMDBError) in
                let (sum, id) = (try Self.sum(snapshot, database), snapshot.id)
                #expect(sum == total && id >= last)
                last = id
              }
            }
          }
        }
      }
      threads.join()
      let sum = try environment.read { (snapshot) throws(LMDBError) in
        try Self.sum(snapshot, database)
      }
      #expect(sum == total)
      let added = environment.information.lastTransaction - start
      let done = commits.count
      // A transfer from an empty account changes nothing, and takes no number.
      #expect(added > 0 && added <= UInt64(done) && done < 4 * Self.roundCount)
      #expect(environment.information.readerCount <= 9)
    }
  }

  @Test("Opening, using and closing from many threads", .timeLimit(.minutes(15)))
  func closing() throws {
    try withFolder { path in
      for _ in 0..<10 {
        let environment = try Environment(path: path, options: .test())
        let database = try environment.makeDatabase()
        let threads = Threads()
        for number in 0..<4 as Range<UInt8> {
          threads.start {
            do throws(LMDBError) {
              for _ in 0..<500 {
                try environment.put([number], [number], database)
                let found = try environment.value([number], database)
                #expect(found == [number])
                _ = environment.information
                try environment.clearStaleReaders()
              }
            } catch {
              #expect(error.code == .closed)
            }
          }
        }
        Thread.sleep(forTimeInterval: 0.005)
        environment.close()
        threads.join()
      }
    }
  }
}
