/// An event with all that a ledger knows of it, where it stands: a line of an export.
package struct LoggedEvent: ~Escapable {
  package let sequence: UInt64
  package let record: RecordView
  /// The id of the user; empty once erased.
  package let user: Span<UInt8>
  /// The id of the actor; empty once erased, or if there is none.
  package let actor: Span<UInt8>
  /// The row of the user, if the record mentions the user first; else empty.
  package let userRow: Span<UInt8>
  /// The row of the actor, if the record mentions the actor first; else empty.
  package let actorRow: Span<UInt8>

  @_lifetime(copy record, copy user, copy actor, copy userRow, copy actorRow)
  package init(
    _ sequence: UInt64, _ record: consuming RecordView, user: Span<UInt8>, actor: Span<UInt8>,
    userRow: Span<UInt8>, actorRow: Span<UInt8>
  ) {
    self.sequence = sequence
    self.record = record
    self.user = user
    self.actor = actor
    self.userRow = userRow
    self.actorRow = actorRow
  }
}
