import LedgerEngine
import LedgerHash
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// The log's tree through the engine: heads and proofs, with `tree` stored and without.
@Suite("The tree of the log") struct TreeTests {
  #if DEBUG
    static let sizeCount = 60
    static let bigCount = 1_500
  #else
    static let sizeCount = 300
    static let bigCount = 70_000
  #endif

  @Test("The head after each record, and at each older size")
  func heads() throws {
    let test = try TestLedger()
    var heads: [TreeHead] = []
    for index in 1...Self.sizeCount {
      heads.append(try test.ledger.treeHead())
      _ = try test.ledger.append(.add("👍", to: .m1, by: UserID(stringLiteral: "u\(index)")))
    }
    let leaves = try test.leaves()
    #expect(heads == (1...Self.sizeCount).map { leaves.head($0) })
    for size in 0...Self.sizeCount {
      #expect(try test.head(at: UInt64(size)) == leaves.head(size))
    }
    try test.requireSound()
  }

  @Test("Consistency between all pairs of sizes", arguments: [false, true])
  func consistency(isStored: Bool) throws {
    // Beyond 256, so that a stored subtree is among those that the proofs are made of.
    let test = try TestLedger.withRecords(300, erasing: true)
    if isStored { _ = try test.ledger.treeHead() }
    let heads = try test.leaves().heads()
    let sha256 = SHA256()
    let sizes =
      Self.sizeCount < 300 ? Array(0...20) + Array(250...260) + [299, 300] : Array(0...300)
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      for new in sizes {
        for old in sizes where old <= new {
          let proof = try snapshot.consistency(from: UInt64(old), to: UInt64(new))
          #expect(throws: Never.self, "\(old) to \(new)") {
            try MerkleProof.verifyConsistency(
              from: heads[old], to: heads[new], proof: proof, using: sha256)
          }
        }
      }
    }
    #expect(try test.storedPlaces() == (isStored ? [[8, 0]] : []))
  }

  @Test("The inclusion of every record", arguments: [false, true])
  func inclusion(isStored: Bool) throws {
    let test = try TestLedger.withRecords(600, erasing: true)
    if isStored { _ = try test.ledger.treeHead() }
    let (leaves, sha256) = (try test.leaves(), SHA256())
    for size in [1, 2, 255, 256, 257, 511, 512, 600] {
      let head = leaves.head(size)
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        for sequence in stride(from: 1, through: size, by: isStored ? 1 : 7) {
          let proof = try snapshot.inclusion(of: UInt64(sequence), size: UInt64(size))
          #expect(throws: Never.self, "\(sequence) in \(size)") {
            try MerkleProof.verifyInclusion(
              leaf: leaves.hashes[sequence - 1], index: UInt64(sequence - 1), size: head.size,
              proof: proof, root: head.root, using: sha256)
          }
        }
      }
    }
  }

  @Test("What is stored: every full subtree of 256, 65,536 … records, by the format (F24)")
  func stored() throws {
    let test = try TestLedger.withRecords(Self.bigCount)
    let head = try test.ledger.treeHead()
    #expect(try test.ledger.treeHead() == head)
    let leaves = try test.leaves()
    #expect(head == leaves.head(leaves.hashes.count))
    let places = try test.storedPlaces()
    let bundleCount = leaves.hashes.count >> 8
    #expect(
      places == (0..<bundleCount).map { [8, UInt64($0)] }
        + (0..<bundleCount >> 8).map { [16, UInt64($0)] })
    for place in [places[0], places[bundleCount - 1], places[places.count - 1]] {
      let count = 1 << Int(place[0])
      let first = Int(place[1]) * count
      let hash = TreeLeaves(hashes: Array(leaves.hashes[first..<first + count])).head(count).root
      let key =
        [UInt8(place[0])] + (0..<8).map { UInt8(truncatingIfNeeded: place[1] >> (56 - 8 * $0)) }
      let checked = key + hash.bytes
      let check = SHA256().hash(prefix: 3, checked.span).bytes.prefix(8)
      let pairs = try test.pairs("tree")
      #expect(pairs.first { $0.key == key }?.value == hash.bytes + check)
    }
    for sequence in [1, 256, 257, leaves.hashes.count] {
      let proof = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.inclusion(of: UInt64(sequence), size: head.size)
      }
      try MerkleProof.verifyInclusion(
        leaf: leaves.hashes[sequence - 1], index: UInt64(sequence - 1), size: head.size,
        proof: proof, root: head.root, using: SHA256())
    }
    try test.requireSound()
  }

  @Test("What is absent is made again, and never wrong")
  func absent() throws {
    let test = try TestLedger.withRecords(1_100)
    let head = try test.ledger.treeHead()
    let pairs = try test.pairs("tree")
    for missing in [[0], [1], [3], [0, 2], [0, 1, 2, 3]] {
      try test.reopen {
        for index in missing {
          try RawLedger.delete(pairs[index].key, in: "tree", at: test.path)
        }
      }
      #expect(try test.head(at: head.size) == head)
      #expect(try test.ledger.treeHead() == head)
      #expect(try test.pairs("tree").map(\.value) == pairs.map(\.value))
    }
  }

  @Test("Beyond the head, and before the first record")
  func beyond() throws {
    let test = try TestLedger.withRecords(10)
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      expectNone(11, 10) { () throws(LedgerError) in _ = try snapshot.treeHead(at: 11) }
      expectNone(0, 10) { () throws(LedgerError) in _ = try snapshot.inclusion(of: 0, size: 10) }
      expectNone(6, 5) { () throws(LedgerError) in _ = try snapshot.inclusion(of: 6, size: 5) }
      expectNone(11, 10) { () throws(LedgerError) in _ = try snapshot.inclusion(of: 1, size: 11) }
      expectNone(7, 3) { () throws(LedgerError) in _ = try snapshot.consistency(from: 7, to: 3) }
      expectNone(.max, 10) { () throws(LedgerError) in
        _ = try snapshot.consistency(from: 1, to: .max)
      }
      #expect(try snapshot.treeHead(at: 0).root == SHA256.emptyRoot)
      #expect(try snapshot.inclusion(of: 1, size: 1) == [])
      #expect(try snapshot.consistency(from: 0, to: 10) == [])
      #expect(try snapshot.consistency(from: 10, to: 10) == [])
    }
  }

  private func expectNone(
    _ sequence: UInt64, _ end: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(LedgerError) -> Void
  ) {
    do throws(LedgerError) {
      try body()
      Issue.record("no error", sourceLocation: sourceLocation)
    } catch .noSuchRecord(let found, let foundEnd) {
      #expect((found, foundEnd) == (sequence, end), sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test("A rebuild empties tree, compaction and backup copy it, restore makes none")
  func copies() throws {
    let test = try TestLedger.withRecords(600)
    let head = try test.ledger.treeHead()
    let stored = try test.pairs("tree").map(\.value)
    #expect(stored.count == 2)
    let (backup, restored) = (test.folder.file("backup"), test.folder.file("restored"))
    try test.ledger.backup(to: backup)
    #expect(try RawLedger.pairs("tree", at: backup).map(\.value) == stored)
    try CopyTests.restore(try CopyTests.records(of: test.ledger), at: restored)
    #expect(try RawLedger.pairs("tree", at: restored).isEmpty)
    let other = try Ledger.open(at: restored)
    #expect(try other.treeHead() == head)
    other.close()
    try test.reopen { try Ledger.compact(at: test.path) }
    #expect(try test.pairs("tree").map(\.value) == stored)
    _ = try test.ledger.rebuild()
    #expect(try test.pairs("tree").isEmpty)
    #expect(try test.ledger.treeHead() == head)
    #expect(try test.pairs("tree").map(\.value) == stored)
  }

  @Test("Heads while others append: each extends the one before")
  func whileAppending() throws {
    let test = try TestLedger()
    let ledger = test.ledger
    let writer = TestThread {
      for index in 0..<40 {
        let commands = (0..<50).map {
          Command.add("👍", to: .group("g1", MessageID(stringLiteral: "m\(index)-\($0)")), by: "u")
        }
        _ = try? ledger.append(commands)
      }
    }
    var heads: [TreeHead] = []
    while heads.last?.size != 2_001 { heads.append(try ledger.treeHead()) }
    writer.join()
    let leaves = try test.leaves()
    for head in heads { #expect(head == leaves.head(Int(head.size))) }
    try test.requireSound()
  }

  @Test("Progress is told, and can end it")
  func progress() throws {
    let test = try TestLedger.withRecords(700)
    var told: [[UInt64]] = []
    _ = try test.ledger.treeHead { (done, total) in told.append([done, total]) }
    #expect(told == [[512, 700]])
    _ = try test.ledger.rebuild()
    #expect(throws: LedgerError.self) {
      try test.ledger.treeHead { (_, _) throws(LedgerError) in throw .cancelled }
    }
    #expect(try test.ledger.treeHead().size == 700)
  }
}

/// The leaf hashes of a log, computed from the bytes of its records.
struct TreeLeaves {
  let hashes: [Digest]

  /// The head of the tree of the first ones.
  func head(_ size: Int) -> TreeHead {
    let sha256 = SHA256()
    var range = CompactRange()
    for hash in hashes.prefix(size) { range.append(hash, using: sha256) }
    return TreeHead(size: UInt64(size), root: range.root(using: sha256))
  }

  /// The heads of all sizes, from 0 on.
  func heads() -> [TreeHead] { (0...hashes.count).map { head($0) } }
}

extension TestLedger {
  /// A ledger of exactly so many records, its creation included.
  static func withRecords(_ count: Int, erasing: Bool = false) throws -> TestLedger {
    let test = try TestLedger()
    if erasing {
      // Random commands, so that there are records of all kinds and commands of several records.
      var source = CommandSource(seed: 5)
      while try test.head() + 40 < count { _ = try test.ledger.append(source.next()) }
    }
    let start = try test.head()
    let commands = (start..<count).map {
      Command.add("👍", to: .group("g9", MessageID(stringLiteral: "n\($0)")), by: "filler")
    }
    _ = try test.ledger.append(commands)
    #expect(try test.head() == count)
    return test
  }

  /// The last sequence.
  func head() throws -> Int {
    Int(
      try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in try snapshot.head })
  }

  /// The head of the tree at an older size.
  func head(at size: UInt64) throws -> TreeHead {
    try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.treeHead(at: size)
    }
  }

  /// The pairs of a database; the ledger is closed for it.
  func pairs(_ database: String) throws -> RawLedger.Pairs {
    var pairs: RawLedger.Pairs = []
    try reopen { pairs = try RawLedger.pairs(database, at: path) }
    return pairs
  }

  /// The leaf hashes of the log.
  func leaves() throws -> TreeLeaves {
    let sha256 = SHA256()
    return TreeLeaves(
      hashes: try pairs("events").map { _, value in
        let entry = Array(value.dropLast(8))
        return sha256.leaf(entry.span)
      })
  }

  /// Level and index of what `tree` has, in order of keys.
  func storedPlaces() throws -> [[UInt64]] {
    try pairs("tree").map { key, _ in
      [UInt64(key[0]), key.dropFirst().reduce(0) { $0 << 8 | UInt64($1) }]
    }
  }
}
