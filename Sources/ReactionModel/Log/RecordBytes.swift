/// A record as the bytes that stand in the log, with all that a ledger knows of it: what a restore
/// takes where ``LoggedRecord`` would be copied for nothing.
///
/// Its memory can be used again for the next record. That the bytes are a record is not known.
public struct RecordBytes: Sendable {
  /// A user whom the record mentions first.
  package struct Introduction: Sendable {
    package var number: UserNumber
    /// What opens the commitment, in ``RecordBytes/openings``: the salt, then the id; empty once the
    /// user is erased.
    package var opening: Range<Int>
    package var isClosing: Bool

    package init(number: UserNumber, opening: Range<Int>, isClosing: Bool) {
      self.number = number
      self.opening = opening
      self.isClosing = isClosing
    }
  }

  /// Where the record stands in the log.
  package var sequence: UInt64 = 0
  /// The record and its seal.
  package var bytes: [UInt8] = []
  /// The users whom it mentions first: its user, then its actor.
  package var introductions: [Introduction] = []
  /// What the introductions have ranges of.
  package var openings: [UInt8] = []

  /// Makes one that holds no record yet.
  public init() {}

  /// Forgets the record, and keeps the memory.
  package mutating func clear() {
    sequence = 0
    bytes.removeAll(keepingCapacity: true)
    introductions.removeAll(keepingCapacity: true)
    openings.removeAll(keepingCapacity: true)
  }
}
