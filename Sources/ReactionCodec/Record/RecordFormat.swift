internal import ReactionModel

/// The bytes of a record; the rules are numbered in the article `FileFormat`.
package enum RecordFormat {
  /// The version of the format that this code reads and writes.
  package static let version: UInt8 = 0
  /// The bytes of a seal.
  package static let sealByteCount = 8
  /// The most bytes of a record with its seal.
  package static let maximumByteCount = 65_535

  enum Kind {
    static let added: UInt8 = 1
    static let removed: UInt8 = 2
    static let created: UInt8 = 3
    static let policyChanged: UInt8 = 4
    static let userErased: UInt8 = 5
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let clientTime = Flags(rawValue: 1)
    static let actor = Flags(rawValue: 2)
    static let parent = Flags(rawValue: 4)
    static let commandID = Flags(rawValue: 8)
    static let userCommitment = Flags(rawValue: 16)
    static let actorCommitment = Flags(rawValue: 32)
    static let place = Flags(rawValue: 64)
    static let taggedFields = Flags(rawValue: 128)
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
