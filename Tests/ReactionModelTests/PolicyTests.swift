import ReactionModel
import Testing

@Suite("Policy: limits and validity (F11)")
struct PolicyTests {
  @Test("The defaults")
  func standard() throws {
    let policy = Policy.standard
    #expect(policy.selection == .multiple)
    #expect(policy.maximumDistinctPerMessage == 20)
    #expect(policy.maximumPerUserAndMessage == nil)
    #expect(policy.validity == .emojiAndCustom)
    #expect(try Policy(validity: .emojiAndCustom) == policy)
  }

  @Test("Numbers are 1 to 100", arguments: [0, 1, 100, 101, -1, 256])
  func numbers(value: Int) throws {
    if (1...100).contains(value) {
      #expect(try Policy(maximumDistinctPerMessage: value).maximumDistinctPerMessage == value)
      #expect(try Policy(maximumPerUserAndMessage: value).maximumPerUserAndMessage == value)
    } else {
      #expect(throws: PolicyError.distinctOutOfRange(value)) {
        try Policy(maximumDistinctPerMessage: value)
      }
      #expect(throws: PolicyError.perUserOutOfRange(value)) {
        try Policy(maximumPerUserAndMessage: value)
      }
    }
  }

  @Test("An allow-list is sorted by bytes and holds each reaction once")
  func allowList() throws {
    let texts = ["👍", ":b:", "❤", "👍", "ok", "❤\u{FE0F}"]
    let policy = try Policy(validity: .allowed(texts.map { try Reaction($0) }))
    let sorted = try [":b:", "ok", "❤\u{FE0F}", "👍"].map { try Reaction($0) }
    #expect(policy.validity == .allowed(sorted))
    #expect(policy == (try Policy(validity: .allowed(sorted))))
  }

  @Test("An allow-list has at most 1,000 reactions, duplicates not counted")
  func count() throws {
    let reactions = try (0..<1001).map { try Reaction(":\($0):") }
    #expect(throws: PolicyError.tooManyAllowed(count: 1001)) {
      try Policy(validity: .allowed(reactions))
    }
    let twice = Array(reactions.dropLast()) + reactions.dropLast()
    #expect(throws: Never.self) { try Policy(validity: .allowed(twice)) }
  }

  @Test("An allow-list has at most 48 KiB, two bytes counted for each reaction")
  func byteCount() throws {
    // 96 of 510 bytes are 49,152 with their lengths; each is a text of 128 scalars.
    func reactions(last: String) throws -> [Reaction] {
      let all = try (0..<95).map { index in
        let own = try #require(Unicode.Scalar(UInt32(0x4E00 + index)))
        return "字\(own)" + String(repeating: "👍", count: 126)
      }
      return try (all + [last]).map { try Reaction($0) }
    }
    let fits = "字字" + String(repeating: "👍", count: 126)
    let isTooLong = "字" + String(repeating: "👍", count: 127)
    #expect(throws: Never.self) { try Policy(validity: .allowed(reactions(last: fits))) }
    #expect(throws: PolicyError.allowedTooLong(byteCount: 49_153)) {
      try Policy(validity: .allowed(reactions(last: isTooLong)))
    }
  }

  static let samples = ["👍", ":party:", "ok"]

  @Test(
    "Which reactions are valid",
    arguments: [
      (Policy.Validity.emoji, [true, false, false]), (.emojiAndCustom, [true, true, false]),
      (.anyText, [true, true, true]), (.allowed([]), [false, false, false]),
    ])
  func validity(validity: Policy.Validity, expected: [Bool]) throws {
    let policy = try Policy(validity: validity)
    #expect(try Self.samples.map { policy.allows(try Reaction($0)) } == expected)
  }

  @Test("An allow-list is searched in all its places")
  func search() throws {
    for count in 1...20 {
      let all = try (0..<count * 2).map { try Reaction(":\($0 + 100):") }
      let (allowed, others) = (
        all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element),
        all.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      )
      let policy = try Policy(validity: .allowed(allowed))
      #expect(allowed.allSatisfy { policy.allows($0) })
      #expect(!others.contains { policy.allows($0) })
    }
  }

  @Test("Errors say in words what is wrong")
  func descriptions() {
    #expect(
      PolicyError.distinctOutOfRange(0).description
        == "distinct reactions per message must be 1 to 100, not 0")
    #expect(
      PolicyError.perUserOutOfRange(101).description
        == "reactions per user and message must be 1 to 100, not 101")
    #expect(
      PolicyError.tooManyAllowed(count: 1001).description
        == "an allow-list has at most 1,000 reactions, not 1001")
    #expect(
      PolicyError.allowedTooLong(byteCount: 49_153).description
        == "an allow-list has at most 49,152 bytes, this one has 49153")
  }
}
