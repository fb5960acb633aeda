internal import LMDB
internal import ReactionModel

extension Projector {
  /// Applies a record as a fact, whatever decided it; notices change no projection of a message.
  mutating func apply(
    _ record: Record, at sequence: UInt64, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    guard case .change(let change) = record.content else { return }
    try load(change.message, transaction.reads)
    try self.change(change, of: record, at: sequence, &transaction)
  }

  /// Applies a change of the message in hand, and stores it.
  mutating func change(
    _ change: Record.Change, of record: Record, at sequence: UInt64,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let reaction = change.reaction.text.utf8Span.span
    let block = try block(of: reaction)
    switch change.kind {
    case .added: try add(reaction, to: block, by: record.user, at: sequence, &transaction)
    case .removed(let ends):
      try remove(from: block, by: record.user, ending: ends, at: sequence, &transaction)
    }
    try store(&transaction)
  }
}
