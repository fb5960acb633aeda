import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

@Suite("Workload: the generator's guarantees")
struct WorkloadGeneratorTests {
  private static func generated(_ count: Int, seed: UInt64) -> (
    events: [WorkloadEvent], generator: WorkloadGenerator
  ) {
    var generator = WorkloadGenerator(events: count, seed: seed)
    var events: [WorkloadEvent] = []
    while let event = generator.next() { events.append(event) }
    return (events, generator)
  }

  private struct Held: Hashable {
    let message: UInt32
    let user: UInt32
    let reaction: Int
  }

  @Test(
    "No duplicate adds, no removes of what is not there, at most 20 distinct, time never decreases",
    arguments: [42, 7, 1, 0, UInt64.max])
  func guarantees(seed: UInt64) {
    let (events, generator) = Self.generated(30_000, seed: seed)
    #expect(events.count == 30_000)
    var held: Set<Held> = []
    var counts: [UInt32: [Int: Int]] = [:]
    var (duplicates, absent, backwards, tooMany, early) = (0, 0, 0, 0, 0)
    var last = Timestamp(microseconds: 0)
    for event in events {
      let key = Held(message: event.message, user: event.user, reaction: event.reaction)
      switch event.kind {
      case .add:
        if !held.insert(key).inserted { duplicates += 1 }
        counts[event.message, default: [:]][event.reaction, default: 0] += 1
      case .remove:
        if held.remove(key) == nil { absent += 1 }
        let count = counts[event.message, default: [:]][event.reaction, default: 0]
        counts[event.message, default: [:]][event.reaction] = count == 1 ? nil : count - 1
      }
      if counts[event.message, default: [:]].count > 20 { tooMany += 1 }
      if event.time < last { backwards += 1 }
      last = event.time
      let message = generator.messages[Int(event.message)]
      if event.time.microseconds < Self.arrivalMicroseconds(of: message) { early += 1 }
    }
    #expect(duplicates == 0)
    #expect(absent == 0)
    #expect(backwards == 0)
    #expect(tooMany == 0)
    #expect(early == 0, "a reaction comes before its message")
    #expect(generator.liveCount == held.count)
  }

  /// A message's arrival, cut to milliseconds, from the number that it has.
  private static func arrivalMicroseconds(of message: WorkloadMessage) -> Int64 {
    1_750_000_000_000_000 + (Int64(message.number >> 22) - 330_000_000_000) * 1_000
  }

  @Test("Messages come in order, with unique numbers of 19 digits and their index in them")
  func messages() {
    let (_, generator) = Self.generated(5_000, seed: 42)
    let messages = generator.messages
    #expect(messages.count > 5_000)
    #expect(zip(messages, messages.dropFirst()).allSatisfy { $0.number < $1.number })
    for (index, message) in messages.enumerated() {
      #expect(message.number & 0x3f_ffff == UInt64(index))
      #expect(message.conversation < UInt32(WorkloadShape.conversationCount))
    }
  }

  @Test("A shorter workload is the beginning of a longer one", arguments: [0, 1, 2, 777, 5_000])
  func prefix(count: Int) {
    let (all, longer) = Self.generated(6_000, seed: 9)
    let (events, shorter) = Self.generated(count, seed: 9)
    #expect(events == Array(all.prefix(count)))
    #expect(shorter.messages == Array(longer.messages.prefix(shorter.messages.count)))
    #expect(shorter.producedCount == count && shorter.underestimatedCount == 0)
  }

  @Test("Seeds differ, equal seeds do not, and after the last event there is none")
  func seeds() {
    let (events, generator) = Self.generated(2_000, seed: 42)
    #expect(events == Array(WorkloadGenerator(events: 2_000)))
    #expect(events != Self.generated(2_000, seed: 43).events)
    var finished = generator
    #expect(finished.next() == nil)
    #expect(finished.next() == nil)
    #expect(finished.messages.count == generator.messages.count)
  }

  @Test("A loop over a generator leaves the generator as it was")
  func loopWorksOnCopy() {
    var generator = WorkloadGenerator(events: 300, seed: 5)
    var (first, count) = (WorkloadEvent?.none, 0)
    for event in generator {
      if count == 0 { first = event }
      count += 1
    }
    #expect(count == 300)
    #expect(generator.producedCount == 0 && generator.messages.isEmpty)
    #expect(generator.next() == first)
    #expect(generator.underestimatedCount == 299)
  }

  @Test("An event takes 24 bytes and a message 16")
  func sizes() {
    #expect(MemoryLayout<WorkloadEvent>.stride == 24)
    #expect(MemoryLayout<WorkloadMessage>.stride == 16)
    #expect(MemoryLayout<PendingAction>.stride == 24)
  }
}
