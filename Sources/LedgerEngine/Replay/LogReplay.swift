internal import LMDB
internal import LedgerHash
internal import ReactionCodec
package import ReactionModel

/// Reads the log into a reducer, in chunks that each have a snapshot of their own.
struct LogReplay<Reduction: LogReducer> {
  var reducer: Reduction
  private(set) var findings: FindingList
  /// The tree of the records, if it is made.
  var tree: LogTree?
  /// How many rows of `events` were read.
  private(set) var rowCount = 0
  /// The most bytes that the tables had since this was last set to 0.
  var peakByteCount = 0
  private let databases: Databases
  private let level: ReplayLevel
  /// The most bytes that the tables may have.
  private let memoryLimit: Int
  private let sealer = Sealer()
  /// The last key that was read, whatever it was; empty before the first.
  private var lastKey: [UInt8] = []
  /// What was read and not yet reduced; empty between chunks.
  private var window = RowWindow()

  init(
    _ databases: Databases, into reducer: Reduction, level: ReplayLevel, findingLimit: Int,
    memoryLimit: Int = .max
  ) {
    self.databases = databases
    self.reducer = reducer
    self.level = level
    self.memoryLimit = memoryLimit
    findings = FindingList(limit: findingLimit)
  }

  /// Reduces the records that are there, at most `limit` of them.
  ///
  /// - Returns: Whether the end of the log was reached.
  /// - Throws: ``LedgerError/memoryLimitTooSmall(limit:needed:)`` if the tables would outgrow it.
  mutating func feed(
    _ reads: borrowing ReadTransaction, limit: Int
  ) throws(LedgerError) -> Bool {
    var cursor = try reads.scan(databases.events)
    if !lastKey.isEmpty {
      // The log is never rewritten, so the last key is there, unless it was taken away by hand.
      let start = lastKey
      guard let row = try cursor.move(to: start.span) else { return true }
      if !row.key.equals(start.span) { try add(row) }
    }
    for index in 0..<limit {
      guard let row = try cursor.step() else {
        try takeWindow()
        if let last = try cursor.end() { keep(last.key) }
        return true
      }
      try add(row)
      if index == limit - 1 { keep(row.key) }
    }
    try takeWindow()
    return false
  }

  /// Notes the findings that only show at the end of the log.
  mutating func finish() {
    guard reducer.isPrimary else { return }
    for finding in reducer.finish() { add(finding, at: FindingPlace(.logEnd)) }
  }

  /// Notes a finding, unless the level leaves its rule out.
  mutating func add(_ finding: Finding, at place: FindingPlace) {
    if level > .log || !finding.rule.isOfLegality { findings.add(finding, at: place) }
  }

  private mutating func keep(_ key: Span<UInt8>) { lastKey = [UInt8](key) }

  private mutating func add(_ row: Row) throws(LedgerError) {
    rowCount &+= 1
    guard reducer.needs(row.value) else { return }
    if window.isFull { try takeWindow() }
    window.append(row.key, row.value)
  }

  private mutating func takeWindow() throws(LedgerError) {
    guard window.count > 0 else { return }
    let treeByteCount = tree?.byteCount ?? 0
    let room = reducer.makeRoom(for: window, within: memoryLimit - treeByteCount)
    peakByteCount = max(peakByteCount, room.peakByteCount + treeByteCount)
    if room.isExceeded {
      throw .memoryLimitTooSmall(
        limit: memoryLimit, needed: room.peakByteCount + treeByteCount)
    }
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
      guard reducer.isPrimary else { return }
      return add(
        Finding(
          .gapless, place: "events after \(reducer.head)", expected: "a key of 8 bytes",
          found: "\(key.count)"), at: FindingPlace(.log, [UInt8](key)))
    }
    if reducer.isPrimary {
      let leaf = sealer.leaf(of: value)
      tree?.append(leaf)
      reducer.take(value, at: sequence, leaf: leaf)
    } else {
      reducer.take(value, at: sequence, leaf: SHA256.emptyRoot)
    }
    if !reducer.findings.isEmpty { takeFindings(sequence) }
  }

  private mutating func takeFindings(_ sequence: UInt64) {
    for finding in reducer.findings { add(finding, at: FindingPlace(finding.rule, sequence)) }
    reducer.findings.removeAll()
  }
}

extension LogReplay<FlatReducer> {
  /// Takes room for the tables beforehand.
  mutating func reserve(_ counts: ReplayCounts) { reducer.reserve(counts, within: memoryLimit) }
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

/// 16 hexadecimal digits.
func hexadecimal(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
