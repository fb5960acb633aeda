/// A database of an environment: a sorted map from bytes to bytes.
///
/// It may be used in every transaction of the environment that it was opened in, and in no other.
public struct Database: Hashable, Sendable {
  let handle: UInt32
  let environment: UInt64

  /// Whether it is not there: it then reads as empty, and writing to it throws.
  public var isAbsent: Bool { handle == Self.absentHandle }

  /// No handle of LMDB, which counts them from 0.
  static let absentHandle = UInt32.max
}

/// How large a database is.
public struct DatabaseStatistics: Hashable, Sendable {
  /// Pairs of key and value.
  public let entryCount: Int
  /// Levels of its tree.
  public let depth: Int
  /// Pages of branches.
  public let branchPageCount: Int
  /// Pages of leaves.
  public let leafPageCount: Int
  /// Pages of values too long for a leaf.
  public let overflowPageCount: Int
}
