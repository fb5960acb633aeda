internal import LMDB
internal import ReactionCodec
public import ReactionModel

/// The user who asks, looked up once for many reads.
///
/// A host makes one with ``Ledger/viewer(_:)`` when somebody signs in and passes it to reads in
/// place of the id: each of them then saves one look-up. It is never wrong: when users were erased
/// since, in another ledger, and for a user who was unknown, the read looks the id up as ever.
public struct Viewer: Hashable, Sendable {
  /// The user.
  public let id: UserID
  /// The user's number, if there was one.
  let number: UserNumber?
  /// The erasures there had been.
  let epoch: UInt64
  /// Where the number was found: a ledger that is open.
  let database: Database
}

extension Snapshot {
  /// A user who asks, to be passed to several reads of this and of later snapshots.
  ///
  /// Complexity: one get.
  ///
  /// - Parameter id: The user, who need not be known.
  /// - Returns: The user with what reads need to know.
  /// - Throws: ``LedgerError``.
  public func viewer(_ id: UserID) throws(LedgerError) -> Viewer {
    Viewer(
      id: id, number: try number(of: id), epoch: meta.eraseEpoch, database: databases.userNumbers)
  }

  /// The number of the user who asks, if the ledger knows one of this id.
  func number(of viewer: Viewer) throws(LedgerError) -> UserNumber? {
    if let number = viewer.number, viewer.epoch == meta.eraseEpoch,
      viewer.database == databases.userNumbers
    {
      return number
    }
    return try number(of: viewer.id)
  }
}

extension Ledger {
  /// A user who asks, to be passed to many reads; ``Snapshot/viewer(_:)`` on a snapshot of its own.
  ///
  /// - Parameter id: The user, who need not be known.
  /// - Returns: The user with what reads need to know.
  /// - Throws: ``LedgerError``.
  public func viewer(_ id: UserID) throws(LedgerError) -> Viewer {
    try read { (snapshot) throws(LedgerError) in try snapshot.viewer(id) }
  }
}
