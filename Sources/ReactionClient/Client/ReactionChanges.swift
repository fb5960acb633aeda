internal import LedgerEngine
internal import ReactionModel

/// The changes that a user is told, one command after the other, without end.
///
/// It is the ledger's feed as one client sees it: none is lost or repeated, however slow the reader
/// is. What listeners hear comes from it.
public struct ReactionChanges: AsyncSequence, Sendable {
  /// What the feed tells.
  public typealias Element = ReactionChange
  /// What it fails with.
  public typealias Failure = ReactionClientError

  let viewer: Viewer
  let start: Position

  /// Begins at the feed's position; several iterators do not disturb each other.
  public func makeAsyncIterator() -> Iterator {
    Iterator(viewer: viewer, feed: viewer.ledger.changes(after: start).makeAsyncIterator())
  }

  /// A reader of the feed.
  public struct Iterator: AsyncIteratorProtocol {
    /// A change of the ledger: what the user is told of it, if anything, and where it goes on.
    struct Step {
      let change: ReactionChange?
      let position: Position
    }

    let viewer: Viewer
    var feed: ChangeFeed.Iterator

    /// The next change that the user is told, once there is one; `nil` once the task is cancelled.
    ///
    /// Once it has thrown, go on with a new feed after the position of the last change.
    ///
    /// - Throws: ``ReactionClientError``: `storage`, for instance for a position of another history;
    ///   `directory`.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ReactionClientError) -> ReactionChange? {
      while let step = try await step() {
        if let change = step.change { return change }
      }
      return nil
    }

    /// The next change of the ledger, told or not.
    mutating func step(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ReactionClientError) -> Step? {
      let change: Change?
      do throws(LedgerError) {
        change = try await feed.next()
      } catch {
        throw ReactionClientError(error)
      }
      guard let change else { return nil }
      return Step(change: try await viewer.told(change), position: change.position)
    }
  }
}
