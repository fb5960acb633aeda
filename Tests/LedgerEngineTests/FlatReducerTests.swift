import LedgerEngine
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// The flat reducer against the plain one on records that no ledger would write: after each the same
/// findings, in the end the same state.
@Suite struct FlatReducerTests {
  #if DEBUG
    static let seeds: [UInt64] = Array(1...40)
  #else
    static let seeds: [UInt64] = Array(1...400)
  #endif

  @Test(arguments: seeds) func anyRecords(seed: UInt64) throws {
    var source = HostileRecords(seed: seed)
    var (plain, flat) = (PlainReducer(), FlatReducer())
    let sealer = Sealer()
    for index in 1...600 {
      let (bytes, sequence) = source.next(head: plain.head, sealer)
      plain.take(bytes.span, at: sequence, sealer)
      flat.take(bytes.span, at: sequence, sealer)
      try #require(flat.findings == plain.findings, "seed \(seed), record \(index)")
      try #require(flat.head == plain.head)
      plain.findings = []
      flat.findings = []
    }
    #expect(flat.finish() == plain.finish())
    #expect(ReducerState(flat) == ReducerState(plain.reducer), "seed \(seed)")
  }

  @Test func everyRuleIsBroken() {
    var counts: [Rule: Int] = [:]
    let sealer = Sealer()
    for seed in UInt64(1)...20 {
      var (source, flat) = (HostileRecords(seed: seed), FlatReducer())
      for _ in 1...600 {
        let (bytes, sequence) = source.next(head: flat.head, sealer)
        flat.take(bytes.span, at: sequence, sealer)
      }
      for finding in flat.findings { counts[finding.rule, default: 0] += 1 }
    }
    let expected: [Rule] = [
      .gapless, .recordDecodes, .seal, .timeOrder, .commandBoundary, .chain, .userOrder, .creation,
      .canonicalReaction, .noDuplicateAdd, .removeEndsLiveAdd, .commandIDOnce, .erasedIsGone,
    ]
    for rule in expected { #expect(counts[rule, default: 0] > 5, "\(rule)") }
  }

  @Test("An empty log, and one that ends inside a command") func ends() {
    #expect(FlatReducer().finish() == Reducer().finish())
    #expect(FlatReducer().finish().map(\.rule) == [.creation])
  }

  /// Many reactors come and go, so that blocks and reactors are used again and the table of members
  /// closes its holes.
  @Test func popularReactions() throws {
    var source = HostileRecords(seed: 5, isPopular: true)
    var (plain, flat) = (PlainReducer(), FlatReducer())
    let sealer = Sealer()
    for _ in 1...6_000 {
      let (bytes, sequence) = source.next(head: plain.head, sealer)
      plain.take(bytes.span, at: sequence, sealer)
      flat.take(bytes.span, at: sequence, sealer)
      try #require(flat.findings == plain.findings)
    }
    let state = ReducerState(flat)
    #expect(state == ReducerState(plain.reducer))
    #expect(state.messages.values.flatMap(\.blocks).contains { $0.reactors.count > 100 })
  }

  @Test("Keys with long common parts, prefixes of each other, and zeros") func keyOrder() {
    var generator = SeededGenerator(seed: 9)
    for round in 0..<50 {
      var keys: Set<[UInt8]> = []
      for _ in 0..<300 {
        let common = [UInt8](repeating: 7, count: Int(generator.next() % 3) * 9)
        let rest = (0..<Int(generator.next() % 18)).map { _ in
          [0, 0, 1, 8, 255][Int(generator.next() % 5)] as UInt8
        }
        keys.insert(common + rest)
      }
      let list = Array(keys)
      let order = KeyOrder.sorted(count: list.count) { number, depth in
        let key = list[Int(number)]
        return KeyOrder.word(key.span, depth)
      }
      let sorted = list.sorted { UTF8Bytes.precedes($0.span, $1.span) }
      #expect(order.map { list[Int($0)] } == sorted, "round \(round)")
    }
  }
}

/// Random records with few users, messages and reactions, many of which break rules.
struct HostileRecords {
  private var generator: SeededGenerator
  private let isPopular: Bool
  private var live: [(message: MessageKey, reaction: Reaction, user: UserNumber, add: UInt64)] = []
  private var last: [MessageKey: UInt64] = [:]
  private var userCount: UserNumber = 0
  private var time: Int64 = 1_700_000_000_000_000
  private var previous: Record?

  init(seed: UInt64, isPopular: Bool = false) {
    generator = SeededGenerator(seed: seed)
    self.isPopular = isPopular
  }

  private mutating func below(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
  private mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }
  private mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

  private static let messages: [MessageKey] = [
    .group("g1", "m1"), .group("g1", "m2"), .group("g", "1m1"), .group("longer than a word", "m"),
  ]
  private static let reactions = ["👍", "❤️", "❤", ":a:", "text", "\u{FE0F}"].compactMap {
    try? Reaction(canonical: $0.utf8Span.span)
  }

  /// The next record's bytes, and its sequence.
  mutating func next(head: UInt64, _ sealer: Sealer) -> (bytes: [UInt8], sequence: UInt64) {
    let sequence = head + (chance(60) ? 2 : 1)
    let record = head == 0 && !chance(5) ? created() : record(at: sequence)
    var bytes: [UInt8] = []
    RecordFormat.encode(record, into: &bytes)
    bytes.append(u64: sealer.seal(bytes.span) ^ (chance(100) ? 1 : 0))
    if chance(100) { bytes[below(bytes.count)] ^= 1 << UInt8(below(8)) }
    previous = record
    return (bytes, sequence)
  }

