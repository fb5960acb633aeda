import LedgerEngine
import ReactionCodec
import ReactionModel
import Testing

/// All that a reducer holds, in a form in which the plain and the flat one can be compared.
struct ReducerState: Equatable {
  struct Block: Equatable {
    var reaction: Reaction
    var opened: UInt64
    var isSpilled: Bool
    var reactors: [Reactor]
  }

  struct Message: Equatable {
    var eventCount: Int
    var lastSequence: UInt64
    var blocks: [Block]
    var row: [UInt8]
  }

  struct User: Equatable {
    var commitment: Commitment
    var liveCount: Int
    var isErased: Bool
  }

  var head: UInt64
  var eventCount: Int
  var ledger: LedgerID?
  var policy: Policy?
  var messages: [MessageKey: Message]
  var users: [User]
  var commands: [CommandID: UInt64]
  var liveCount: Int

  init(_ reducer: Reducer) {
    (head, eventCount) = (reducer.head, reducer.eventCount)
    (ledger, policy) = (reducer.ledger, reducer.policy)
    messages = reducer.messages.mapValues { message in
      let blocks = message.reactions.map { live in
        Block(
          reaction: live.reaction, opened: live.opened,
          isSpilled: live.peak > RowFormat.inlineCapacity,
          reactors: live.reactors.map { Reactor(user: $0.user, sequence: $0.sequence) })
      }
      return Message(
        eventCount: message.eventCount, lastSequence: message.lastSequence, blocks: blocks,
        row: Self.row(message.eventCount, message.lastSequence, blocks).encode())
    }
    users = reducer.users.map {
      User(commitment: $0.commitment, liveCount: $0.liveCount, isErased: $0.isErased)
    }
    commands = reducer.commands
    liveCount = reducer.messages.values.flatMap(\.reactions).reduce(0) { $0 + $1.reactors.count }
  }

  init(_ reducer: FlatReducer) {
    (head, eventCount) = (reducer.head, reducer.eventCount)
    (ledger, policy) = (reducer.ledger, reducer.policy)
    messages = [:]
    for number in 0..<UInt32(reducer.messageCount) {
      let row = reducer.row(of: number)
      let blocks = zip(row.blocks, reducer.blocks(of: number)).map { block, index in
        let reactors = reducer.reactors(of: index)
        #expect(reactors.count == block.count)
        return Block(
          reaction: block.reaction, opened: block.opened, isSpilled: block.isSpilled,
          reactors: reactors)
      }
      #expect(messages[reducer.key(of: number)] == nil, "a message has two numbers")
      messages[reducer.key(of: number)] = Message(
        eventCount: row.eventCount, lastSequence: row.lastSequence, blocks: blocks,
        row: row.encode())
    }
    #expect(reducer.commitments.count == reducer.users.count)
    users = zip(reducer.commitments, reducer.users).map { commitment, user in
      User(commitment: commitment, liveCount: Int(user.liveCount), isErased: user.isErased)
    }
    let entries = reducer.commands.entries
    commands = Dictionary(entries.map { ($0.id, $0.first) }) { first, _ in first }
    #expect(commands.count == entries.count, "a command id is there twice")
    liveCount = reducer.liveCount
  }

  private static func row(
    _ eventCount: Int, _ lastSequence: UInt64, _ blocks: [Block]
  ) -> MessageRow {
    MessageRow(
      eventCount: eventCount, lastSequence: lastSequence,
      blocks: blocks.map { block in
        let kept = block.isSpilled ? block.reactors.prefix(3) : block.reactors[...]
        return MessageRow.Block(
          reaction: block.reaction, opened: block.opened, count: block.reactors.count,
          isSpilled: block.isSpilled, entries: Array(kept))
      })
  }

  /// The pairs of every projection but `byUser`, in order of keys.
  func projections() -> [String: [[[UInt8]]]] {
    var key: [UInt8] = []
    let rows = messages.sorted { $0.key < $1.key }.map { message in
      Keys.message(message.key, into: &key)
      return [key, message.value.row]
    }
    var (byAdd, byMember): ([[[UInt8]]], [[[UInt8]]]) = ([], [])
    for block in messages.values.flatMap(\.blocks) where block.isSpilled {
      for reactor in block.reactors {
        let add = Keys.reactor(opened: block.opened, sequence: reactor.sequence)
        byAdd.append([[UInt8](add.span), [UInt8](Keys.user(reactor.user).span)])
        let member = Keys.member(opened: block.opened, user: reactor.user)
        byMember.append([[UInt8](member.span), [UInt8](Keys.sequence(reactor.sequence).span)])
      }
    }
    let commands = commands.map { id, first in
      [[UInt8](Keys.command(id).span), [UInt8](Keys.sequence(first).span)]
    }
    func sorted(_ pairs: [[[UInt8]]]) -> [[[UInt8]]] {
      pairs.sorted { $0[0].lexicographicallyPrecedes($1[0]) }
    }
    return [
      "messages": rows, "reactors": sorted(byAdd), "members": sorted(byMember),
      "commands": sorted(commands),
    ]
  }
}

extension TestLedger {
  /// Fails the test unless the plain and the flat reducer find the same in the log and end in the same
  /// state, however many records are read at once.
  @discardableResult
  func requireEqualReducers(
    _ place: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ReducerState {
    let plain = try ledger.reduceLog(into: PlainReducer())
    let expected = ReducerState(plain.reducer.reducer)
    for chunkCount in [1, 7, 10_000] {
      let flat = try ledger.reduceLog(into: FlatReducer(), chunkCount: chunkCount)
      #expect(flat.findings == plain.findings, place, sourceLocation: sourceLocation)
      #expect(ReducerState(flat.reducer) == expected, place, sourceLocation: sourceLocation)
    }
    return expected
  }
}
