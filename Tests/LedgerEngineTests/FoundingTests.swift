import Foundation
import LMDB
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// A ledger is founded to its end or not at all, whatever an interruption left in its folder.
@Suite("Founding")
struct FoundingTests {
  /// What an interrupted founding may leave as data file.
  enum Leftover: String, CaseIterable {
    case noBytes
    case firstPage
    case zeros
    case emptyEnvironment
    /// The first pages, and some of the pages that were to come after them.
    case laterPages

    func bytes(of empty: Data) -> Data {
      switch self {
      case .noBytes: Data()
      case .firstPage: empty.prefix(4096)
      case .zeros: Data(count: empty.count)
      case .emptyEnvironment: empty
      case .laterPages: empty + Data(repeating: 0xa5, count: 3 * 4096)
      }
    }
  }

  @Test(arguments: Leftover.allCases, Durability.allCases)
  func foundedAnew(_ leftover: Leftover, durability: Durability) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Environment(path: path).close()
    let file = URL(filePath: path + "/data.mdb")
    let empty = try Data(contentsOf: file)
    #expect(empty.count == 2 * 4096)
    try leftover.bytes(of: empty).write(to: file)

    var options = LedgerOptions()
    options.durability = durability
    let ledger = try Ledger.open(at: path, creating: .standard, options: options)
    #expect(try ledger.append(.add("👍", to: .m1, by: "u1")).receipt?.sequences == 2...2)
    ledger.close()
    let again = try Ledger.open(at: path, options: options)
    #expect(again.id == ledger.id)
    #expect(try again.replay().isOK)
  }

  /// A ledger whose first pages are damaged is no leftover: nothing of it is touched.
  @Test(arguments: [0..<4096, 4096..<8192, 0..<8192])
  func damageIsNoLeftover(_ zeroed: Range<Int>) throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    test.ledger.close()
    let file = URL(filePath: test.path + "/data.mdb")
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(zeroed, with: Data(count: zeroed.count))
    try bytes.write(to: file)
    #expect(throws: LedgerError.self) { try Ledger.open(at: test.path, creating: .standard) }
    #expect(try Data(contentsOf: file) == bytes)
  }
}
