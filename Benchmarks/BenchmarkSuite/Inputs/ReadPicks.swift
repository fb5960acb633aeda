import LedgerInterchange
import ReactionModel

/// What the reading benchmarks ask for: messages of random events, so that popular ones are asked
/// for often, pages of the messages up to one of them, and the message with the most events.
///
/// All ids are made anew, in the order in which they are asked for: the workload's own tables shall
/// not be what is measured.
struct ReadPicks {
  /// Messages that follow each other in a conversation, and who looks at them.
  struct Page {
    let messages: [MessageKey]
    let viewer: UserID
  }

  let messages: [MessageKey]
  /// Who looks at each message.
  let viewers: [UserID]
  /// No page, if no conversation has as many messages.
  let pages: [Page]
  let hottest: MessageKey

  static let pageCount = 50

  /// Picks; the same workload gives the same picks.
  ///
  /// - Parameters:
  ///   - workload: At least one event.
  ///   - pickCount: How many messages to pick.
  ///   - pageCount: How many pages to pick.
  init(_ workload: Workload, pickCount: Int = 65_536, pageCount: Int = 2_048) {
    var random = WorkloadRandom(seed: 7)
    let events = workload.events
    let picked = (0..<pickCount).map { _ in
      events[Int(random.next() % UInt64(events.count))]
    }
    let names = workload.names
    messages = picked.map { names.messageKey(workload.messages[Int($0.message)]) }
    viewers = picked.map { names.userID($0.user) }
    let places = ConversationPlaces(workload)
    var pages: [Page] = []
    // A small workload may have no conversation that is long enough.
    for _ in 0..<pageCount * 1_000 where pages.count < pageCount {
      let event = events[Int(random.next() % UInt64(events.count))]
      guard let messages = places.page(endingWith: event.message, count: Self.pageCount) else {
        continue
      }
      pages.append(
        Page(
          messages: messages.map { names.messageKey(workload.messages[Int($0)]) },
          viewer: names.userID(event.user)))
    }
    self.pages = pages
    var (counts, hottest) = ([Int](repeating: 0, count: workload.messages.count), 0)
    for event in events {
      let message = Int(event.message)
      counts[message] += 1
      if counts[message] > counts[hottest] { hottest = message }
    }
    self.hottest = workload.messageKey(UInt32(hottest))
  }
}

/// The messages of each conversation in order of time.
private struct ConversationPlaces {
  private var starts: [Int]
  private var list: [UInt32]
  private var places: [Int]
  private let messages: [WorkloadMessage]

  init(_ workload: Workload) {
    messages = workload.messages
    var starts = [Int](repeating: 0, count: WorkloadShape.conversationCount + 1)
    for message in messages { starts[Int(message.conversation) + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var next = starts
    list = [UInt32](repeating: 0, count: messages.count)
    places = [Int](repeating: 0, count: messages.count)
    for (index, message) in messages.enumerated() {
      let place = next[Int(message.conversation)]
      next[Int(message.conversation)] += 1
      list[place] = UInt32(index)
      places[index] = place
    }
    self.starts = starts
  }

  /// A message and those before it in its conversation; `nil` if there are not so many.
  func page(endingWith message: UInt32, count: Int) -> ArraySlice<UInt32>? {
    let last = places[Int(message)]
    let first = starts[Int(messages[Int(message)].conversation)]
    guard last >= first + count else { return nil }
    return list[last - count + 1...last]
  }
}
