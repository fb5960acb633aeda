internal import LMDB
internal import ReactionCodec
public import ReactionModel

/// Makes a ledger from the records of another one, taken as facts.
///
/// The new ledger has the same id, the very same record bytes and the same projections; old
/// positions stay valid. It is made in a folder beside its place and appears there, flushed, when
/// ``finish()`` returns; dropped before, it leaves nothing. For one thread at a time. Memory: 9 bytes
/// for each user, and one batch of records.
public struct LedgerRestoration: ~Copyable {
  private let environment: Environment
  private let databases: Databases
  private let batchCount: Int
  private var writer: FactWriter
  private var batch = RestoreBatch()
  private let folder: SideFolder

  /// The records of one transaction.
  private static let batchCount = 10_000

  /// Begins to restore.
  ///
  /// - Parameters:
  ///   - path: Where the ledger is to be; there must be nothing, or an empty folder.
  ///   - mapSizeBytes: The size of the map; `nil` asks for 256 GiB.
  /// - Throws: ``LedgerError``: `alreadyExists`, `cannotOpen`, `inUse` if another restoration to the
  ///   same place is under way.
  public init(at path: String, mapSizeBytes: Int? = nil) throws(LedgerError) {
    let folder = try SideFolder(for: path, named: ".restoring")
    var options = Environment.Options()
    options.mapSizeBytes = mapSizeBytes
    options.maximumDatabaseCount = Databases.count
    // Nothing is flushed until the end: a load that does not get there is thrown away.
    options.flags = [.noSync, .noReadAhead]
    let environment: Environment
    do throws(LMDBError) {
      environment = try Environment(path: folder.path, options: options)
    } catch {
      throw .cannotOpen(path: folder.path, reason: error)
    }
    let databases = try environment.write {
      (transaction: inout WriteTransaction) throws(LedgerError) -> Databases in
      do throws(LMDBError) {
        return try Databases(&transaction, .create)
      } catch {
        throw LedgerError(error)
      }
    }
    self.environment = environment
    self.databases = databases
    self.folder = folder
    batchCount = Self.batchCount
    writer = FactWriter(databases)
  }

  /// The sequence of the last record that was taken.
  public var head: UInt64 { writer.head + UInt64(batch.count) }

  /// Takes the next record.
  ///
  /// Records are checked and written in batches, so a record that is refused may show only at a
  /// later call or at ``finish()``; the error says which it was.
  ///
  /// - Parameter record: The record.
  /// - Throws: ``LedgerError/illegalRecord(_:)``, or what the storage throws. Then nothing can be
  ///   taken any more: drop the restoration.
  public mutating func append(_ record: LoggedRecord) throws(LedgerError) {
    do throws(CodecError) {
      try RecordFormat.verify(record.entry.record)
    } catch {
      // Those before it are judged first.
      try writeBatch()
      try writer.checkNext(record.entry.sequence)
      throw writer.noRecord(error, record.entry.sequence)
    }
    try append(RecordBytes(record))
  }

  /// Takes the next record as bytes; otherwise as the form for values.
  ///
  /// It allocates nothing for an event.
  ///
  /// - Parameter record: The record.
  /// - Throws: ``LedgerError/illegalRecord(_:)``, or what the storage throws.
  public mutating func append(_ record: borrowing RecordBytes) throws(LedgerError) {
    batch.append(record)
    if batch.count >= batchCount { try writeBatch() }
  }

  /// Flushes the new ledger and gives it its place.
  ///
  /// Durability point: on return the ledger is there, flushed.
  ///
  /// - Throws: ``LedgerError``: `incompleteLog` if the records end inside a command or there was
  ///   none, `illegalRecord`, or what the storage throws. There is no ledger then, unless only the
  ///   flush of the folder that it stands in failed.
  public consuming func finish() throws(LedgerError) {
    try writeBatch()
    guard writer.head > 0, writer.isComplete else { throw .incompleteLog(head: writer.head) }
    try writer.finish()
    do throws(LMDBError) {
      try environment.flush()
    } catch {
      throw LedgerError(error)
    }
    environment.close()
    try folder.publish()
  }

  private mutating func writeBatch() throws(LedgerError) {
    guard batch.count > 0 else { return }
    writer = try environment.writeGrowing {
      (transaction: inout WriteTransaction) throws(LedgerError) -> FactWriter in
      var attempt = writer
      for index in 0..<batch.count { try attempt.write(batch[index], &transaction) }
      let state = attempt.finalState(try Meta.state(transaction.reads, databases))
      try Meta.put(state, &transaction, databases)
      return attempt
    }
    batch.removeAll()
  }
}
