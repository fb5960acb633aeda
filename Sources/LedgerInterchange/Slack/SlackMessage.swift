internal import ReactionModel

/// What identifies a message of a Slack export.
struct SlackMessageHead {
  /// The channel as a group, and the message's `ts` as its id.
  let key: MessageKey
  /// When it was written, if its `ts` is a time.
  let time: Timestamp?
  /// The first message of its thread, if it is a reply.
  let parent: MessageID?

  /// Reads `ts` and `thread_ts`; `nil` if there is no `ts` or one of the ids cannot be one.
  init?(_ message: JSONObject, channel: String) {
    guard let id = Self.text(message["ts"]) else { return nil }
    do throws(IdentifierError) {
      key = try MessageKey(.group(ConversationID(channel)), MessageID(id))
      let thread = Self.text(message["thread_ts"]) ?? ""
      parent = thread.isEmpty || UTF8Bytes.areEqual(thread, id) ? nil : try MessageID(thread)
    } catch {
      return nil
    }
    time = SlackTime.timestamp(id)
  }

  /// A time as it is written: Slack writes strings, other tools numbers.
  private static func text(_ value: JSONValue?) -> String? { value?.string ?? value?.number?.text }
}

/// An entry of a message's `reactions`: a name, its users, and how many they are.
struct SlackReaction {
  /// The name of the reaction.
  let name: String
  /// The users as the export lists them.
  let users: [JSONValue]
  /// How many reactions the entry stands for: as many as it says, at least as many as it lists.
  let count: Int

  /// Reads an entry; `nil` if it has no name, or neither users nor a count.
  init?(_ value: JSONValue) {
    guard let name = value["name"]?.string else { return nil }
    let stated = value["count"]?.int64.map { Int(clamping: $0) }
    switch value["users"] {
    case .array(let users): self.users = users
    case nil, .null:
      guard stated != nil else { return nil }
      users = []
    default: return nil
    }
    self.name = name
    count = max(users.count, stated ?? 0)
  }

  /// The reaction, or `nil` if the name can be none.
  var canonical: Reaction? {
    do throws(InvalidReaction) {
      return try SlackShortcode.reaction(for: name).map { text throws(InvalidReaction) in
        try Reaction(text)
      }
    } catch {
      return nil
    }
  }

  /// The users whose ids are valid, in their order, and how many are not.
  func userIDs() -> (valid: [UserID], invalidCount: Int) {
    var valid: [UserID] = []
    for user in users {
      do throws(IdentifierError) {
        valid.append(try UserID(user.string ?? ""))
      } catch {
        continue
      }
    }
    return (valid, users.count - valid.count)
  }

  /// The entries on a message's files: `file.reactions`, those in `files`, and `file_reactions`,
  /// where a reduced export gathers them.
  static func onFiles(of message: JSONObject) -> [SlackReaction] {
    var lists: [JSONValue] = []
    if let list = message["file"]?["reactions"] { lists.append(list) }
    for file in message["files"]?.array ?? [] {
      if let list = file["reactions"] { lists.append(list) }
    }
    lists += message["file_reactions"]?.array ?? []
    return lists.flatMap { list in
      list.array?.compactMap { SlackReaction($0) } ?? SlackReaction(list).map { [$0] } ?? []
    }
  }
}
