import Foundation
import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

/// The shape that is promised, measured on 200,000 events; the tolerances are some four standard
/// deviations wide where draws are independent.
@Suite("Workload: the shape")
struct WorkloadDistributionTests {
  private static let (events, generator): ([WorkloadEvent], WorkloadGenerator) = {
    var generator = WorkloadGenerator(events: 200_000, seed: 42)
    var events: [WorkloadEvent] = []
    while let event = generator.next() { events.append(event) }
    return (events, generator)
  }()

  private static let addCounts: [UInt32: Int] = {
    var counts: [UInt32: Int] = [:]
    for event in events where event.kind == .add { counts[event.message, default: 0] += 1 }
    return counts
  }()

  private static func isClose(_ value: Double, _ expected: Double, within tolerance: Double)
    -> Bool
  {
    abs(value - expected) <= tolerance
  }

  @Test("The counts are those of the C program")
  func counts() {
    #expect(Self.events.count == 200_000)
    #expect(Self.generator.messages.count == 271_595)
    #expect(Self.addCounts.count == 65_658)
    #expect(Self.addCounts.values.max() == 22_905)
  }

  @Test("Adds per message that has any: half have one, the 99th percentile is 13 or 14")
  func addsPerMessage() {
    let counts = Self.addCounts.values
    let touched = Double(counts.count)
    let one = Double(counts.count { $0 == 1 }) / touched
    let overSix = Double(counts.count { $0 > 6 }) / touched
    let over13 = Double(counts.count { $0 > 13 }) / touched
    #expect(Self.isClose(one, 0.49, within: 0.01), "\(one)")
    #expect(Self.isClose(overSix, 0.055, within: 0.005), "\(overSix)")
    #expect(Self.isClose(over13, 0.011, within: 0.002), "\(over13)")
    let percentile = counts.sorted()[Int(touched * 0.99)]
    #expect((12...14).contains(percentile), "\(percentile)")
    let share = touched / Double(Self.generator.messages.count)
    #expect(Self.isClose(share, 0.25, within: 0.01), "\(share)")
  }

  @Test("One message goes viral after 100,000 events, no other has more than some hundred")
  func viral() {
    let sorted = Self.addCounts.sorted { $0.value > $1.value }
    #expect(sorted[0].value > 20_000)
    #expect(sorted[1].value <= 320)
    let first = Self.events.firstIndex { $0.message == sorted[0].key } ?? 0
    #expect((100_000..<100_500).contains(first))
    // All users are equally likely there: the most active one has no part above the others.
    let users = Set(Self.events.filter { $0.message == sorted[0].key }.map(\.user))
    let seen = Double(sorted[0].value)
    let expected = 200_000 * (1 - pow(1 - 1 / 200_000.0, seen))
    #expect(Self.isClose(Double(users.count) / expected, 1, within: 0.02))
  }

  @Test("A tenth of the events are removes, some half a minute after the add")
  func removes() {
    let removes = Self.events.filter { $0.kind == .remove }
    let share = Double(removes.count) / Double(Self.events.count)
    #expect(Self.isClose(share, 0.1, within: 0.004), "\(share)")

    var added: [[Int]: Timestamp] = [:]
    var delays: [Double] = []
    for event in Self.events {
      let key = [Int(event.message), Int(event.user), event.reaction]
      if event.kind == .add {
        added[key] = event.time
      } else if let time = added[key] {
        delays.append(Double(event.time.microseconds - time.microseconds) / 1e6)
      }
    }
    #expect(delays.count == removes.count)
    let median = delays.sorted()[delays.count / 2]
    #expect(Self.isClose(median, 30, within: 1.5), "\(median)")
  }

