package import ReactionModel

/// What of an event's record is numbers: all but the ids of message and parent, and the reaction.
package struct EventFields: Sendable {
  /// When it is recorded.
  package var recordedAt: Timestamp
  /// Why.
  package var cause: Cause
  /// Where it stands in its command.
  package var place: Record.Place
  /// When the caller says it was done.
  package var clientTime: Timestamp?
  /// Whose reaction it is.
  package var user: UserNumber
  /// Who asked for it, if not the user.
  package var actor: UserNumber?
  /// The command's id.
  package var commandID: CommandID?
  /// The user's commitment, if this is the first mention.
  package var userCommitment: Commitment?
  /// The actor's commitment, if this is the first mention.
  package var actorCommitment: Commitment?
  /// The sequence of the last change on the same message, 0 for its first.
  package var previous: UInt64
  /// The sequence of the add that a removal ends; `nil` of an add.
  package var ends: UInt64?

  package init(
    recordedAt: Timestamp, cause: Cause, place: Record.Place, clientTime: Timestamp?,
    user: UserNumber, actor: UserNumber?, commandID: CommandID?, userCommitment: Commitment?,
    actorCommitment: Commitment?
  ) {
    self.recordedAt = recordedAt
    self.cause = cause
    self.place = place
    self.clientTime = clientTime
    self.user = user
    self.actor = actor
    self.commandID = commandID
    self.userCommitment = userCommitment
    self.actorCommitment = actorCommitment
    previous = 0
    ends = nil
  }

  /// Those of a record.
  init(_ record: Record, _ change: Record.Change?) {
    self.init(
      recordedAt: record.recordedAt, cause: record.cause, place: record.place,
      clientTime: record.clientTime, user: record.user, actor: record.actor,
      commandID: record.commandID, userCommitment: record.userCommitment,
      actorCommitment: record.actorCommitment)
    previous = change?.previous ?? 0
    if case .removed(let ends) = change?.kind { self.ends = ends }
  }
}
