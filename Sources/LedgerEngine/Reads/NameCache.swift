internal import LMDB
internal import ReactionModel

/// The names of users by number, for reads: bounded, shared by all threads.
///
/// Numbers given early are those of busy users, so a table indexed by the low bits of the number
/// serves. Every erasure, by whichever process, starts a new epoch: names of an older epoch are
/// forgotten, and a snapshot older than the cache does not use it.
final class NameCache: Sendable {
  private struct Slot {
    var number: UserNumber
    var id: UserID
  }

  private struct Table {
    var epoch: UInt64 = 0
    var slots: [Slot?]
  }

  private let table: Monitor<Table>

  /// Makes a cache of at most `capacity` names.
  init(capacity: Int) {
    var count = 1
    while count * 2 <= capacity { count *= 2 }
    table = Monitor(Table(slots: Array(repeating: nil, count: count)))
  }

  /// The name of a number, if it is remembered from this epoch.
  func name(of number: UserNumber, epoch: UInt64) -> UserID? {
    table.withLock { table in
      guard table.epoch == epoch else { return nil }
      guard let slot = table.slots[Int(number) & (table.slots.count - 1)], slot.number == number
      else { return nil }
      return slot.id
    }
  }

  /// Remembers a name that was read in a snapshot of this epoch.
  func learn(_ id: UserID, of number: UserNumber, epoch: UInt64) {
    table.withLock { table in
      if epoch > table.epoch {
        table.slots = Array(repeating: nil, count: table.slots.count)
        table.epoch = epoch
      }
      guard epoch == table.epoch else { return }
      table.slots[Int(number) & (table.slots.count - 1)] = Slot(number: number, id: id)
    }
  }
}
