import LedgerEngine
import LedgerHash
import LedgerTestSupport
import ReactionModel
import Testing

/// The level `tree` of a replay: rules T1 and T2.
@Suite struct ReplayTreeTests {
  /// A sample of more than 512 records.
  private static func sample() throws -> SliceSample { try SliceSample(seed: 2, commandCount: 900) }

  private static func report(
    _ path: String, _ checkpoints: [TreeHead] = [], level: ReplayLevel = .tree
  ) throws -> ReplayReport {
    let ledger = try Ledger.open(at: path)
    defer { ledger.close() }
    var settings = ReplaySettings()
    settings.checkpoints = checkpoints
    settings.level = level
    return try SliceSample.replay(ledger, settings)
  }

  @Test("T2: checkpoints of every kind of size that are right") func rightCheckpoints() throws {
    let sample = try Self.sample()
    let events = sample.pairs(of: "events")
    let sizes = [0, 1, 2, 3, 7, 8, 255, 256, 257, 511, 512, events.count - 1, events.count]
    let heads = try sizes.map {
      TreeHead(size: UInt64($0), root: try SliceTests.root(events.prefix($0)))
    }
    #expect(try Self.report(sample.test.path, heads.reversed() + heads).findings == [])
  }

  @Test("T2: a log that was cut off, or rewritten, and levels below") func wrongCheckpoints() throws
  {
    let sample = try Self.sample()
    let events = sample.pairs(of: "events")
    let other = try SliceTests.root(events.prefix(9))
    let size = UInt64(events.count)
    let heads = [
      TreeHead(size: size + 1, root: other), TreeHead(size: 10, root: other),
      TreeHead(size: 0, root: other), TreeHead(size: 9, root: other),
    ]
    let report = try Self.report(sample.test.path, heads)
    #expect(report.findings.map(\.rule) == [.checkpoint, .checkpoint, .checkpoint])
    #expect(
      report.findings.map(\.place)
        == ["checkpoint of size \(size + 1)", "checkpoint of size 10", "checkpoint of size 0"])
    #expect(report.findings.first?.found == "\(size): the log ends before")
    #expect(report.findings.last?.found.hasSuffix("the log was rewritten") == true)
    let below = try Self.report(sample.test.path, heads, level: .projections)
    #expect(below.isOK && below.root == nil)
  }

  /// A pair of `tree` for a hash.
  private static func pair(
    _ level: UInt8, _ index: UInt64, _ hash: Digest
  ) -> (key: [UInt8], value: [UInt8]) {
    var key = [level]
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      key.append(UInt8(truncatingIfNeeded: index >> shift))
    }
    let check = SHA256().hash(prefix: 3, (key + hash.bytes).span).bytes.prefix(8)
    return (key, hash.bytes + check)
  }

  @Test("T1: right hashes, wrong ones, and what is no hash") func nodes() throws {
    let sample = try Self.sample()
    let events = sample.pairs(of: "events")
    #expect(events.count > 512)
    let hashes = try [events[..<256], events[256..<512], events[512...]].map {
      try SliceTests.root($0)
    }
    let right = [Self.pair(8, 0, hashes[0]), Self.pair(8, 1, hashes[1])]
    var flipped = right[1]
    flipped.value[39] ^= 1
    let bad: [(key: [UInt8], value: [UInt8])] = [
      Self.pair(8, 1, hashes[0]), flipped, (right[1].key, []), (right[1].key, right[1].value + [0]),
      Self.pair(8, UInt64(events.count) / 256, hashes[2]), Self.pair(8, .max, hashes[0]),
      Self.pair(16, 0, hashes[0]), Self.pair(9, 0, hashes[0]), Self.pair(0, 0, hashes[0]),
      Self.pair(48, 0, hashes[0]), ([8], right[0].value), (right[0].key + [0], right[0].value),
    ]
    for extra in [nil] + bad.map({ Optional($0) }) {
      try sample.withCopy { path in
        for pair in right + (extra.map { [$0] } ?? []) {
          try RawLedger.put(pair.value, for: pair.key, in: "tree", at: path)
        }
        let report = try Self.report(path)
        #expect(
          report.findings.map(\.rule) == (extra == nil ? [] : [.treeNode]), "\(extra?.key ?? [])")
        #expect(try Self.report(path, level: .projections).isOK)
      }
    }
  }
}
