/// How often each reaction is on each message: for every message a list in order of appearance.
///
/// A reaction whose count falls to 0 leaves its message's list; if it comes back, it comes last.
/// Memory: 4 bytes for each message and 12 for the most list entries that there were at one time.
package struct MessageTallies: Sendable {
  private struct Entry {
    var count: UInt32
    /// The message's next entry, or the next free one; 0 is the end.
    var next: UInt32
    var reaction: UInt8
  }

  /// The entry of index 0 stands for none.
  private var entries = [Entry(count: 0, next: 0, reaction: 0)]
  private var firstFree: UInt32 = 0
  private var firstEntry: [UInt32] = []

  /// Makes tallies of no messages.
  package init() {}

  /// How many messages there are.
  package var messageCount: Int { firstEntry.count }

  /// Adds a message without reactions; its index is the count before.
  ///
  /// Complexity: O(1) on average.
  package mutating func appendMessage() { firstEntry.append(0) }

  /// How many distinct reactions a message has, and how many in all.
  ///
  /// Complexity: O(*d*) in the distinct ones.
  package func totals(of message: UInt32) -> (distinct: Int, total: Int) {
    var (distinct, total) = (0, 0)
    var index = firstEntry[Int(message)]
    while index != 0 {
      distinct += 1
      total += Int(entries[Int(index)].count)
      index = entries[Int(index)].next
    }
    return (distinct, total)
  }

  /// The reaction of a message's *n*-th one, counted along the list; `nil` if it has no more than
  /// *n*.
  ///
  /// Complexity: O(*d*) in the distinct ones.
  package func reaction(at position: Int, of message: UInt32) -> UInt8? {
    var rest = position
    var index = firstEntry[Int(message)]
    while index != 0 {
      let entry = entries[Int(index)]
      if rest < Int(entry.count) { return entry.reaction }
      rest -= Int(entry.count)
      index = entry.next
    }
    return nil
  }

  /// Counts a reaction of a message.
  ///
  /// Complexity: O(*d*) in the distinct ones.
  package mutating func increment(_ reaction: UInt8, of message: UInt32) {
    let (previous, index) = find(reaction, of: message)
    guard index == 0 else {
      entries[Int(index)].count += 1
      return
    }
    link(makeEntry(for: reaction), after: previous, of: message)
  }

  /// Takes one from a reaction of a message, which must have it; traps otherwise.
  ///
  /// Complexity: O(*d*) in the distinct ones.
  package mutating func decrement(_ reaction: UInt8, of message: UInt32) {
    let (previous, index) = find(reaction, of: message)
    precondition(index != 0, "the message does not have this reaction")
    entries[Int(index)].count -= 1
    guard entries[Int(index)].count == 0 else { return }
    link(entries[Int(index)].next, after: previous, of: message)
    entries[Int(index)].next = firstFree
    firstFree = index
  }

  /// The entry of a reaction and the one before it; 0 where there is none.
  private func find(_ reaction: UInt8, of message: UInt32) -> (previous: UInt32, index: UInt32) {
    var (previous, index): (UInt32, UInt32) = (0, firstEntry[Int(message)])
    while index != 0, entries[Int(index)].reaction != reaction {
      (previous, index) = (index, entries[Int(index)].next)
    }
    return (previous, index)
  }

  private mutating func link(_ index: UInt32, after previous: UInt32, of message: UInt32) {
    if previous == 0 {
      firstEntry[Int(message)] = index
    } else {
      entries[Int(previous)].next = index
    }
  }

  private mutating func makeEntry(for reaction: UInt8) -> UInt32 {
    let entry = Entry(count: 1, next: 0, reaction: reaction)
    guard firstFree != 0 else {
      entries.append(entry)
      return UInt32(entries.count - 1)
    }
    let index = firstFree
    firstFree = entries[Int(index)].next
    entries[Int(index)] = entry
    return index
  }
}
