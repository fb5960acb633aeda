import LedgerEngine
import LedgerHash
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// A replay that is divided into slices says what one says that is not.
@Suite struct SliceTests {
  #if DEBUG
    static let damageCount = 25
  #else
    static let damageCount = 500
  #endif

  @Test("Sound ledgers, with and without the index by user", arguments: [false, true])
  func sound(indexed: Bool) throws {
    let sample = try SliceSample(seed: 1, indexed: indexed)
    let ledger = try Ledger.open(at: sample.test.path)
    let report = try SliceSample.replay(ledger)
    #expect(report.findings == [] && report.level == .tree)
    #expect(report.messageCount == 30 && report.userCount >= 38)
    for level in ReplayLevel.allCases {
      var settings = ReplaySettings()
      settings.level = level
      #expect(try SliceSample.replay(ledger, settings).isOK)
    }
    ledger.close()
    #expect(report.root == (try Self.root(sample.pairs(of: "events"))))
    #expect(
      sample.pairs(of: "reactors.\(sample.slot)").count > 20, "reactions too popular for rows")
    #expect(sample.pairs(of: "commands.\(sample.slot)").count > 20)
  }

  /// The root of the tree of records, by their pairs.
  static func root(_ events: some Collection<(key: [UInt8], value: [UInt8])>) throws -> Digest {
    let sha256 = SHA256()
    var range = CompactRange()
    for event in events {
      let body = Array(event.value.dropLast(8))
      range.append(sha256.leaf(body.span), using: sha256)
    }
    return range.root(using: sha256)
  }

  @Test("Random damages of every database: the same findings in the same order", arguments: 1...4)
  func damages(seed: UInt64) throws {
    let sample = try SliceSample(seed: seed, commandCount: 250, indexed: seed % 2 == 0)
    var source = SliceDamage(sample, seed: seed)
    var rules: Set<Rule> = []
    for round in 0..<Self.damageCount {
      try sample.withCopy { path in
        let what = try source.damage(path)
        // What is damaged may be what opening reads.
        guard let ledger = try? Ledger.open(at: path) else { return }
        defer { ledger.close() }
        let place: Comment = "seed \(seed), round \(round): \(what)"
        let report: ReplayReport
        do {
          report = try SliceSample.replay(ledger, ReplaySettings(), place)
        } catch LedgerError.damaged(let finding) {
          // Meta data without which nothing can be read.
          return #expect(finding.rule == .meta, place)
        }
        // Another record under a seal of its own, and some of meta, may be as good.
        let open = ["nothing", "events", "meta"]
        if what.allSatisfy({ text in !open.contains { text.hasPrefix($0) } }) {
          #expect(!report.isOK, place)
        }
        rules.formUnion(report.findings.map(\.rule))
        var settings = ReplaySettings()
        settings.level = .legality
        settings.findingLimit = .max
        settings.sliceCount = 3
        let plain = try ledger.reduceLog(into: PlainReducer())
        #expect(try ledger.replay(settings).findings == plain.findings, place)
      }
    }
    let expected: [Rule] = [
      .gapless, .recordDecodes, .seal, .commandBoundary, .chain, .userOrder, .noDuplicateAdd,
      .removeEndsLiveAdd, .commandIDOnce, .erasedIsGone, .userRow, .messageRow, .reactors,
      .members, .commands, .userNumbers, .meta, .treeNode,
    ]
    if Self.damageCount > 100 { for rule in expected { #expect(rules.contains(rule), "\(rule)") } }
  }

  @Test(
    "A missing pair and one too many, of every database, whichever slice it is of",
    arguments: [
      ("messages", Rule.messageRow), ("reactors", .reactors), ("members", .members),
      ("commands", .commands), ("byUser", .byUser), ("userNumbers", .userNumbers),
      ("users", .userRow),
    ])
  func missingAndExtra(database: String, rule: Rule) throws {
    let sample = try SliceSample(seed: 9, commandCount: 200, indexed: true)
    let name = database.hasPrefix("user") ? database : "\(database).\(sample.slot)"
    let all = sample.pairs(of: name)
    for index in stride(from: 0, to: all.count, by: max(1, all.count / 12)) {
      for isMissing in [true, false] {
        try sample.withCopy { path in
          var key = all[index].key
          if isMissing {
            try RawLedger.delete(key, in: name, at: path)
          } else {
            key[key.count - 1] ^= 0x85
            try RawLedger.put(all[index].value, for: key, in: name, at: path)
          }
          let ledger = try Ledger.open(at: path)
          defer { ledger.close() }
          let report = try SliceSample.replay(
            ledger, ReplaySettings(), "\(name) \(index) \(isMissing)")
          #expect(report.findings.contains { $0.rule == rule }, "\(name) \(index) \(isMissing)")
        }
      }
    }
  }

  @Test("E4: the live reactions of a user who is erased are added up over slices")
  func erasedWithLiveReactions() throws {
    let sample = try SliceSample(seed: 8)
    let sequence = UInt64(sample.pairs(of: "events").count + 1)
    let notice = Record(
      recordedAt: Timestamp(microseconds: 1_800_000_000_000_000), cause: .userErased,
      place: Record.Place(.erase), user: 1, content: .userErased)
    var bytes: [UInt8] = []
    RecordFormat.encode(notice, into: &bytes)
    bytes.append(u64: Sealer().seal(bytes.span))
    try sample.withCopy { path in
      try RawLedger.put(bytes, for: Array(Keys.event(sequence).span), in: "events", at: path)
      let ledger = try Ledger.open(at: path)
      defer { ledger.close() }
      let report = try SliceSample.replay(ledger)
      let finding = try #require(report.findings.first { $0.rule == .erasedIsGone })
      #expect(finding.sequence == sequence && finding.expected == "no live reaction of user 1")
      #expect(try #require(Int(finding.found)) > 5)
    }
  }

  @Test("Pairs of reactions that need none, and keys of any length") func strangeOpenings() throws {
    let sample = try SliceSample(seed: 3, commandCount: 50)
    let keys: [[UInt8]] = [
      [0], [0, 0, 0, 0, 0], [255], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 4], [0, 0, 0, 0, 0, 5, 1],
      [0, 0, 0, 0, 0, 255], [0, 0, 0, 0, 1], Array(repeating: 255, count: 511),
      [0, 0, 0, 0, 0, 9] + Array(repeating: 255, count: 505), [255, 255, 255, 255, 255, 255, 0],
    ]
    for name in ["reactors", "members"] {
      try sample.withCopy { path in
        for key in keys {
          try RawLedger.put([1, 2, 3, 4], for: key, in: "\(name).\(sample.slot)", at: path)
        }
        let ledger = try Ledger.open(at: path)
        defer { ledger.close() }
        let report = try SliceSample.replay(ledger)
        #expect(report.findingCount >= keys.count - 1, "\(report.findings)")
        #expect(report.findings.allSatisfy { "\($0.place)".hasPrefix(name) })
      }
    }
  }
}
