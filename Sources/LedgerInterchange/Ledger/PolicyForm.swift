public import ReactionModel

// The JSON form of a policy: `selection`, `maxDistinct`, `maxPerUser` (null without a limit),
// `reactions` and, of an allow-list, `allowed`.

extension JSONWriter {
  /// Writes a policy as a member that is an object.
  public mutating func member(_ key: String, _ policy: Policy) {
    object(key) { writer in
      writer.member("selection", policy.selection.word)
      writer.member("maxDistinct", policy.maximumDistinctPerMessage)
      writer.member("maxPerUser", orNull: policy.maximumPerUserAndMessage)
      writer.member("reactions", policy.validity.word)
      if case .allowed(let reactions) = policy.validity {
        writer.member("allowed", strings: reactions.map(\.text))
      }
    }
  }
}

extension Policy {
  /// Reads a policy from its JSON form.
  ///
  /// - Parameter json: An object with the keys of the form and no others.
  /// - Throws: ``FormError``, which names the key.
  public init(json: JSONView) throws(FormError) {
    var reader = try FormReader(json, "a policy")
    let selection = try reader.parsed("selection", "\"multiple\" or \"single\"") {
      text -> Selection? in
      for selection in Selection.allCases where text.equals(selection.literal) { return selection }
      return nil
    }
    let ceiling = UInt64(Self.distinctCeiling)
    let distinct = try reader.integer("maxDistinct", in: 1...ceiling)
    let perUser = try reader.integerIfPresent("maxPerUser", in: 1...ceiling)
    let word = try reader.string("reactions")
    let list = reader.value("allowed")
    try reader.finish()
    let validity = try Self.validity(word, list)
    do throws(PolicyError) {
      try self.init(
        selection: selection, maximumDistinctPerMessage: Int(distinct),
        maximumPerUserAndMessage: perUser.map { Int($0) }, validity: validity)
    } catch {
      throw FormError("a policy: \(error)")
    }
  }

  private static func validity(
    _ word: Span<UInt8>, _ list: JSONView?
  ) throws(FormError) -> Validity {
    guard word.equals("allowed") else {
      guard list == nil else {
        throw FormError("\"allowed\" belongs to \"reactions\":\"allowed\"")
      }
      for validity in [Validity.emoji, .emojiAndCustom, .anyText]
      where word.equals(validity.literal) {
        return validity
      }
      throw FormError("\"reactions\" must be \"emoji\", \"custom\", \"any\" or \"allowed\"")
    }
    guard let list, list.isArray else {
      throw FormError("\"allowed\" must be an array of reactions")
    }
    var reactions: [Reaction] = []
    var next = list.first
    while let element = next {
      guard let text = element.string else {
        throw FormError("\"allowed\" must be an array of reactions, not of \(element.kind)")
      }
      do throws(InvalidReaction) {
        reactions.append(try Reaction(utf8: text))
      } catch {
        throw FormError("\"allowed\": \(error)")
      }
      next = element.following(in: list)
    }
    return .allowed(reactions)
  }
}

extension Policy.Selection {
  /// The word for it in options and JSON.
  public var word: String { "\(literal)" }

  fileprivate var literal: StaticString {
    switch self {
    case .multiple: "multiple"
    case .single: "single"
    }
  }
}

extension Policy.Validity {
  /// The word for it in options and JSON.
  public var word: String { "\(literal)" }

  fileprivate var literal: StaticString {
    switch self {
    case .emoji: "emoji"
    case .emojiAndCustom: "custom"
    case .anyText: "any"
    case .allowed: "allowed"
    }
  }
}
