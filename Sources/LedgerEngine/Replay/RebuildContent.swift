internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// What the projections hold according to the log, in order of keys, encoded as it is written.
struct RebuildContent: Sendable {
  struct Pair {
    let key: [UInt8]
    let value: [UInt8]
  }

  /// The pairs of one database.
  struct Part: Sendable {
    let name: ProjectionSlot.Name
    let pairCount: Int
    let pair: @Sendable (Int) -> Pair
  }

  let messages: Part
  let reactors: Part
  let members: Part
  let commands: Part
  /// `nil` if there is no index by user.
  let byUser: Part?

  var parts: [Part] { [messages, reactors, members, commands] + (byUser.map { [$0] } ?? []) }

  /// Arranges what a reducer holds.
  ///
  /// Complexity: O(*n* log *n*) in messages, reactors and commands.
  init(_ reducer: Reducer, indexingByUser indexesByUser: Bool) {
    let rows = reducer.messages.sorted { $0.key < $1.key }
    messages = Part(name: .messages, pairCount: rows.count) { index in
      var key: [UInt8] = []
      Keys.message(rows[index].key, into: &key)
      return Pair(key: key, value: MessageRow(rows[index].value).encode())
    }
    let spilled = reducer.messages.values.flatMap { $0.reactions.filter(\.isSpilled) }
    let places = spilled.flatMap { live in
      live.reactors.map { (opened: live.opened, user: $0.user, sequence: $0.sequence) }
    }
    let byAdd = places.sorted { ($0.opened, $0.sequence) < ($1.opened, $1.sequence) }
    reactors = Part(name: .reactors, pairCount: byAdd.count) { index in
      let key = Keys.reactor(opened: byAdd[index].opened, sequence: byAdd[index].sequence)
      return Pair(key: [UInt8](key.span), value: [UInt8](Keys.user(byAdd[index].user).span))
    }
    let byMember = places.sorted { ($0.opened, $0.user) < ($1.opened, $1.user) }
    members = Part(name: .members, pairCount: byMember.count) { index in
      let key = Keys.member(opened: byMember[index].opened, user: byMember[index].user)
      let value = Keys.sequence(byMember[index].sequence)
      return Pair(key: [UInt8](key.span), value: [UInt8](value.span))
    }
    let ids = reducer.commands.sorted { $0.key < $1.key }
    commands = Part(name: .commands, pairCount: ids.count) { index in
      let (key, value) = (Keys.command(ids[index].key), Keys.sequence(ids[index].value))
      return Pair(key: [UInt8](key.span), value: [UInt8](value.span))
    }
    byUser = indexesByUser ? Self.index(reducer) : nil
  }

  private static func index(_ reducer: Reducer) -> Part {
    let adds = reducer.messages.values.flatMap { message in
      message.reactions.flatMap(\.reactors)
    }.sorted { ($0.user, $0.sequence) < ($1.user, $1.sequence) }
    return Part(name: .byUser, pairCount: adds.count) { index in
      let key = Keys.byUser(user: adds[index].user, sequence: adds[index].sequence)
      return Pair(key: [UInt8](key.span), value: [])
    }
  }
}
