internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Runs the reducer over the log, in chunks that each have a snapshot of their own.
struct LogReplay {
  private(set) var reducer = Reducer()
  private(set) var findings: FindingList
  private let databases: Databases
  private let level: ReplayLevel
  private let sealer = Sealer()
  private var scratch: [UInt8] = []
  /// The last key that was read, whatever it was; empty before the first.
  private var lastKey: [UInt8] = []

  init(_ databases: Databases, level: ReplayLevel, findingLimit: Int) {
    self.databases = databases
    self.level = level
    findings = FindingList(limit: findingLimit)
  }

  /// Reduces the records that are there, at most `limit` of them.
  ///
  /// - Returns: Whether the end of the log was reached.
  mutating func feed(
    _ reads: borrowing ReadTransaction, limit: Int
  ) throws(LedgerError) -> Bool {
    var cursor = try reads.scan(databases.events)
    if !lastKey.isEmpty {
      // The log is never rewritten, so the last key is there, unless it was taken away by hand.
      let start = lastKey
      guard let row = try cursor.move(to: start.span) else { return true }
      if !UTF8Bytes.areEqual(row.key, start.span) { take(row) }
    }
    for _ in 0..<limit {
      guard let row = try cursor.step() else { return true }
      take(row)
    }
    return false
  }

  /// Notes the findings that only show at the end of the log.
  mutating func finish() { findings.add(reducer.finish()) }

  mutating func add(_ finding: Finding) { findings.add([finding]) }

  private mutating func take(_ row: Row) {
    let bytes = row.value
    lastKey.removeAll(keepingCapacity: true)
    lastKey.append(row.key)
    let sequence: UInt64
    do throws(CodecError) {
      sequence = try Keys.sequence(ofEvent: row.key)
    } catch {
      report(
        .gapless, "events after \(reducer.head)", "a key of 8 bytes", "\(row.key.count)", nil)
      return
    }
    let record: Record
    do throws(CodecError) {
      record = try RecordFormat.decode(bytes)
    } catch {
      report(.recordDecodes, "events \(sequence)", "a record", "\(error)", sequence)
      findings.add(reducer.skip(to: sequence))
      return
    }
    checkBytes(bytes, record, sequence)
    for finding in reducer.apply(record, at: sequence) where isWanted(finding.rule) {
      findings.add([finding])
    }
  }

  private mutating func checkBytes(_ bytes: Span<UInt8>, _ record: Record, _ sequence: UInt64) {
    let place = "events \(sequence)"
    scratch.removeAll(keepingCapacity: true)
    RecordFormat.encode(record, into: &scratch)
    let body = bytes.extracting(0..<bytes.count - RecordFormat.sealByteCount)
    if !UTF8Bytes.areEqual(scratch.span, body) {
      report(.recordCanonical, place, "the bytes that it encodes to", "others", sequence)
    }
    let (seal, found) = (sealer.seal(body), RecordFormat.seal(of: bytes) ?? 0)
    if seal != found { report(.seal, place, hexadecimal(seal), hexadecimal(found), sequence) }
    for reaction in Self.reactions(in: record) where !reaction.isCanonical {
      report(.canonicalReaction, place, "canonical form", "\(reaction)", sequence)
    }
  }

  private static func reactions(in record: Record) -> [Reaction] {
    switch record.content {
    case .change(let change): return [change.reaction]
    case .created(_, let policy), .policyChanged(let policy):
      if case .allowed(let reactions) = policy.validity { return reactions } else { return [] }
    case .userErased: return []
    }
  }

  private func isWanted(_ rule: Rule) -> Bool {
    level > .log || !rule.rawValue.hasPrefix("E")
  }

  private mutating func report(
    _ rule: Rule, _ place: String, _ expected: String, _ found: String, _ sequence: UInt64?
  ) {
    add(Finding(rule, place: place, expected: expected, found: found, sequence: sequence))
  }
}

/// Findings: all are counted, the first are kept.
struct FindingList {
  private(set) var count = 0
  private(set) var first: [Finding] = []
  let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ findings: [Finding]) {
    count += findings.count
    first += findings.prefix(max(0, limit - first.count))
  }
}

/// 16 hexadecimal digits.
func hexadecimal(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

extension MessageRow {
  /// The row that the log gives a message.
  init(_ message: Reducer.Message) {
    self.init(
      eventCount: message.eventCount, lastSequence: message.lastSequence,
      blocks: message.reactions.map { live in
        let isSpilled = live.isSpilled
        let kept = isSpilled ? live.reactors.prefix(RowFormat.previewCount) : live.reactors[...]
        return Block(
          reaction: live.reaction, opened: live.opened, count: live.reactors.count,
          isSpilled: isSpilled,
          entries: kept.map { Reactor(user: $0.user, sequence: $0.sequence) })
      })
  }
}

extension Reducer.LiveReaction {
  /// Whether its reactors are in `reactors` and `members`: it has had more than fit a row.
  var isSpilled: Bool { peak > RowFormat.inlineCapacity }
}