  @Test("A further reaction joins one that is there with p = 0.8, or when it draws that anyway")
  func joins() {
    let weights = WorkloadShape.reactions.map { Double($0.weight) }
    let total = weights.reduce(0, +)
    let viral = Self.addCounts.max { $0.value < $1.value }?.key
    var counts: [UInt32: [Int: Int]] = [:]
    var (joined, expected, further, firsts) = (0.0, 0.0, 0, [Int](repeating: 0, count: 40))
    for event in Self.events where event.message != viral {
      var present = counts[event.message, default: [:]]
      let change = event.kind == .add ? 1 : -1
      if change == 1, present.isEmpty { firsts[event.reaction] += 1 }
      if change == 1, !present.isEmpty {
        further += 1
        if present[event.reaction] != nil { joined += 1 }
        expected += 0.8 + 0.2 * present.keys.reduce(0) { $0 + weights[$1] } / total
      }
      let count = present[event.reaction, default: 0] + change
      present[event.reaction] = count == 0 ? nil : count
      counts[event.message] = present
    }
    #expect(further > 50_000)
    let (share, due) = (joined / Double(further), expected / Double(further))
    #expect(Self.isClose(share, due, within: 0.008), "\(share), expected \(due)")
    // A first reaction is drawn by popularity.
    let firstCount = Double(firsts.reduce(0, +))
    for (reaction, weight) in weights.enumerated() {
      let (part, probability) = (Double(firsts[reaction]) / firstCount, weight / total)
      let tolerance = 4 * (probability * (1 - probability) / firstCount).squareRoot()
      #expect(Self.isClose(part, probability, within: tolerance), "reaction \(reaction): \(part)")
    }
  }

  @Test("Users and conversations follow Zipf's law")
  func zipf() {
    // First adds only: a later one is drawn again when the user has that reaction already, which
    // holds the most active users back.
    let viral = Self.addCounts.max { $0.value < $1.value }?.key
    var seen: Set<UInt32> = []
    let adds = Self.events.filter { $0.message != viral && seen.insert($0.message).inserted }
    let harmonic = (1...WorkloadShape.userCount).reduce(0) { $0 + 1 / Double($1) }
    for rank in 0..<3 {
      let user = UInt32(rank * 7919)
      let part = Double(adds.count { $0.user == user }) / Double(adds.count)
      let probability = 1 / Double(rank + 1) / harmonic
      let tolerance = 4 * (probability / Double(adds.count)).squareRoot()
      #expect(Self.isClose(part, probability, within: tolerance), "\(rank): \(part)")
    }
    #expect(Self.events.allSatisfy { $0.user < UInt32(WorkloadShape.userCount) })

    let messages = Self.generator.messages
    let sum = (1...WorkloadShape.conversationCount).reduce(0) { $0 + pow(Double($1), -0.9) }
    for index in 0..<3 {
      let count = messages.count { $0.conversation == UInt32(index) }
      let part = Double(count) / Double(messages.count)
      let probability = pow(Double(index + 1), -0.9) / sum
      #expect(Self.isClose(part, probability, within: 0.04 * probability), "\(index): \(part)")
    }
  }

  @Test("50 messages a second; a reaction comes after 90 s in the median, but for late ones")
  func times() {
    let messages = Self.generator.messages
    func seconds(_ message: WorkloadMessage) -> Double {
      Double(Int64(message.number >> 22) - 330_000_000_000) / 1e3
    }
    let duration = messages.last.map(seconds) ?? 0
    #expect(Self.isClose(Double(messages.count) / duration, 50, within: 0.5))

    // Of the messages of the first half, so that few reactions are still to come. Of theirs some
    // 2 in 100 are late ones, which move the median of 90 s to the 51st percentile: 93 s.
    let viral = Self.addCounts.max { $0.value < $1.value }?.key
    let delays = Self.events.compactMap { event -> Double? in
      let arrival = seconds(messages[Int(event.message)])
      guard event.kind == .add, event.message != viral, arrival < duration / 2 else { return nil }
      return Double(event.time.microseconds - 1_750_000_000_000_000) / 1e6 - arrival
    }
    let median = delays.sorted()[delays.count / 2]
    #expect(Self.isClose(median, 93, within: 2), "\(median)")
  }
}
