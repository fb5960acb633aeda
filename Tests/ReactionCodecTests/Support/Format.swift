import ReactionCodec
import ReactionModel
import Testing

/// One format of the codec, as what every test of all formats needs of it.
struct Format: Sendable, CustomTestStringConvertible {
  let name: String
  /// Whether all inputs of length 3 are worth trying: those of fixed length refuse them at once.
  let isVariable: Bool
  /// Decodes, and encodes what came out.
  let again: @Sendable ([UInt8]) throws(CodecError) -> [UInt8]
  /// The bytes of a random valid value.
  let sample: @Sendable (inout Sampler) -> [UInt8]

  var testDescription: String { name }

  private init(
    _ name: String, isVariable: Bool = false,
    again: @escaping @Sendable ([UInt8]) throws(CodecError) -> [UInt8],
    sample: @escaping @Sendable (inout Sampler) -> [UInt8]
  ) {
    self.name = name
    self.isVariable = isVariable
    self.again = again
    self.sample = sample
  }

  static let all = [record] + values + keys

  static let record = Format("record (F4–F11)") { (bytes) throws(CodecError) in
    let record = try RecordFormat.decode(bytes.span)
    return encoded(record, seal: RecordFormat.seal(of: bytes.span) ?? 0)
  } sample: { sampler in
    encoded(sampler.record(), seal: sampler.word())
  }

  private static let values = [
    Format("policy (F11)", isVariable: true) { (bytes) throws(CodecError) in
      var result: [UInt8] = []
      PolicyFormat.encode(try PolicyFormat.decode(bytes.span), into: &result)
      return result
    } sample: { sampler in
      var result: [UInt8] = []
      PolicyFormat.encode(sampler.policy(), into: &result)
      return result
    },
    Format("row of a message (F18)") { (bytes) throws(CodecError) in
      try MessageRow(decoding: bytes.span).encode()
    } sample: { sampler in
      sampler.row().encode()
    },
    Format("row of a user (F15)", isVariable: true) { (bytes) throws(CodecError) in
      var result: [UInt8] = []
      try UserRow(decoding: bytes.span).encode(into: &result)
      return result
    } sample: { sampler in
      var result: [UInt8] = []
      sampler.userRow().encode(into: &result)
      return result
    },
    Format("meta state (F25)", isVariable: true) { (bytes) throws(CodecError) in
      try MetaFormat.State(decoding: bytes.span).encode()
    } sample: { sampler in
      sampler.state().encode()
    },
    Format("meta format (F25)", isVariable: true) { (bytes) throws(CodecError) in
      var result: [UInt8] = []
      result.append(u16: UInt16(try MetaFormat.decodeFormat(bytes.span)))
      return result
    } sample: { _ in
      MetaFormat.encodeFormat()
    },
    Format("meta ledger (F25)") { (bytes) throws(CodecError) in
      MetaFormat.encode(try MetaFormat.decodeLedger(bytes.span))
    } sample: { sampler in
      MetaFormat.encode(sampler.sixteenBytes())
    },
  ]

  private static let keys = [
    Format("key of events (F4)") { (bytes) throws(CodecError) in
      [UInt8](Keys.event(try Keys.sequence(ofEvent: bytes.span)).span)
    } sample: { sampler in
      [UInt8](Keys.event(sampler.sequence()).span)
    },
    Format("key of messages (F17)", isVariable: true) { (bytes) throws(CodecError) in
      var result: [UInt8] = []
      Keys.message(try Keys.message(bytes.span), into: &result)
      return result
    } sample: { sampler in
      var result: [UInt8] = []
      Keys.message(sampler.messageKey(), into: &result)
      return result
    },
    Format("key of reactors (F20)") { (bytes) throws(CodecError) in
      let key = try Keys.reactor(bytes.span)
      return [UInt8](Keys.reactor(opened: key.opened, sequence: key.sequence).span)
    } sample: { sampler in
      [UInt8](Keys.reactor(opened: sampler.sequence(), sequence: sampler.sequence()).span)
    },
    Format("key of members (F21)") { (bytes) throws(CodecError) in
      let key = try Keys.member(bytes.span)
      return [UInt8](Keys.member(opened: key.opened, user: key.user).span)
    } sample: { sampler in
      [UInt8](Keys.member(opened: sampler.sequence(), user: sampler.user()).span)
    },
    Format("key of commands (F22)") { (bytes) throws(CodecError) in
      [UInt8](Keys.command(try Keys.command(bytes.span)).span)
    } sample: { sampler in
      [UInt8](Keys.command(sampler.sixteenBytes()).span)
    },
    Format("user number (F3)") { (bytes) throws(CodecError) in
      [UInt8](Keys.user(try Keys.user(bytes.span)).span)
    } sample: { sampler in
      [UInt8](Keys.user(sampler.user()).span)
    },
    Format("sequence of 6 bytes (F3)") { (bytes) throws(CodecError) in
      [UInt8](Keys.sequence(try Keys.sequence(bytes.span)).span)
    } sample: { sampler in
      [UInt8](Keys.sequence(sampler.sequence()).span)
    },
  ]
}
