import LedgerTestSupport
import ReactionCodec
import ReactionModel

/// Makes random valid values, edges of their ranges among them; the same seed makes the same ones.
struct Sampler {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func word() -> UInt64 { generator.next() }

  mutating func below(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

  mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

  mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

  /// A sequence of 1 to 2^48 - 1.
  mutating func sequence() -> UInt64 {
    switch below(8) {
    case 0: 1
    case 1: (1 << 48) - 1
    case 2: generator.next() % ((1 << 48) - 1) + 1
    default: generator.next() % 100_000 + 1
    }
  }

  /// A number of 1 to 2^32 - 1.
  mutating func user() -> UserNumber {
    switch below(8) {
    case 0: UserNumber.max
    case 1: UserNumber(truncatingIfNeeded: generator.next() | 1)
    default: UserNumber(below(1000) + 1)
    }
  }

  mutating func sixteenBytes() -> SixteenBytes {
    SixteenBytes(high: generator.next(), low: generator.next())
  }

  mutating func timestamp() -> Timestamp {
    switch below(8) {
    case 0: Timestamp(microseconds: Timestamp.range.lowerBound)
    case 1: Timestamp(microseconds: Timestamp.range.upperBound)
    case 2: Timestamp(microseconds: -1)
    case 3: Timestamp(microseconds: Int64(truncatingIfNeeded: generator.next()))
    default: Timestamp(microseconds: Int64(generator.next() % 4_000_000_000_000_000))
    }
  }

  mutating func commitment() -> Commitment { Commitment((word(), word(), word(), word())) }

  /// A text of exactly so many bytes, of scalars of all lengths and of NUL.
  mutating func text(byteCount: Int) -> String {
    var scalars = String.UnicodeScalarView()
    var rest = byteCount
    while rest > 0 {
      let scalar = pick(Self.scalars)
      let count = UTF8.width(scalar)
      scalars.append(count <= rest ? scalar : "a")
      rest -= count <= rest ? count : 1
    }
    return String(scalars)
  }

  private static let scalars: [Unicode.Scalar] = [
    "a", "b", "z", "0", "-", "\0", "\u{7F}", "é", "\u{301}", "漢", "\u{FE0F}", "👍", "\u{10FFFF}",
  ]

  /// Lengths of ids: mostly short, sometimes at the limit.
  private mutating func idLength(atMost limit: Int) -> Int {
    min(limit, chance(6) ? pick([127, 128, 225, 254, 255]) : below(12) + 1)
  }

  mutating func identifier<Kind>(atMost limit: Int = 255) -> Identifier<Kind> {
    let text = text(byteCount: idLength(atMost: limit))
    do {
      return try Identifier(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  mutating func messageKey() -> MessageKey {
    let conversation: ConversationID = identifier()
    let message: MessageID = identifier(
      atMost: MessageKey.maximumByteCount - conversation.text.utf8.count)
    do {
      return try MessageKey(
        chance(3) ? .user(conversation) : .group(conversation), message)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// A reaction in canonical form, or a text of any scalars: the codec does not judge forms.
  mutating func reaction() -> Reaction {
    let text =
      chance(2)
      ? pick(["👍", "❤️", "👍🏽", "🇦🇷", "1️⃣", ":party:", ":party:17:", "ok"])
      : text(byteCount: chance(6) ? pick([1, 511, 512]) : below(40) + 1)
    do {
      return try Reaction(stored: text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
