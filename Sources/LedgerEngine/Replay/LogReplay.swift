internal import LMDB
internal import ReactionCodec
package import ReactionModel

/// Reads the log into a reducer, in chunks that each have a snapshot of their own.
struct LogReplay<Reduction: LogReducer> {
  var reducer: Reduction
  private(set) var findings: FindingList
  private let databases: Databases
  private let level: ReplayLevel
  private let sealer = Sealer()
  /// The last key that was read, whatever it was; empty before the first.
  private var lastKey: [UInt8] = []
  /// What was read and not yet reduced; empty between chunks.
  private var window = RowWindow()

  init(_ databases: Databases, into reducer: Reduction, level: ReplayLevel, findingLimit: Int) {
    self.databases = databases
    self.reducer = reducer
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
      if !row.key.equals(start.span) { add(row) }
    }
    for index in 0..<limit {
      guard let row = try cursor.step() else {
        takeWindow()
        if let last = try cursor.end() { keep(last.key) }
        return true
      }
      add(row)
      if index == limit - 1 { keep(row.key) }
    }
    takeWindow()
    return false
  }

  /// Notes the findings that only show at the end of the log.
  mutating func finish() { findings.add(reducer.finish()) }

  mutating func add(_ finding: Finding) { findings.add([finding]) }

  private mutating func keep(_ key: Span<UInt8>) { lastKey = [UInt8](key) }

  private mutating func add(_ row: Row) {
    if window.isFull { takeWindow() }
    window.append(row.key, row.value)
  }

  private mutating func takeWindow() {
    // Out of the way while the reducer changes, and back again with its room.
    var rows = RowWindow()
    swap(&rows, &window)
    take(rows)
    rows.clear()
    swap(&rows, &window)
  }

  private mutating func take(_ rows: borrowing RowWindow) {
    reducer.prepare(rows)
    for index in 0..<rows.count { take(rows.key(index), rows.value(index)) }
  }

  private mutating func take(_ key: Span<UInt8>, _ value: Span<UInt8>) {
    let sequence: UInt64
    do throws(CodecError) {
      sequence = try Keys.sequence(ofEvent: key)
    } catch {
      return add(
        Finding(
          .gapless, place: "events after \(reducer.head)", expected: "a key of 8 bytes",
          found: "\(key.count)"))
    }
    reducer.take(value, at: sequence, sealer)
    if !reducer.findings.isEmpty { takeFindings() }
  }

  private mutating func takeFindings() {
    findings.add(
      reducer.findings.filter { level > .log || !$0.rule.rawValue.hasPrefix("E") })
    reducer.findings.removeAll()
  }
}

extension Environment {
  /// Takes a snapshot.
  func beginSnapshot() throws(LedgerError) -> ReadTransaction {
    do throws(LMDBError) {
      return try beginRead()
    } catch {
      throw LedgerError(error)
    }
  }
}

extension Ledger {
  /// Reads the log as it is now into a reducer, and nothing else; tests compare reducers with it.
  ///
  /// - Parameters:
  ///   - reducer: One before the first record.
  ///   - level: What is not noted below it, see ``ReplayLevel``.
  ///   - chunkCount: The records of one snapshot.
  /// - Returns: The reducer after the last record, and its findings, those of the end too.
  /// - Throws: ``LedgerError`` if the store cannot be read.
  package func reduceLog<Reduction: LogReducer>(
    into reducer: Reduction, level: ReplayLevel = .legality, chunkCount: Int = 10_000
  ) throws(LedgerError) -> (reducer: Reduction, findings: [Finding]) {
    var log = LogReplay(databases, into: reducer, level: level, findingLimit: .max)
    var isAtEnd = false
    while !isAtEnd {
      let reads = try environment.beginSnapshot()
      isAtEnd = try log.feed(reads, limit: chunkCount)
    }
    log.finish()
    return (log.reducer, log.findings.first)
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
