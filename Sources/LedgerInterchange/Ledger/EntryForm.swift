public import ReactionModel

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
  public mutating func members(of entry: Entry, format: Int?) {
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
    case .policyChanged(let policy): member("policy", policy)
    case .userErased: writeUser(of: entry)
    case .change(let change):
      member("conversation", "\(change.message.conversation)")
      member("message", change.message.message.text)
      member("parent", ifPresent: change.parent?.text)
      writeUser(of: entry)
    }
    if record.actor != nil { member("actor", orNull: entry.actor?.text) }
    if case .change(let change) = record.content { member("reaction", change.reaction.text) }
    member("cause", record.cause.name)
    member("ends", ifPresent: record.endedSequence)
    member("commandId", ifPresent: record.commandID?.description)
  }

  private mutating func writeUser(of entry: Entry) {
    member("user", orNull: entry.user?.text)
    member("userNumber", entry.record.user)
  }
}

extension JSONWriter {
  /// Writes a member that is a string, or null if there is none.
  public mutating func member(_ key: String, orNull value: String?) {
    if let value { member(key, value) } else { null(key) }
  }

  /// Writes a member that is an integer, or null if there is none.
  public mutating func member(_ key: String, orNull value: (some FixedWidthInteger)?) {
    if let value { member(key, value) } else { null(key) }
  }

  private mutating func null(_ key: String) {
    self.key(key)
    null()
  }

  /// Writes a member that is an array of strings.
  public mutating func member(_ key: String, strings: some Sequence<String>) {
    array(key) { writer in
      for string in strings { writer.value(string) }
    }
  }
}

extension Record {
  /// What the record says, in a word.
  public var kindName: String {
    switch content {
    case .created: "created"
    case .policyChanged: "policyChanged"
    case .userErased: "userErased"
    case .change(let change): change.kind == .added ? "added" : "removed"
    }
  }

  /// The sequence of the add that the record ends.
  public var endedSequence: UInt64? {
    guard case .change(let change) = content, case .removed(let ends) = change.kind else {
      return nil
    }
    return ends
  }
}
