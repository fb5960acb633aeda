import Foundation
import Glibc
import LMDB
import LedgerTestSupport
import Testing

/// Commits that fail: nothing is kept, save that it cannot be known when the last step failed.
@Suite("Failing commits")
struct CommitTests {
  static let nothingKept = "mdb_txn_commit, nothing kept"

  @Test("A map that fills up in the commit itself")
  func mapFull() throws {
    var found = 0
    for seed in 1...40 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      try withEnvironment(.test(mapSizeBytes: 1 << 18)) { environment, database in
        for _ in 0..<200 {
          let before = try environment.pairs(database)
          let failure = Self.failure { () throws(LMDBError) in
            try environment.write { (transaction) throws(LMDBError) in
              for _ in 0..<10 {
                let key = [UInt8](number: Int.random(in: 0..<200, using: &generator))
                let size = Int.random(in: 0..<3000, using: &generator)
                let value = [UInt8](repeating: 1, count: size)
                try transaction.put(value.span, for: key.span, in: database)
              }
            }
          }
          guard let failure else { continue }
          #expect(failure.code == .mapFull, "seed \(seed)")
          #expect(try environment.pairs(database) == before, "seed \(seed)")
          if failure.call == Self.nothingKept { found += 1 }
          break
        }
        // It goes on where it stood once there is room.
        try environment.growMap()
        try environment.put([1], [1], database)
      }
    }
    #expect(found > 0, "no commit failed: the test tests nothing")
  }

  private static func failure(_ body: () throws(LMDBError) -> Void) -> LMDBError? {
    do throws(LMDBError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("A disk that takes no more pages")
  func pages() async {
    await #expect(processExitsWith: .success) {
      try withFolder { path in
        let environment = try Environment(path: path, options: .test(flags: []))
        let database = try environment.makeDatabase()
        try environment.put([1], [1], database)
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = 6 * 4096
        #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let failure = Self.failure { () throws(LMDBError) in
          try environment.put([UInt8](repeating: 2, count: 100_000), [2], database)
        }
        limit.rlim_cur = limit.rlim_max
        #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        #expect(failure?.code == .inputOutput || failure?.code.rawValue == EFBIG)
        #expect(failure?.call == Self.nothingKept)
        #expect(try environment.pairs(database) == [Pair([1], [1])])
        try environment.put([3], [3], database)
        environment.close()
      }
    }
  }

  @Test("A meta page that cannot be written: unknown, and panic until it is opened anew")
  func metaPage() async {
    await #expect(processExitsWith: .success) {
      try withFolder { path in
        let environment = try Environment(path: path, options: .test(flags: []))
        let database = try environment.makeDatabase()
        try environment.put([1], [1], database)
        // LMDB writes meta pages through a descriptor of their own, which flushes each write.
        let descriptors = (3..<100 as Range<Int32>).filter {
          let link = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\($0)")
          return link?.hasSuffix("/data.mdb") ?? false && fcntl($0, F_GETFL) & O_DSYNC != 0
        }
        #expect(descriptors.count == 1)
        let last = try #require(descriptors.first)
        let blind = unsafe open("/dev/null", O_RDONLY)
        #expect(dup2(blind, last) == last)

        let failure = Self.failure { () throws(LMDBError) in
          try environment.put([2], [2], database)
        }
        #expect(failure?.call == "mdb_txn_commit")
        #expect(failure?.code.rawValue == EBADF)
        let panic = LMDBError(.panic, call: "")
        #expect(throws: panic) { try environment.put([3], [3], database) }
        #expect(throws: panic) { _ = try environment.value([1], database) }
        environment.close()

        let again = try Environment(path: path, options: .test())
        let pairs = try again.pairs(again.makeDatabase())
        #expect(pairs == [Pair([1], [1])] || pairs == [Pair([1], [1]), Pair([2], [2])])
        again.close()
      }
    }
  }
}
