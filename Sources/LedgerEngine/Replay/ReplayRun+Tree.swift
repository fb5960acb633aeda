internal import LMDB
internal import LedgerHash
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks that what `tree` holds are hashes of the log (T1), and that the log has the roots of the
  /// checkpoints (T2).
  mutating func checkTree() throws(LedgerError) {
    let sha256 = SHA256()
    try walk(.tree) { (databases, _) in
      databases.tree
    } _: { (row, _, run) throws(LedgerError) in
      run.checkNode(row, sha256)
    }
    for mismatch in log.tree?.allMismatches() ?? [] { report(mismatch) }
  }

  private mutating func checkNode(_ row: borrowing Row, _ sha256: SHA256) {
    let place: String
    let (expected, found): (String, String)
    switch TreeNode(row.key, row.value, sha256) {
    case .key:
      place = "tree \([UInt8](row.key))"
      (expected, found) = ("a level of 8, 16 … 40 and an index", "other bytes")
    case .value(let level, let index):
      place = "tree \(level) \(index)"
      (expected, found) = ("a hash and its check", "other bytes")
    case .node(let level, let index, let hash):
      let node = log.tree?.node(level: level, index: index)
      if node == hash { return }
      place = "tree \(level) \(index)"
      found = "\(hash)"
      expected =
        node.map { "\($0)" } ?? "nothing: the log has \(log.tree?.size ?? 0) records"
    }
    report(.treeNode, at: FindingPlace(.tree, [UInt8](row.key)), place, expected, found)
  }

  private mutating func report(_ mismatch: LogTree.Mismatch) {
    let index = UInt64(mismatch.index)
    let (expected, found) =
      mismatch.root.map { ("root \(mismatch.head.root)", "\($0): the log was rewritten") }
      ?? (
        "\(mismatch.head.size) records",
        "\(log.tree?.size ?? 0): the log ends before"
      )
    report(
      .checkpoint, at: FindingPlace(.checkpoints, [UInt8](Keys.event(index).span)),
      "checkpoint of size \(mismatch.head.size)", expected, found)
  }
}

/// What a pair of `tree` says.
private enum TreeNode {
  /// The hash of a full subtree.
  case node(level: Int, index: UInt64, Digest)
  /// A value that is no hash with its check.
  case value(level: Int, index: UInt64)
  /// A key that is none.
  case key

  init(_ key: Span<UInt8>, _ value: Span<UInt8>, _ sha256: SHA256) {
    guard let place = try? TreeFormat.place(key) else {
      self = .key
      return
    }
    let (level, index) = place
    guard let found = try? TreeFormat.value(value) else {
      self = .value(level: level, index: index)
      return
    }
    let check = TreeHasher.check(Subtree(level: level, index: index), found.hash, sha256)
    self =
      check == found.check
      ? .node(level: level, index: index, Digest(found.hash)) : .value(level: level, index: index)
  }
}
