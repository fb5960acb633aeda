/// A record with all that a ledger knows of it: what an export holds and a restore takes.
public struct LoggedRecord: Hashable, Sendable {
  /// A user whom the record mentions first.
  public struct Introduction: Hashable, Sendable {
    /// What opens a commitment.
    public struct Opening: Hashable, Sendable {
      /// The random bytes that are hashed with the id.
      public let salt: SixteenBytes
      /// The user's id.
      public let id: UserID
      /// Whether the user's erasure was under way.
      public let isClosing: Bool

      /// Makes an opening.
      public init(salt: SixteenBytes, id: UserID, isClosing: Bool = false) {
        self.salt = salt
        self.id = id
        self.isClosing = isClosing
      }
    }

    /// The user's number.
    public let number: UserNumber
    /// What opens the record's commitment; `nil` once the user is erased.
    public let opening: Opening?

    /// Makes an introduction.
    public init(number: UserNumber, opening: Opening?) {
      self.number = number
      self.opening = opening
    }
  }

  /// The record, with its sequence and the names of its users.
  public let entry: Entry
  /// The record's seal.
  public let seal: UInt64
  /// The users whom it mentions first: its user, then its actor.
  public let introductions: [Introduction]

  /// Makes a logged record.
  public init(entry: Entry, seal: UInt64, introductions: [Introduction]) {
    self.entry = entry
    self.seal = seal
    self.introductions = introductions
  }
}
