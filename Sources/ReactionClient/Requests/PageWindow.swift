internal import LedgerEngine
internal import ReactionModel

/// What a request has given: everything from one place in a list of reactions to another.
///
/// Reactions are only ever added at the end of the list, so nothing comes before its oldest one.
struct PageWindow: Hashable {
  /// A list of reactions, and how many of them make a page.
  struct List {
    let message: MessageKey
    let reaction: Reaction?
    let limit: Int
  }

  /// The newest that was given; `nil` before anything was.
  private var last: UInt64?
  /// A place at `last` or before it, where reading on begins: the ledger has no cursor for the end of
  /// a last page.
  private var anchor: PageCursor?
  /// The oldest that was given; `nil` if it is the oldest there is.
  private var before: PageCursor?

  /// Goes on to newer ones.
  mutating func next(
    _ list: List, _ snapshot: borrowing Snapshot
  ) throws(LedgerError) -> [LiveReaction] {
    let given = last ?? 0
    var found: [LiveReaction] = []
    while true {
      let page = try Self.page(.after(anchor), list, snapshot)
      let new = page.reactions.filter { $0.sequence > given }
      let taken = new.prefix(list.limit - found.count)
      found += taken
      if taken.count == new.count, let after = page.after { anchor = after }
      // Of at most a page all was given, so that this ends with the second or third one.
      if found.count == list.limit || page.after == nil { break }
    }
    if let newest = found.last { last = newest.sequence }
    return found
  }

  /// Goes on to older ones.
  mutating func previous(
    _ list: List, _ snapshot: borrowing Snapshot
  ) throws(LedgerError) -> [LiveReaction] {
    let isFresh = last == nil
    if !isFresh, before == nil { return [] }
    let page = try Self.page(.before(before), list, snapshot)
    before = page.before
    if isFresh {
      anchor = page.before
      last = page.reactions.last?.sequence
    }
    return page.reactions
  }

  private static func page(
    _ direction: PageDirection, _ list: List, _ snapshot: borrowing Snapshot
  ) throws(LedgerError) -> ReactionPage {
    try snapshot.reactions(on: list.message, of: list.reaction, direction, limit: list.limit)
  }
}
