import LedgerTestSupport
import ReactionModel
import Testing

@Suite("Commands whose ids are bytes")
struct CommandViewTests {
  private static let ids: [[UInt8]] = [
    [], [0x61], [UInt8](repeating: 0x61, count: 240), [UInt8](repeating: 0x62, count: 255),
    [UInt8](repeating: 0x63, count: 256), [0x80], [0x61, 0xC3], Array("漢字".utf8),
    [0xED, 0xA0, 0x80],
  ]

  private func attempt<T>(
    _ body: () throws(IdentifierError) -> T
  ) -> Result<T, IdentifierError> {
    do throws(IdentifierError) {
      return .success(try body())
    } catch {
      return .failure(error)
    }
  }

  /// Of two ids that are none, bytes and values may name either.
  @Test("A key is one exactly if it is one as a value, for the same reason", arguments: ids)
  func keys(_ conversation: [UInt8]) {
    for message in Self.ids {
      for kind in Conversation.Kind.allCases {
        let asBytes = attempt { () throws(IdentifierError) in
          try MessageKey(
            MessageKeyView(kind, conversation: conversation.span, message: message.span))
        }
        let asValue = attempt { () throws(IdentifierError) in
          let id = try ConversationID(utf8: conversation.span)
          return try MessageKey(Conversation(kind: kind, id: id), MessageID(utf8: message.span))
        }
        #expect(asBytes == asValue)
      }
    }
  }

  @Test("A command is one exactly if it is one as a value", arguments: Command.Operation.allCases)
  func commands(_ operation: Command.Operation) throws {
    let key: MessageKey = try MessageKey(.group("g"), "m")
    let reaction = Array("👍".utf8)
    for user in Self.ids {
      for actor in Self.ids {
        for parent in Self.ids {
          let asBytes = attempt { () throws(IdentifierError) in
            let message = try MessageKeyView(
              .group, conversation: "g".utf8Span.span, message: "m".utf8Span.span)
            return try Command(
              CommandView(
                operation, reaction.span, on: message, by: user.span, actor: actor.span,
                parent: parent.span, cause: .moderation, at: Timestamp(microseconds: 7),
                id: CommandID(high: 1, low: 2)))
          }
          let asValue = attempt { () throws(IdentifierError) in
            let user = try UserID(utf8: user.span)
            let actor: UserID? = actor.isEmpty ? nil : try UserID(utf8: actor.span)
            let parent: MessageID? = parent.isEmpty ? nil : try MessageID(utf8: parent.span)
            return Command(
              operation, "👍", on: key, by: user, actor: actor, cause: .moderation,
              at: Timestamp(microseconds: 7), parent: parent, id: CommandID(high: 1, low: 2))
          }
          #expect(asBytes == asValue)
        }
      }
    }
  }

  @Test("Spans are equal exactly if their bytes are")
  func equality() {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8($0) }
      for other in 0..<40 {
        let start = bytes.span.extracting(first: other)
        let isEqual = UTF8Bytes.areEqual(bytes.span, start)
        #expect(isEqual == (other >= count))
      }
      for place in 0..<count {
        var changed = bytes
        changed[place] ^= 0x80
        let areEqual = UTF8Bytes.areEqual(bytes.span, changed.span)
        #expect(!areEqual)
      }
    }
  }
}
