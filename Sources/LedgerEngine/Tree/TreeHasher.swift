internal import LMDB
internal import LedgerHash
internal import ReactionCodec
internal import ReactionModel

/// Gives the hashes of the log's tree: those that are stored, and all others from the records.
///
/// A stored hash is taken for true if its check fits; that it is the log's is for a replay to say. For
/// one thread at a time.
struct TreeHasher {
  private let databases: Databases
  private let sha256 = SHA256()
  /// Hashes that were made and are not in `tree` yet.
  private(set) var made: [(place: Subtree, hash: Digest)] = []
  private var madeHashes: [Subtree: Digest] = [:]

  init(_ databases: Databases) { self.databases = databases }

  /// The hash of a full subtree; its records must be there.
  ///
  /// Complexity: O(log *n*) where it is stored, else O(records) in what is not.
  func hash(
    of place: Subtree, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Digest {
    if let known = try known(place, reads) { return known }
    guard place.level > TreeFormat.levelStep else { return try hashRecords(of: place, reads) }
    let left = Subtree(level: place.level - 1, index: 2 * place.index)
    let right = Subtree(level: place.level - 1, index: 2 * place.index + 1)
    return sha256.node(try hash(of: left, reads), try hash(of: right, reads))
  }

  /// Computes the hash of a full subtree and keeps it to be stored.
  mutating func make(
    _ place: Subtree, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let hash = try hash(of: place, reads)
    made.append((place, hash))
    madeHashes[place] = hash
  }

  /// The hashes of a proof.
  func hashes(
    of plan: ProofPlan, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> [Digest] {
    try plan.hashes(using: sha256) { (place) throws(LedgerError) in try hash(of: place, reads) }
  }

  /// The root of the tree of the first `size` records.
  func root(
    size: UInt64, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Digest {
    var subtrees: [Digest] = []
    for place in Subtree.covering(0..<size) { subtrees.append(try hash(of: place, reads)) }
    return CompactRange(size: size, subtrees: subtrees)?.root(using: sha256) ?? SHA256.emptyRoot
  }

  /// Whether a hash needs no record to be read for it.
  func isKnown(
    _ place: Subtree, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Bool {
    try known(place, reads) != nil
  }

  /// The hash that was made or is stored; `nil` for none.
  private func known(
    _ place: Subtree, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Digest? {
    guard place.level > 0, place.level % TreeFormat.levelStep == 0 else { return nil }
    if let hash = madeHashes[place] { return hash }
    let key = TreeFormat.key(level: place.level, index: place.index)
    guard let bytes = try reads.get(key.span, in: databases.tree) else { return nil }
    let name = "tree \(place.level) \(place.index)"
    let (words, check) = try decoding(.treeNode, name) { () throws(CodecError) in
      try TreeFormat.value(bytes)
    }
    let expected = Self.check(place, words, sha256)
    guard check == expected else {
      throw .damaged(
        Finding(
          .treeNode, place: name, expected: "check \(hexadecimal(expected))",
          found: hexadecimal(check)))
    }
    return Digest(words)
  }

  /// The first 8 bytes of SHA-256(0x03 ‖ key ‖ hash).
  static func check(
    _ place: Subtree, _ hash: (UInt64, UInt64, UInt64, UInt64), _ sha256: SHA256
  ) -> UInt64 {
    let bytes = TreeFormat.checked(level: place.level, index: place.index, hash: hash)
    return sha256.hash(prefix: TreeFormat.checkPrefix, bytes.span).words.0
  }
}

extension TreeHasher {
  /// The hash of a subtree from its records, each of which must have its seal.
  private func hashRecords(
    of place: Subtree, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Digest {
    let first = place.index << UInt64(place.level) + 1
    let count = UInt64(1) << UInt64(place.level)
    var range = CompactRange()
    var rows = try RecordScan(reads, databases, from: first)
    for sequence in first..<first + count {
      guard let row = try rows.next() else { throw Self.lacking(sequence) }
      range.append(try leaf(row, sequence), using: sha256)
    }
    return range.root(using: sha256)
  }

  private func leaf(_ row: Row, _ sequence: UInt64) throws(LedgerError) -> Digest {
    let key = row.key
    let found = try decoding(.gapless, "events, a key") { () throws(CodecError) in
      try Keys.sequence(ofEvent: key)
    }
    guard found == sequence else { throw Self.lacking(sequence) }
    return try Self.leaf(of: row.value, sequence, sha256)
  }

  /// The leaf hash of a record with its seal, which is compared with it.
  static func leaf(
    of bytes: Span<UInt8>, _ sequence: UInt64, _ sha256: SHA256
  ) throws(LedgerError) -> Digest {
    guard let seal = RecordFormat.seal(of: bytes) else {
      throw missing(.recordDecodes, "events \(sequence)", "a record with a seal")
    }
    let leaf = sha256.leaf(bytes.extracting(0..<bytes.count - RecordFormat.sealByteCount))
    guard leaf.words.0 == seal else {
      throw .damaged(
        Finding(
          .seal, place: "events \(sequence)", expected: hexadecimal(leaf.words.0),
          found: hexadecimal(seal), sequence: sequence))
    }
    return leaf
  }

  private static func lacking(_ sequence: UInt64) -> LedgerError {
    missing(.gapless, "events \(sequence)", "a record")
  }
}
