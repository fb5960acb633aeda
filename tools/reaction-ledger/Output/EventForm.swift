import LedgerEngine
import LedgerInterchange
import ReactionModel

extension JSONWriter {
  /// Writes a record of the log as an object's members.
  ///
  /// Of an event: `sequence`, `kind` (`added`, `removed`), `recordedAt`, `reactedAt`?,
  /// `conversation`, `message`, `parent`?, `user` (null once erased), `userNumber`, `actor`? (null
  /// once erased), `reaction`, `cause`, `ends`?, `commandId`?. Of a notice, after the first three
  /// (`created`, `policyChanged`, `userErased`), its own: `ledger`, `policy`, `format`; `policy`; or
  /// the user's.
  ///
  /// - Parameters:
  ///   - entry: The record.
  ///   - format: The version of the ledger's format, for the notice *created*.
  mutating func members(of entry: Entry, format: Int?) {
    let record = entry.record
    member("sequence", entry.sequence)
    member("kind", record.kindName)
    member("recordedAt", "\(record.recordedAt)")
    member("reactedAt", ifPresent: record.clientTime?.description)
    switch record.content {
    case .created(let ledger, let policy):
      member("ledger", "\(ledger)")
      member("policy", policy)
      member("format", ifPresent: format)
      return
    case .policyChanged(let policy):
      writeActor(of: entry)
      member("policy", policy)
    case .userErased:
      writeUser(of: entry)
      writeActor(of: entry)
    case .change(let change):
      member("conversation", "\(change.message.conversation)")
      member("message", change.message.message.text)
      member("parent", ifPresent: change.parent?.text)
      writeUser(of: entry)
      writeActor(of: entry)
      member("reaction", change.reaction.text)
    }
    member("cause", record.cause.name)
    member("ends", ifPresent: record.endedSequence)
    member("commandId", ifPresent: record.commandID?.description)
  }

  private mutating func writeUser(of entry: Entry) {
    member("user", orNull: entry.user?.text)
    member("userNumber", entry.record.user)
  }

  private mutating func writeActor(of entry: Entry) {
    if entry.record.actor != nil { member("actor", orNull: entry.actor?.text) }
  }
}

extension Entry {
  /// The record as a line of text.
  var line: String {
    var parts = ["\(sequence)", "\(record.recordedAt)", record.kindName]
    switch record.content {
    case .created(let ledger, let policy): parts += ["ledger \(ledger),", policy.words]
    case .policyChanged(let policy): parts.append(policy.words)
    case .userErased: parts.append("user \(record.user)")
    case .change(let change):
      parts += [change.reaction.text, "by", user?.text ?? "an erased user"]
      parts += ["on", "\(change.message)"]
      if let parent = change.parent { parts.append("in thread \(parent)") }
    }
    if let ends = record.endedSequence { parts.append("ending \(ends)") }
    if record.actor != nil { parts.append("asked for by \(actor?.text ?? "an erased user")") }
    if record.cause != .user { parts.append("cause \(record.cause.name)") }
    if let time = record.clientTime { parts.append("reacted at \(time)") }
    if let id = record.commandID { parts.append("command \(id)") }
    return parts.joined(separator: " ").printable
  }
}

extension Record {
  /// What the record says, in a word.
  var kindName: String {
    switch content {
    case .created: "created"
    case .policyChanged: "policyChanged"
    case .userErased: "userErased"
    case .change(let change): change.kind == .added ? "added" : "removed"
    }
  }

  /// The add that the record ends.
  var endedSequence: UInt64? {
    guard case .change(let change) = content, case .removed(let ends) = change.kind else {
      return nil
    }
    return ends
  }
}
