/// Why a change was made.
public enum Cause: UInt8, Sendable, CaseIterable {
  /// The user asked for it.
  case user = 0
  /// Another reaction of the same user took its place (single selection).
  case replaced = 1
  /// A moderator asked for it.
  case moderation = 2
  /// The message was deleted.
  case messageDeleted = 3
  /// The user was erased.
  case userErased = 4
  /// The host's retention time is over.
  case expired = 5
  /// It came from another system.
  case imported = 6

  /// The word used for it in text.
  public var name: String {
    switch self {
    case .user: "user"
    case .replaced: "replaced"
    case .moderation: "moderation"
    case .messageDeleted: "messageDeleted"
    case .userErased: "userErased"
    case .expired: "expired"
    case .imported: "imported"
    }
  }

  /// The cause of that name.
  public init?(name: String) { self.init(utf8: name.utf8Span.span) }

  /// The cause whose name these bytes are.
  package init?(utf8 name: Span<UInt8>) {
    for cause in Self.allCases where UTF8Bytes.areEqual(cause.name.utf8Span.span, name) {
      self = cause
      return
    }
    return nil
  }
}
