import LMDB
import ReactionModel

/// Takes one pair out of a projection: a stand-in for a program that leaves out a write.
enum Damage {
  static func run(_ options: Options) throws(Failure) {
    let folder = try options.word(1, "the folder")
    let name = try options.word(2, "the database")
    var random = SplitMix(seed: try options.number("seed", default: 1))
    do throws(LMDBError) {
      let environment = try Environment(path: folder)
      defer { environment.close() }
      try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
        // The slot that is not live is empty.
        for slot in ["A", "B"] {
          let database = try transaction.openDatabase("\(name).\(slot)")
          let keys = try keys(transaction.reads, database)
          guard !keys.isEmpty else { continue }
          let key = random.pick(keys)
          try transaction.delete(key.span, in: database)
          Lines.output.write("a pair of \(name).\(slot) is gone")
        }
      }
    } catch {
      throw .wrong("\(name) of \(folder): \(error)")
    }
  }

  private static func keys(
    _ reads: borrowing ReadTransaction, _ database: Database
  ) throws(LMDBError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    var cursor = try Cursor(reads, in: database)
    while let row = try cursor.next() { keys.append([UInt8](row.key)) }
    return keys
  }
}
