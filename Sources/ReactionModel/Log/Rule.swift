/// The numbered rules of the file format that a replay checks; the article `FileFormat` says them.
///
/// `L` are rules of the log, `U` of the dictionary of users, `E` of legality (what an event may do
/// after those before it), `J` of the projections, `T` of the tree of the log, `S` of the store below.
public enum Rule: String, Sendable, CaseIterable {
  /// Keys of `events` are 8 bytes, and sequences go 1, 2, 3 … without a gap.
  case gapless = "L1"
  /// A record's bytes decode.
  case recordDecodes = "L2"
  /// A record encodes to the bytes that it was decoded from.
  case recordCanonical = "L3"
  /// A seal is the truncated hash of the bytes before it.
  case seal = "L4"
  /// Recorded times never decrease.
  case timeOrder = "L5"
  /// Records of a command follow each other and agree: operation, index, count, message, parent,
  /// times, actor, and by operation user, reaction and cause.
  case commandBoundary = "L6"
  /// `previous` is the last sequence on the same message.
  case chain = "L7"
  /// Users get the numbers 1, 2, 3 … in order of first mention, which carries a commitment.
  case userOrder = "L8"
  /// The first record, and no other, is *created*.
  case creation = "L9"
  /// A reaction is in canonical form.
  case canonicalReaction = "L10"

  /// Each user number has a row in `users` that decodes, and there are no others.
  case userRow = "U1"
  /// Salt and id of a user open the commitment in the log.
  case commitmentOpens = "U2"
  /// Exactly the users with a *user erased* notice are tombstones.
  case tombstone = "U3"

  /// A reaction that is live is not added again.
  case noDuplicateAdd = "E1"
  /// A remove ends the add that it names, of the same user and reaction, which is live.
  case removeEndsLiveAdd = "E2"
  /// A command id is used once.
  case commandIDOnce = "E3"
  /// An erased user has no live reaction and is not mentioned again.
  case erasedIsGone = "E4"

  /// `messages` holds exactly the row that the log gives each message.
  case messageRow = "J1"
  /// `reactors` holds exactly the reactors of the reactions too popular for a row.
  case reactors = "J2"
  /// `members` holds exactly the same, by user.
  case members = "J3"
  /// `commands` holds exactly the command ids of the log.
  case commands = "J4"
  /// `byUser` holds exactly the live reactions while it is kept, and nothing else.
  case byUser = "J5"
  /// `userNumbers` holds exactly the ids of `users`.
  case userNumbers = "J6"
  /// The policy in `meta` is the log's last one.
  case policy = "J7"
  /// The other facts in `meta` agree with the log.
  case meta = "J8"

  // Tree

  /// An entry of `tree` is the hash of the full subtree of the log that its key names.
  case treeNode = "T1"
  /// The log begins with all records of a checkpoint that was kept elsewhere.
  case checkpoint = "T2"

  // Store

  /// The pages of the store can be read.
  case storage = "S1"
}

/// A breach of a rule: which, where, what should be there and what is.
public struct Finding: Error, Hashable, Sendable {
  /// The rule that is broken.
  public let rule: Rule
  /// The place: database and key.
  public let place: String
  /// What should be there.
  public let expected: String
  /// What is there.
  public let found: String
  /// The sequence of the record that shows it, if there is one.
  public let sequence: UInt64?

  /// Makes a finding.
  public init(
    _ rule: Rule, place: String, expected: String, found: String, sequence: UInt64? = nil
  ) {
    self.rule = rule
    self.place = place
    self.expected = expected
    self.found = found
    self.sequence = sequence
  }
}

extension Finding: CustomStringConvertible {
  /// Rule, place, expected and found in one line.
  public var description: String {
    "rule \(rule.rawValue) broken at \(place): expected \(expected), found \(found)"
  }
}
