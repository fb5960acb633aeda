internal import ReactionCodec
package import ReactionModel

/// The same function of the log as ``Reducer``, over flat tables of numbers: what a replay runs.
///
/// Messages and reactions are numbered as they first come; a message links its live blocks in order
/// of opening, a block its reactors in order of their adds. It makes the same findings with the same
/// words, and ends in the same state: tests hold the two equal. No record allocates anything but the
/// tables' growth.
///
/// It may keep to a slice: then it has the messages and command ids of the slice only, and unless
/// the slice is the primary, of the users only their numbers of live reactions. The findings of all
/// slices together are those of one reducer for everything; see ``erasures`` for what must be added.
///
/// Memory: about 50 bytes and its key for each message that has had a reaction, 32 for each reaction
/// that is live on a message, 24 for each of its reactors, 40 for each user (8 if not primary), 32 for
/// each command id; see ``makeRoom(for:within:)``.
package struct FlatReducer: Sendable {
  /// The sequence of the last record.
  package var head: UInt64 = 0
  /// How many of the records are events.
  package var eventCount = 0
  /// The ledger's id; `nil` before the first record.
  package var ledger: LedgerID?
  /// The policy in force; `nil` before the first record.
  package var policy: Policy?
  /// The users by number; number 1 is at index 0.
  package var users: [FlatUser] = []
  /// What binds each user's number to an id; only of the primary.
  package var commitments: [Commitment] = []
  /// The commands that had an id.
  package var commands: CommandTable
  /// How many reactions of the slice are live, each user's counted.
  package var liveCount = 0
  /// The adds less the removes of all events; only of the primary.
  var balance = 0
  /// The adds less the removes of the slice that were not possible.
  var illegalBalance = 0
  /// What users whose erasure the log notes had live in this slice, unless it is everything.
  var erasures: [FlatErasure] = []

  let slice: ReplaySlice
  var messages: KeyTable<FlatMessage>
  var reactions: KeyTable<FlatText>
  var blocks: [FlatBlock] = []
  var reactors: [FlatReactor] = []
  var members: MemberTable
  /// The first of the blocks that are free, linked by `next`.
  var freeBlock = FlatReducer.none
  /// The first of the reactors that are free, linked by `next`.
  var freeReactor = FlatReducer.none
  /// What the record before was; `nil` before the first and after one that could not be read.
  var previous: FlatStep?
  /// The texts of the record before, if its command goes on.
  var previousTexts = FlatTexts()
  package var findings: [Finding] = []
  /// See ``touch(events:)``.
  var touched = 0

  /// What a link to nothing is.
  static let none = UInt32.max

  /// The state before the first record.
  package init(_ hash: KeyHash = KeyHash()) { self.init(hash, .whole) }

  /// The state before the first record, of one slice.
  init(_ hash: KeyHash, _ slice: ReplaySlice) {
    self.slice = slice
    messages = KeyTable(hash)
    reactions = KeyTable(hash)
    members = MemberTable(hash)
    commands = CommandTable(hash)
  }

}

/// A message that has had a reaction.
struct FlatMessage: Sendable {
  var lastSequence: UInt64 = 0
  var eventCount: UInt32 = 0
  /// Its live reactions.
  var firstBlock = FlatReducer.none
  var lastBlock = FlatReducer.none
  /// Whether its row was seen in the store.
  var isMarked = false
}

/// The text of a reaction.
struct FlatText: Sendable {
  let isCanonical: Bool
}

/// A reaction that is live on a message.
struct FlatBlock: Sendable {
  /// The sequence of the add that took its count from 0 to 1.
  var opened: UInt64
  var reaction: UInt32
  /// How many reactors it has; 0 if the block is free.
  var count: UInt32
  var first: UInt32
  var last: UInt32
  /// The next block of the message.
  var next: UInt32
  /// Whether it has had more reactors than fit a row; then they are in the table of members too.
  var isSpilled: Bool
}

/// A user's live reaction.
struct FlatReactor: Sendable {
  var sequence: UInt64
  var user: UInt32
  var block: UInt32
  var previous: UInt32
  var next: UInt32
}

/// What the log tells of a user.
package struct FlatUser: Sendable {
  /// How many of the user's reactions are live.
  package var liveCount: Int32 = 0
  /// Whether the user was erased.
  package var isErased = false
}

/// A user's live reactions in a slice at the notice of the user's erasure; none should be.
struct FlatErasure: Sendable {
  let sequence: UInt64
  let user: UserNumber
  let liveCount: Int
}

/// The texts of a record that those of its command have in common, if it is an event.
struct FlatTexts: Sendable {
  var ids: [UInt8] = []
  var reaction: [UInt8] = []
  var parent: [UInt8] = []
}

/// What of a record is compared with the next one.
struct FlatStep: Sendable {
  var recordedAt: Timestamp
  var clientTime: Timestamp?
  var operation: Record.Operation
  var cause: Cause
  var index: Int
  var count: Int
  var user: UserNumber
  /// 0 for nobody.
  var actor: UserNumber
  /// What the key of an event's message begins with; `nil` of a notice.
  var messageHead: UInt16?
  var isAdded = false

  var place: Record.Place { Record.Place(operation, index: index, count: count) }
}
