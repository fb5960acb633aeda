import LedgerTestSupport
import ReactionModel
import Testing

@Suite("Identifiers: opaque bytes (F3, F17)")
struct IdentifierTests {
  @Test("1 to 255 bytes of UTF-8")
  func lengths() throws {
    // Not literals: Swift makes those with the initialiser that traps.
    let (none, one) = (String(), String("x"))
    #expect(throws: IdentifierError.empty) { try UserID(none) }
    #expect(try UserID(one).text == "x")
    #expect(try UserID(String(repeating: "x", count: 255)).text.utf8.count == 255)
    #expect(throws: IdentifierError.tooLong(byteCount: 256)) {
      try UserID(String(repeating: "x", count: 256))
    }
    // Bytes count, not characters.
    #expect(try UserID(String(repeating: "漢", count: 85)).text.utf8.count == 255)
    #expect(throws: IdentifierError.tooLong(byteCount: 258)) {
      try UserID(String(repeating: "漢", count: 86))
    }
  }

  @Test("From bytes: the same limits, and valid UTF-8")
  func bytes() throws {
    func identifier(_ bytes: [UInt8]) -> Result<UserID, IdentifierError> {
      do throws(IdentifierError) {
        return .success(try UserID(utf8: bytes.span))
      } catch {
        return .failure(error)
      }
    }
    #expect(identifier([]) == .failure(.empty))
    #expect(identifier([UInt8](repeating: 0x61, count: 256)) == .failure(.tooLong(byteCount: 256)))
    #expect(identifier([0x61, 0, 0x62]) == .success("a\0b"))
    // A lone continuation, a cut sequence, an overlong one, a surrogate, one past U+10FFFF.
    for wrong: [UInt8] in [
      [0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
    ] {
      #expect(identifier(wrong) == .failure(.invalidUTF8))
    }
  }

  @Test("Equal are those of equal bytes, whatever Unicode calls equivalent")
  func equality() throws {
    let (composed, decomposed): (UserID, UserID) = ("\u{E9}", "e\u{301}")
    #expect(composed.text == decomposed.text, "Swift's strings are equal")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed == "\u{E9}")
    #expect(UserID("A") != UserID("a"))
  }

  @Test("In order of bytes, a prefix first")
  func order() {
    let sorted: [UserID] = ["\0", "A", "a", "a\0", "aa", "b", "e\u{301}", "\u{E9}", "漢", "👍"]
    #expect(sorted.shuffled().sorted() == sorted)
  }

  @Test("A literal that is no id traps")
  func literals() async {
    await #expect(processExitsWith: .failure) { print(UserID("")) }
    await #expect(processExitsWith: .failure) {
      let empty: UserID = ""
      print(empty)
    }
  }

  @Test(
    "Conversations as text",
    arguments: [
      ("user:a", Conversation.Kind.user, "a"), ("group:g1", .group, "g1"), ("room:r", .room, "r"),
      ("group:a:b", .group, "a:b"), ("group::", .group, ":"), ("user:漢", .user, "漢"),
    ])
  func conversations(text: String, kind: Conversation.Kind, id: String) throws {
    let conversation = try Conversation(parsing: text)
    #expect(conversation == Conversation(kind: kind, id: try ConversationID(id)))
    #expect(conversation.description == text)
  }

  @Test("What is no conversation")
  func noConversations() {
    for text in ["", "user", "users:a", "User:a", ":a", "channel:a", " group:a"] {
      #expect(throws: IdentifierError.unknownConversationKind(text)) {
        try Conversation(parsing: text)
      }
    }
    #expect(throws: IdentifierError.empty) { try Conversation(parsing: "group:") }
    #expect(throws: IdentifierError.tooLong(byteCount: 256)) {
      try Conversation(parsing: "group:" + String(repeating: "x", count: 256))
    }
  }

  @Test("Conversation id and message id have at most 480 bytes together")
  func messageKeys() throws {
    let long = try ConversationID(String(repeating: "c", count: 255))
    let fits = try MessageKey(.group(long), MessageID(String(repeating: "m", count: 225)))
    #expect(fits.description.hasPrefix("group:c"))
    #expect(throws: IdentifierError.keyTooLong(byteCount: 481)) {
      try MessageKey(.group(long), MessageID(String(repeating: "m", count: 226)))
    }
  }

  @Test("Messages are in order of the store: kind, length of the conversation's id, ids")
  func messageOrder() throws {
    let sorted = try [
      ("user:b", "z"), ("user:aa", "a"), ("user:aa", "b"), ("user:ab", "a"), ("group:a", "a"),
      ("group:a", "aa"), ("group:a", "b"), ("group:é", "a"), ("room:a", "a"),
    ].map { try MessageKey(Conversation(parsing: $0), MessageID($1)) }
    #expect(sorted.shuffled().sorted() == sorted)
  }

  @Test("Errors say in words what is wrong")
  func descriptions() {
    #expect(IdentifierError.empty.description == "an id must have at least 1 byte")
    #expect(
      IdentifierError.tooLong(byteCount: 300).description
        == "an id has at most 255 bytes, this one has 300")
    #expect(IdentifierError.invalidUTF8.description == "an id must be valid UTF-8")
    #expect(
      IdentifierError.keyTooLong(byteCount: 500).description
        == "conversation id and message id have at most 480 bytes together, these have 500")
    #expect(
      IdentifierError.unknownConversationKind("x").description
        == "\"x\" names no conversation: write user:ID, group:ID or room:ID")
  }
}