  private mutating func created() -> Record {
    Record(
      recordedAt: Timestamp(microseconds: time), cause: .user, place: Record.Place(.create),
      user: 0,
      content: .created(ledger: LedgerID(high: 1, low: generator.next()), policy: .standard))
  }

  private mutating func record(at sequence: UInt64) -> Record {
    if let previous, previous.place.index + 1 < previous.place.count, !chance(8) {
      return continued(previous, at: sequence)
    }
    time += chance(50) ? -3 : Int64(below(3))
    if !isPopular, chance(40) { return notice() }
    var record = event(at: sequence)
    if chance(8) { record.place = Record.Place(.clearMessage, index: 0, count: 2 + below(2)) }
    if chance(40) { record.place.operation = pick([.add, .remove, .erase, .clearReaction]) }
    if chance(60) { record.place.count = 3 }
    if chance(60) { record.place.index = record.place.count - 1 }
    if chance(10) { record.clientTime = Timestamp(microseconds: Int64(below(9))) }
    if record.place.index == 0, chance(6) {
      record.commandID = CommandID(high: 1, low: UInt64(below(300)))
    }
    return valid(record)
  }

  /// The next record of a command, mostly as it should be.
  private mutating func continued(_ previous: Record, at sequence: UInt64) -> Record {
    var record = event(at: sequence, on: chance(9) ? nil : previous.message)
    record.place = previous.place
    record.place.index += chance(20) ? 0 : 1
    record.recordedAt = chance(20) ? record.recordedAt : previous.recordedAt
    record.clientTime = chance(20) ? nil : previous.clientTime
    record.cause = chance(20) ? pick(Cause.allCases) : previous.cause
    if !chance(20) { (record.actor, record.actorCommitment) = (previous.actor, nil) }
    if case .change(var change) = record.content, !chance(20) {
      change.parent = previous.parent
      record.content = .change(change)
    }
    return valid(record)
  }

  private mutating func notice() -> Record {
    let isErasure = userCount > 0 && chance(2)
    var record = Record(
      recordedAt: Timestamp(microseconds: time), cause: .user,
      place: Record.Place(isErasure ? .erase : .setPolicy), user: 0,
      content: .policyChanged(.standard))
    if isErasure {
      record.user = UserNumber(below(Int(userCount))) + 1
      record.content = .userErased
    } else if chance(3) {
      record.place.operation = .create
      record.content = .created(ledger: LedgerID(high: 2, low: 2), policy: .standard)
    }
    return record
  }

  private mutating func event(at sequence: UInt64, on wanted: MessageKey? = nil) -> Record {
    let message = wanted ?? pick(isPopular ? Array(Self.messages.prefix(1)) : Self.messages)
    var reaction = pick(isPopular ? Array(Self.reactions.prefix(2)) : Self.reactions)
    var user = UserNumber(below(isPopular ? 400 : 30)) + 1
    var kind = Record.Change.Kind.added
    let removable = live.indices.filter { live[$0].message == message }
    if !removable.isEmpty, chance(3) {
      let index = pick(removable)
      (reaction, user, kind) = (
        live[index].reaction, live[index].user, .removed(ends: live[index].add)
      )
      if !chance(9) { live.remove(at: index) }
      if chance(15) { kind = .removed(ends: sequence - 1 + UInt64(below(2))) }
      if chance(15) { user += 1 }
      if chance(15) { reaction = pick(Self.reactions) }
    } else {
      live.append((message, reaction, user, sequence))
    }
    let isAdded = kind == .added
    let previous = chance(40) ? UInt64(below(9)) : last[message] ?? 0
    last[message] = sequence
    var record = Record(
      recordedAt: Timestamp(microseconds: time), cause: chance(5) ? pick(Cause.allCases) : .user,
      place: Record.Place(isAdded ? .add : .remove), user: user,
      content: .change(
        Record.Change(
          kind, message: message, parent: chance(9) ? "p" : nil, reaction: reaction,
          previous: previous)))
    introduce(&record)
    return record
  }

  /// Gives new users the next number and a commitment, mostly.
  private mutating func introduce(_ record: inout Record) {
    if record.user > userCount, !chance(30) { record.user = userCount + 1 }
    if record.user > userCount || chance(90) {
      userCount = max(userCount, record.user)
      if !chance(40) { record.userCommitment = Commitment((generator.next(), 2, 3, 4)) }
    }
    guard chance(12), userCount > 1 else { return }
    record.actor = UserNumber(below(Int(userCount) + 1)) + 1
    if let actor = record.actor, actor > userCount {
      userCount = actor
      record.actorCommitment = Commitment((generator.next(), 3, 4, 5))
    }
  }

  /// The record, changed so that it has bytes at all.
  private func valid(_ wanted: Record) -> Record {
    var record = wanted
    if case .change(let change) = record.content {
      if change.kind == .added, record.place.operation != .add { record.place.operation = .add }
    }
    if record.actor == record.user { (record.actor, record.actorCommitment) = (nil, nil) }
    if record.actor == nil { record.actorCommitment = nil }
    if record.place.index >= record.place.count { record.place.index = record.place.count - 1 }
    if record.place.index > 0 { record.commandID = nil }
    return record
  }
}

extension Record {
  fileprivate var message: MessageKey? {
    if case .change(let change) = content { change.message } else { nil }
  }

  fileprivate var parent: MessageID? {
    if case .change(let change) = content { change.parent } else { nil }
  }
}
