internal import ReactionModel

/// Makes commands of a Slack export's messages, and keeps the account of them.
struct SlackImportSession {
  /// The account so far.
  private(set) var report = ImportReport()
  /// The commands that were not answered yet.
  private(set) var commands: [Command] = []
  /// Where the commands come from.
  private var places: [ImportPlace] = []
  private var users: Set<UserID> = []

  /// Takes in what the reader came to.
  mutating func take(_ item: SlackExportReader.Item) {
    switch item {
    case .failure(let error): report.add(error)
    case .day(let day):
      for (index, message) in day.messages.enumerated() {
        take(message, of: day, at: index)
      }
    }
    report.users = users.count
  }

  /// Accounts for the outcomes of the commands at some indices.
  mutating func account(for outcomes: [Outcome], of range: Range<Int>) {
    precondition(outcomes.count == range.count, "a sink must give one outcome for each command")
    for (outcome, index) in zip(outcomes, range) {
      switch outcome {
      case .recorded: report.recorded += 1
      case .repeated: report.repeated += 1
      case .unchanged: report.unchanged += 1
      case .refused(let reason): report.refused.add(reason.name, 1, at: places[index])
      case .rolledBack: report.refused.add(outcome.name, 1, at: places[index])
      }
    }
  }

  /// Forgets the first commands, which were answered.
  mutating func removeFirst(_ count: Int) {
    commands.removeFirst(count)
    places.removeFirst(count)
  }

  private mutating func take(_ message: JSONValue, of day: SlackDay, at index: Int) {
    let place = ImportPlace(path: day.place.path, line: day.place.line, index: index)
    guard case .object(let object) = message else {
      let text = "message \(index): expected an object, not \(message.kind)"
      report.add(ImportError(path: place.path, line: place.line, text: text))
      return
    }
    for reaction in SlackReaction.onFiles(of: object) {
      skip(.reactionsOnFiles, reaction.count, at: place)
    }
    guard let value = object["reactions"], !value.isNull else { return }
    guard case .array(let entries) = value else {
      skip(.malformedReaction, 1, at: place)
      return
    }
    guard !entries.isEmpty else { return }
    let reactions = entries.map { SlackReaction($0) }
    guard let head = SlackMessageHead(object, channel: day.channel) else {
      for reaction in reactions { skip(.invalidMessage, reaction?.count ?? 1, at: place) }
      return
    }
    take(reactions, of: head, at: place)
  }

  private mutating func take(
    _ reactions: [SlackReaction?], of message: SlackMessageHead, at place: ImportPlace
  ) {
    let commandCount = commands.count
    var merging = SlackMerging()
    for reaction in reactions {
      guard let reaction else {
        skip(.malformedReaction, 1, at: place)
        continue
      }
      guard let canonical = reaction.canonical else {
        skip(.invalidReaction, reaction.count, at: place)
        continue
      }
      let (valid, invalidCount) = reaction.userIDs()
      for user in valid {
        users.insert(user)
        places.append(place)
        commands.append(
          .add(
            canonical.text, to: message.key, by: user, cause: .imported, at: message.time,
            parent: message.parent))
      }
      if reactions.count > 1 {
        report.merged += merging.add(canonical, named: reaction.name, by: valid)
      }
      if invalidCount > 0 { skip(.invalidUser, invalidCount, at: place) }
      let missing = reaction.count - reaction.users.count
      if missing > 0 { skip(.countWithoutUsers, missing, at: place) }
    }
    guard commands.count > commandCount else { return }
    report.messages += 1
    report.reactions += commands.count - commandCount
  }

  private mutating func skip(_ reason: ImportSkipReason, _ count: Int, at place: ImportPlace) {
    report.skipped.add(reason.rawValue, count, at: place)
  }
}

/// Counts the reactions of one message that fall together although their names differ.
private struct SlackMerging {
  private var earlier: [Reaction: [(name: String, users: Set<UserID>)]] = [:]

  /// Notes a reaction of some users; how many of them have it under another name already.
  mutating func add(_ reaction: Reaction, named name: String, by users: [UserID]) -> Int {
    let others = earlier[reaction, default: []].filter { !UTF8Bytes.areEqual($0.name, name) }
    earlier[reaction, default: []].append((name, Set(users)))
    guard !others.isEmpty else { return 0 }
    return users.count { user in others.contains { $0.users.contains(user) } }
  }
}
