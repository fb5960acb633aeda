internal import ReactionModel

/// The bytes of a record; the rules are numbered in the article `FileFormat`.
public enum RecordFormat {
  /// The version of the format that this code reads and writes.
  package static var version: UInt8 { 0 }
  /// The bytes of a seal.
  @inlinable package static var sealByteCount: Int { 8 }
  /// The most bytes of a record with its seal.
  package static var maximumByteCount: Int { 65_535 }

  @usableFromInline enum Kind {
    @inlinable static var added: UInt8 { 1 }
    @inlinable static var removed: UInt8 { 2 }
    static let created: UInt8 = 3
    static let policyChanged: UInt8 = 4
    static let userErased: UInt8 = 5
  }

  @usableFromInline struct Flags: OptionSet {
    @usableFromInline let rawValue: UInt8
    @inlinable static var clientTime: Self { Self(rawValue: 1) }
    @inlinable static var actor: Self { Self(rawValue: 2) }
    @inlinable static var parent: Self { Self(rawValue: 4) }
    @inlinable static var commandID: Self { Self(rawValue: 8) }
    @inlinable static var userCommitment: Self { Self(rawValue: 16) }
    @inlinable static var actorCommitment: Self { Self(rawValue: 32) }
    @inlinable static var place: Self { Self(rawValue: 64) }
    @inlinable static var taggedFields: Self { Self(rawValue: 128) }

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable func contains(_ flag: Self) -> Bool { rawValue & flag.rawValue != 0 }

    /// The bytes of a field that is there only with its flag.
    @inlinable func byteCount(_ count: Int, if flag: Self) -> Int { contains(flag) ? count : 0 }
  }

  /// Whether a command of this operation makes records of this kind.
  static func fits(_ operation: Record.Operation, _ kind: UInt8) -> Bool {
    switch operation {
    case .add: kind == Kind.added || kind == Kind.removed
    case .remove, .clearMessage, .clearReaction: kind == Kind.removed
    case .erase: kind == Kind.removed || kind == Kind.userErased
    case .setPolicy: kind == Kind.policyChanged
    case .create: kind == Kind.created
    }
  }

  /// Whether a record may have a commitment, told by its flags alone; damaged bytes may say yes.
  package static func mayHaveCommitment(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > flagsOffset else { return false }
    return !Flags(rawValue: bytes[flagsOffset])
      .isDisjoint(with: [.userCommitment, .actorCommitment])
  }

  private static let flagsOffset = 3
}
