internal import Glibc
internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Ledger {
  /// Opens the ledger in a folder, making one there first if a policy is given and none is there.
  ///
  /// - Parameters:
  ///   - path: The ledger's folder.
  ///   - policy: The policy of a new ledger; `nil` opens only what is there. A ledger that is there
  ///     keeps its own.
  ///   - options: How to open it.
  /// - Returns: The ledger.
  /// - Throws: ``LedgerError``: `notFound`, `notALedger`, `newerFormat`, `alreadyOpen`,
  ///   `cannotOpen`, `damaged`; `readOnly` if one must be made and may not be.
  public static func open(
    at path: String, creating policy: Policy? = nil, options: LedgerOptions = LedgerOptions()
  ) throws(LedgerError) -> Ledger {
    let place = Folder.look(at: path)
    try refuse(place, path)
    if place != .ledger, policy == nil { throw .notFound(path: path) }
    if options.access == .readOnly {
      guard place == .ledger else { throw .readOnly(path: path) }
      return try openToRead(path, options)
    }
    return try open(path, policy.map { .ifAbsent($0) } ?? .never, options)
  }

  /// Makes a new ledger in a folder that is not there or is empty.
  ///
  /// Durability point: on return the ledger, with its first record, is flushed.
  ///
  /// - Parameters:
  ///   - path: Where; its parent must be there.
  ///   - policy: The policy it begins with.
  ///   - options: How to open it.
  /// - Returns: The ledger, open.
  /// - Throws: ``LedgerError``: `alreadyExists`, `notALedger`, `cannotOpen`, `readOnly`.
  public static func create(
    at path: String, policy: Policy = .standard, options: LedgerOptions = LedgerOptions()
  ) throws(LedgerError) -> Ledger {
    try refuse(Folder.look(at: path), path)
    guard options.access == .readWrite else { throw .readOnly(path: path) }
    return try open(path, .always(policy), options)
  }

  /// Throws if what is at a path can be no ledger, or cannot be seen.
  private static func refuse(_ place: Folder, _ path: String) throws(LedgerError) {
    switch place {
    case .foreign(let reason): throw .notALedger(path: path, reason: reason)
    case .unreadable(let error): throw cannotOpen(path, error)
    case .absent, .empty, .ledger: break
    }
  }

  /// Whether a ledger is to be founded.
  enum Foundation {
    case never
    case ifAbsent(Policy)
    case always(Policy)

    var policy: Policy? {
      switch self {
      case .never: nil
      case .ifAbsent(let policy), .always(let policy): policy
      }
    }
  }

  private static func open(
    _ path: String, _ foundation: Foundation, _ options: LedgerOptions
  ) throws(LedgerError) -> Ledger {
    if foundation.policy != nil, unsafe mkdir(path, 0o755) != 0, errno != EEXIST {
      throw cannotOpen(path, LMDBError(.init(rawValue: errno), call: "mkdir"))
    }
    let isFounding = foundation.policy == nil ? false : try mustBeFounded(path)
    let lock: LedgerLock
    let environment: Environment
    do throws(LMDBError) {
      lock = try LedgerLock(folder: path)
      environment = try Environment(path: path, options: environmentOptions(options))
      // The first pages are flushed before there are others: what an interruption leaves is then an
      // empty file or none.
      if isFounding { try environment.flush() }
    } catch {
      throw cannotOpen(path, error)
    }
    let databases = try environment.write {
      (transaction: inout WriteTransaction) throws(LedgerError) -> Databases in
      try prepare(path, foundation, options, &transaction)
    }
    if foundation.policy != nil {
      do throws(LMDBError) {
        try Folder.flush(path)
        try Folder.flush(path + "/..")
      } catch {
        throw .storage(error)
      }
    }
    let id = try environment.read { (reads: borrowing ReadTransaction) throws(LedgerError) in
      try Meta.ledgerID(reads, databases)
    }
    return Ledger(
      path: path, id: id, lock: lock, environment: environment, databases: databases,
      options: options)
  }

  /// The databases of the ledger that is there, or of one that is founded now.
  ///
  /// All of a founding is one transaction, so a ledger that was not founded to its end has no
  /// database at all, and is founded by whoever comes next.
  static func prepare(
    _ path: String, _ foundation: Foundation, _ options: LedgerOptions,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Databases {
    let count = try handle(path) { () throws(LMDBError) in
      try transaction.reads.namedDatabaseCount()
    }
    if count == 0, let policy = foundation.policy {
      let databases = try handle(path) { () throws(LMDBError) in
        try Databases(&transaction, .create)
      }
      try Founding.write(policy, options, &transaction, databases)
      return databases
    }
    // First of all the format: a newer one may have other databases.
    let meta = try handle(path) { () throws(LMDBError) in try transaction.openDatabase("meta") }
    if case .always = foundation { throw .alreadyExists(path: path) }
    try Meta.requireFormat(transaction.reads, in: meta)
    return try handle(path) { () throws(LMDBError) in try Databases(&transaction, []) }
  }

  static func handle<R>(
    _ path: String, _ open: () throws(LMDBError) -> R
  ) throws(LedgerError) -> R {
    do throws(LMDBError) {
      return try open()
    } catch {
      guard error.code == .notFound || error.code == .incompatible else {
        throw cannotOpen(path, error)
      }
      throw .notALedger(path: path, reason: "its data file holds other databases")
    }
  }

  static func environmentOptions(_ options: LedgerOptions) -> Environment.Options {
    var result = Environment.Options()
    result.mapSizeBytes = options.mapSizeBytes
    result.maximumDatabaseCount = Databases.count
    result.maximumReaderCount = options.maximumReaderCount
    // With less durability too: the writer sees to that.
    result.flags = .noReadAhead
    return result
  }

  static func cannotOpen(_ path: String, _ error: LMDBError) -> LedgerError {
    switch error.code {
    case .alreadyOpenInProcess: .alreadyOpen(path: path)
    case .noSuchFile: .notFound(path: path)
    case .invalid: .notALedger(path: path, reason: "its data file is no LMDB file")
    case .versionMismatch:
      .notALedger(path: path, reason: "its data file is of another version of LMDB")
    case .truncated, .corrupted, .pageNotFound:
      .damaged(
        Finding(
          .gapless, place: "\(path)/data.mdb", expected: "every page that is in use",
          found: "\(error)"))
    default: .cannotOpen(path: path, reason: error)
    }
  }
}
