import LMDB
import LedgerTestSupport
import Testing

@Suite("Unused files and flushes of meta pages")
struct UnusedFileTests {
  @Test func unusedUntilTheFirstCommit() throws {
    let folder = try TemporaryFolder()
    #expect(try Environment.isUnused(path: folder.path))
    let environment = try Environment(path: folder.path, options: .test())
    defer { environment.close() }
    #expect(try Environment.isUnused(path: folder.path))
    try environment.write { (_: inout WriteTransaction) throws(LMDBError) in }
    #expect(try Environment.isUnused(path: folder.path), "nothing was written")
    _ = try environment.makeDatabase()
    #expect(try !Environment.isUnused(path: folder.path))
  }

  @Test(arguments: [0, RawFile.pageSize])
  func damagedIsNotUnused(meta: Int) throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(path: folder.path, options: .test())
    _ = try environment.makeDatabase()
    environment.close()
    var file = try RawFile(folder: folder.path)
    for place in meta..<meta + RawFile.pageSize { file.bytes[place] = 0 }
    try file.write(to: folder.path)
    #expect(try !Environment.isUnused(path: folder.path))
  }

  @Test func flushesOfMetaPagesAreSwitched() throws {
    for flags in [EnvironmentFlags.noReadAhead, [.noReadAhead, .noMetaSync]] {
      let folder = try TemporaryFolder()
      var options = Environment.Options.test()
      options.flags = flags
      let environment = try Environment(path: folder.path, options: options)
      defer { environment.close() }
      #expect(environment.flushesMetaPages != flags.contains(.noMetaSync))
      let database = try environment.makeDatabase()
      for isOn in [false, true, true, false] {
        environment.flushesMetaPages = isOn
        #expect(environment.flushesMetaPages == isOn)
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
          let (key, value): ([UInt8], [UInt8]) = ([1], [isOn ? 1 : 0])
          try transaction.put(value.span, for: key.span, in: database)
        }
      }
    }
  }
}
