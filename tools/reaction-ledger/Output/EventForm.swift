import LedgerEngine
import LedgerInterchange
import ReactionModel

extension Entry {
  /// The record as a line of text.
  var line: String { line { _ in "an erased user" } }

  /// The record as a line of text; `nameless` says who a user is whose id is not known.
  func line(nameless: (UserNumber) -> String) -> String {
    var parts = ["\(sequence)", "\(record.recordedAt)", record.kindName]
    switch record.content {
    case .created(let ledger, let policy): parts += ["ledger \(ledger),", policy.words]
    case .policyChanged(let policy): parts.append(policy.words)
    case .userErased: parts.append("user \(record.user)")
    case .change(let change):
      parts += [change.reaction.text, "by", user?.text ?? nameless(record.user)]
      parts += ["on", "\(change.message)"]
      if let parent = change.parent { parts.append("in thread \(parent)") }
    }
    if let ends = record.endedSequence { parts.append("ending \(ends)") }
    if let number = record.actor {
      parts.append("asked for by \(actor?.text ?? nameless(number))")
    }
    if record.cause != .user { parts.append("cause \(record.cause.name)") }
    if let time = record.clientTime { parts.append("reacted at \(time)") }
    if let id = record.commandID { parts.append("command \(id)") }
    return parts.joined(separator: " ").printable
  }
}

extension Output {
  /// Prints records, each on a line, until nobody reads them.
  ///
  /// - Parameters:
  ///   - entries: The records.
  ///   - isJSON: Whether as JSON.
  ///   - format: The version of the file format, where JSON is to tell it.
  /// - Throws: ``Failure`` if they cannot be written.
  func entries(_ entries: [Entry], isJSON: Bool, format: Int?) throws(Failure) {
    for entry in entries {
      guard !isClosed else { return }
      if isJSON {
        try object { $0.members(of: entry, format: format) }
      } else {
        try line(entry.line)
      }
    }
  }
}
