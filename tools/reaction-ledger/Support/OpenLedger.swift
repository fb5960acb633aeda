import LedgerEngine
import ReactionModel

/// Runs `body` with the ledger at a path, only to read it, and closes it.
///
/// A ledger that this process may not write is opened so that not a byte of it is written; that it
/// is read without a lock then is said on standard error.
///
/// - Parameters:
///   - path: The ledger's folder.
///   - body: What to do.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or why the ledger cannot be opened.
func withLedgerToRead<R>(
  at path: String, _ body: (Ledger) throws(Failure) -> R
) throws(Failure) -> R {
  guard !Ledger.isWritable(at: path) else { return try withLedger(at: path, body) }
  var options = LedgerOptions()
  options.access = .readOnly
  return try withLedger(at: path, options: options) { (ledger) throws(Failure) in
    if !ledger.isLocked {
      StandardStreams.writeError(
        "reaction-ledger: \(path) cannot be written, so it is read without a lock: "
          .printable + "what is shown is right only if nobody writes it meanwhile\n")
    }
    return try body(ledger)
  }
}

/// Runs `body` with the ledger at a path, and closes it.
///
/// - Parameters:
///   - path: The ledger's folder.
///   - policy: The policy with which to make one if none is there; `nil` makes none.
///   - options: How to open it.
///   - body: What to do.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or why the ledger cannot be opened.
func withLedger<R>(
  at path: String, creating policy: Policy? = nil, options: LedgerOptions = LedgerOptions(),
  _ body: (Ledger) throws(Failure) -> R
) throws(Failure) -> R {
  let ledger: Ledger
  do throws(LedgerError) {
    ledger = try Ledger.open(at: path, creating: policy, options: options)
  } catch {
    throw Failure(error, at: path, isCreating: policy != nil)
  }
  defer { ledger.close() }
  return try body(ledger)
}

extension Ledger {
  /// Runs calls of the ledger; their errors become failures that name its folder.
  func attempt<R>(_ body: (Ledger) throws(LedgerError) -> R) throws(Failure) -> R {
    do throws(LedgerError) {
      return try body(self)
    } catch {
      throw Failure(error, at: path)
    }
  }

  /// Runs `body` with a snapshot; errors become failures that name the ledger's folder.
  func look<R>(
    _ body: (borrowing Snapshot) throws(LedgerError) -> R
  ) throws(Failure) -> R {
    try attempt { (ledger) throws(LedgerError) in try ledger.read(body) }
  }
}
