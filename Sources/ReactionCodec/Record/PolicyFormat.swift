package import ReactionModel

/// The bytes of a policy: selection, most distinct, most per user (0: no limit), validity, and the
/// allow-list as a count and each reaction after its length.
package enum PolicyFormat {
  private enum ValidityCode {
    static let emoji: UInt8 = 0
    static let emojiAndCustom: UInt8 = 1
    static let allowed: UInt8 = 2
    static let anyText: UInt8 = 3
  }

  /// Appends a policy's bytes.
  package static func encode(_ policy: Policy, into bytes: inout [UInt8]) {
    bytes.append(policy.selection.rawValue)
    bytes.append(UInt8(policy.maximumDistinctPerMessage))
    bytes.append(UInt8(policy.maximumPerUserAndMessage ?? 0))
    switch policy.validity {
    case .emoji: bytes.append(ValidityCode.emoji)
    case .emojiAndCustom: bytes.append(ValidityCode.emojiAndCustom)
    case .anyText: bytes.append(ValidityCode.anyText)
    case .allowed(let reactions):
      bytes.append(ValidityCode.allowed)
      bytes.append(u16: UInt16(reactions.count))
      for reaction in reactions {
        let text = reaction.text.utf8Span.span
        bytes.append(u16: UInt16(text.count))
        bytes.append(text)
      }
    }
  }

  /// A policy from exactly these bytes.
  package static func decode(_ bytes: Span<UInt8>) throws(CodecError) -> Policy {
    var reader = ByteReader(bytes)
    let policy = try decode(&reader)
    try reader.requireEnd()
    return policy
  }

  static func decode(_ reader: inout ByteReader) throws(CodecError) -> Policy {
    guard let selection = Policy.Selection(rawValue: try reader.u8("selection")) else {
      throw .badValue("selection")
    }
    let distinct = Int(try reader.u8("most distinct"))
    let perUser = Int(try reader.u8("most per user"))
    let validity = try validity(&reader)
    let policy: Policy
    do throws(PolicyError) {
      policy = try Policy(
        selection: selection, maximumDistinctPerMessage: distinct,
        maximumPerUserAndMessage: perUser == 0 ? nil : perUser, validity: validity)
    } catch {
      throw .badValue("policy")
    }
    guard policy.validity == validity else { throw .badValue("order of the allow-list") }
    return policy
  }

  private static func validity(_ reader: inout ByteReader) throws(CodecError) -> Policy.Validity {
    switch try reader.u8("validity") {
    case ValidityCode.emoji: return .emoji
    case ValidityCode.emojiAndCustom: return .emojiAndCustom
    case ValidityCode.anyText: return .anyText
    case ValidityCode.allowed:
      let count = Int(try reader.u16("count of the allow-list"))
      guard count <= Policy.allowedCountCeiling else { throw .badValue("count of the allow-list") }
      var reactions: [Reaction] = []
      for _ in 0..<count {
        let byteCount = Int(try reader.u16("length of a reaction"))
        let bytes = try reader.take(byteCount, "reaction")
        reactions.append(try reaction(bytes))
      }
      return .allowed(reactions)
    default: throw .badValue("validity")
    }
  }
}
