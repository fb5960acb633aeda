import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// LMDB's order of keys: by unsigned bytes, a prefix first.
private func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }

@Suite("Encoded keys sort as the model does (F3, F4, F17, F20–F22)")
struct KeyOrderTests {
  private static let seed: UInt64 = 77

  /// Compares the order of values with that of their keys, for all pairs.
  private func verify<T: Sendable>(
    _ values: [T], key: (T) -> [UInt8], isBefore: (T, T) -> Bool
  ) {
    let keys = values.map(key)
    var wrong: [String] = []
    for first in values.indices {
      for second in values.indices
      where isBefore(values[first], values[second]) != precedes(keys[first], keys[second]) {
        wrong.append("\(values[first]) and \(values[second])")
      }
    }
    #expect(wrong == [], "seed \(Self.seed)")
  }

  @Test("messages: conversation kind, length of its id, id, message id")
  func messages() throws {
    var sampler = Sampler(seed: Self.seed)
    var values = (0..<150).map { _ in sampler.messageKey() }
    // Ids that are each other's prefixes, that differ in length alone, and one conversation's.
    for (conversation, message) in [
      ("a", "b"), ("a", "ba"), ("ab", "a"), ("b", "a"), ("aa", "a"), ("a", "\u{7F}"), ("a", "é"),
      ("z", "a"), ("aaa", "a"), ("a", "漢"), ("a", "👍"), ("a", "\0"),
    ] {
      values.append(try MessageKey(.user(ConversationID(conversation)), MessageID(message)))
      values.append(try MessageKey(.group(ConversationID(conversation)), MessageID(message)))
    }
    verify(values) { message in
      var key: [UInt8] = []
      Keys.message(message, into: &key)
      return key
    } isBefore: {
      $0 < $1
    }
  }

  @Test("events, users, and the sequences that are values: by number")
  func numbers() {
    var sampler = Sampler(seed: Self.seed)
    let sequences = (0..<100).map { _ in sampler.sequence() } + [0, 255, 256, 65_535, 65_536]
    verify(sequences) {
      [UInt8](Keys.event($0).span)
    } isBefore: {
      $0 < $1
    }
    verify(sequences) {
      [UInt8](Keys.sequence($0).span)
    } isBefore: {
      $0 < $1
    }
    let users = (0..<100).map { _ in sampler.user() } + [0, 255, 256, 65_535, 65_536]
    verify(users) {
      [UInt8](Keys.user($0).span)
    } isBefore: {
      $0 < $1
    }
  }

  @Test("reactors: by opening, then by add; members: by opening, then by user")
  func reactorsAndMembers() {
    var sampler = Sampler(seed: Self.seed)
    let opened: [UInt64] = [1, 2, 255, 256, (1 << 48) - 1]
    let reactors = (0..<150).map { _ in (opened: sampler.pick(opened), other: sampler.sequence()) }
    verify(reactors) {
      [UInt8](Keys.reactor(opened: $0.opened, sequence: $0.other).span)
    } isBefore: {
      ($0.opened, $0.other) < ($1.opened, $1.other)
    }
    let members = (0..<150).map { _ in (opened: sampler.pick(opened), user: sampler.user()) }
    verify(members) {
      [UInt8](Keys.member(opened: $0.opened, user: $0.user).span)
    } isBefore: {
      ($0.opened, $0.user) < ($1.opened, $1.user)
    }
  }

  @Test("commands: by the id's bytes")
  func commands() {
    var sampler = Sampler(seed: Self.seed)
    var ids = (0..<150).map { _ in sampler.sixteenBytes() }
    ids += [CommandID(high: 0, low: .max), CommandID(high: 1, low: 0), CommandID(high: 0, low: 0)]
    verify(ids) {
      [UInt8](Keys.command($0).span)
    } isBefore: {
      $0 < $1
    }
  }
}
