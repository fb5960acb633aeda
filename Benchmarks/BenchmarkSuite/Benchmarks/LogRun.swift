import LMDB
import LedgerEngine
import LedgerHash
import LedgerInterchange
import ReactionCodec
import ReactionModel

/// The log alone, without projections: what is left when all else is taken away from an append, and
/// from a replay.
enum LogRun {
  /// Appends the events' records, sealed, to a database of its own.
  static func append(
    _ bench: Bench, batchCount: Int = 1_000, sync: Sync, limit: Int? = nil, at path: String
  ) throws -> Measurement {
    let count = min(limit ?? bench.eventCount, bench.eventCount)
    var options = Environment.Options()
    options.flags = sync == .none ? .noSync : sync == .durable ? [] : .noMetaSync
    let environment = try Environment(path: path, options: options)
    defer { environment.close() }
    let database = try environment.write {
      (transaction: inout WriteTransaction) throws(LMDBError) in
      try transaction.openDatabase("events", .create)
    }
    var meter = Meter(bench.counters)
    let hash = SHA256()
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: count, by: batchCount) {
      let end = min(start + batchCount, count)
      let batch = try LogBatch(bench.workload, start..<end)
      try meter.measure { () throws(LMDBError) in
        try environment.write {
          (transaction: inout WriteTransaction) throws(LMDBError) in
          for (index, event) in batch.events.enumerated() {
            bytes.removeAll(keepingCapacity: true)
            batch.encode(event, into: &bytes)
            bytes.append(u64: hash.hash(prefix: 0, bytes.span).words.0)
            let key = Keys.event(UInt64(start + index + 1))
            try transaction.put(bytes.span, for: key.span, in: database, .append)
          }
        }
      }
    }
    return Measurement(
      "log",
      [.init(key: "batch", value: "\(batchCount)"), .init(key: "sync", value: sync.rawValue)],
      operations: count, meter)
  }

  /// How far a scan looks into each record.
  enum Depth: String, CaseIterable {
    case decode
    case seal
  }

  /// Reads the log of a closed ledger from end to end.
  static func scan(
    ledgerAt path: String, _ depth: Depth, _ counters: ProcessCounters
  ) throws -> Measurement {
    var (meter, digest, count) = (Meter(counters), Digest(), 0)
    switch depth {
    case .decode:
      let ledger = try Ledger.open(at: path)
      defer { ledger.close() }
      // Once before, as the floor does: what is measured is not the first touch of the pages.
      _ = try sums(ledger)
      let sums = try meter.measure { () throws in try self.sums(ledger) }
      count = sums.count
      digest.add(Int(truncatingIfNeeded: sums.sum))
    case .seal:
      let environment = try Environment(path: path)
      defer { environment.close() }
      let database = try environment.write {
        (transaction: inout WriteTransaction) throws(LMDBError) in
        try transaction.openDatabase("events")
      }
      let hash = SHA256()
      try meter.measure { () throws in
        try environment.read { (reads: borrowing ReadTransaction) throws(LMDBError) in
          var cursor = try Cursor(reads, in: database)
          while let row = try cursor.next() {
            count += 1
            digest.add(isSealed(row.value, hash) ? 1 : 0)
          }
        }
      }
    }
    var measurement = Measurement("scan.\(depth)", operations: count, meter)
    measurement.digest = digest
    return measurement
  }

  /// What is added up of every record, as the floor does: time, user, length of the message's id.
  private static func sums(_ ledger: Ledger) throws -> (count: Int, sum: UInt64) {
    var (count, sum): (Int, UInt64) = (0, 0)
    _ = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.scanLog(after: 0, limit: .max) { (_, record) throws(LedgerError) in
        count += 1
        sum &+= UInt64(bitPattern: record.recordedAt.microseconds) &+ UInt64(record.user)
      } event: { (event) throws(LedgerError) in
        count += 1
        sum &+= UInt64(bitPattern: event.recordedAt.microseconds) &+ UInt64(event.user)
        sum &+= UInt64(event.message.count)
      }
    }
    return (count, sum)
  }

  private static func isSealed(_ value: Span<UInt8>, _ hash: SHA256) -> Bool {
    guard let seal = RecordFormat.seal(of: value) else { return false }
    let body = value.extracting(0..<value.count - RecordFormat.sealByteCount)
    return hash.hash(prefix: 0, body).words.0 == seal
  }
}

/// Events as the writer has them: numbers, and ranges of one buffer of bytes.
private struct LogBatch {
  struct Event {
    let fields: EventFields
    let kind: Conversation.Kind
    let conversation: Range<Int>
    let message: Range<Int>
    let reaction: Range<Int>
  }

  private(set) var events: [Event] = []
  private var bytes: [UInt8] = []

  init(_ workload: Workload, _ range: Range<Int>) throws {
    for index in range {
      let event = workload.events[index]
      let key = workload.messageKey(event.message)
      let reaction = try Reaction(workload.reactionText(event.reaction))
      var fields = EventFields(
        recordedAt: event.time, cause: .user,
        place: Record.Place(event.kind == .add ? .add : .remove), clientTime: nil,
        user: event.user + 1, actor: nil, commandID: nil, userCommitment: nil,
        actorCommitment: nil)
      if event.kind == .remove { fields.ends = UInt64(index) }
      events.append(
        Event(
          fields: fields, kind: key.conversation.kind,
          conversation: append(key.conversation.id.text), message: append(key.message.text),
          reaction: append(reaction.text)))
    }
  }

  private mutating func append(_ text: String) -> Range<Int> {
    let start = bytes.count
    bytes += text.utf8
    return start..<bytes.count
  }

  func encode(_ event: Event, into record: inout [UInt8]) {
    RecordFormat.encode(
      event.fields, event.kind, conversation: bytes.span.extracting(event.conversation),
      message: bytes.span.extracting(event.message),
      reaction: bytes.span.extracting(event.reaction), parent: Span(), into: &record)
  }
}
