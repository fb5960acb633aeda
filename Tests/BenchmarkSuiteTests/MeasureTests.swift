import LedgerTestSupport
import Synchronization
import Testing

@testable import BenchmarkSuite

/// How figures are made.
struct MeasureTests {
  @Test func medians() {
    #expect(median([]) == 0)
    #expect(median([3, 1, 2]) == 2)
    #expect(median([4, 1, 2, 3]) == 2.5)
  }

  @Test func latencies() throws {
    #expect(Measurement.Latencies([]) == nil)
    let latencies = try #require(Measurement.Latencies((1...1_000).reversed()))
    #expect(latencies.p50 == 501 && latencies.p90 == 901)
    #expect(latencies.p99 == 991 && latencies.worst == 1_000)
  }

  /// Only what is measured counts.
  @Test func meter() {
    let count = Counter()
    var meter = Meter(
      ProcessCounters(allocationCount: { count.next() }, skipFlushes: nil), keepsLatencies: true)
    for _ in 0..<3 { meter.measure { () throws(Never) in _ = count.next() } }
    #expect(meter.allocationCount == 6)
    #expect(meter.latencies.count == 3)
    #expect(meter.nanoseconds == meter.latencies.reduce(0, +))
  }

  @Test func flush() throws {
    let folder = try TemporaryFolder()
    #expect(try DiskFlush.nanoseconds(in: folder.path, count: 3) > 0)
    #expect(throws: BenchError.self) {
      try DiskFlush.nanoseconds(in: folder.file("absent"), count: 1)
    }
  }

  @Test(arguments: [
    (0, "0"), (1, "1.0"), (2.345, "2.35"), (45.67, "45.7"), (456.7, "457"), (1e7, "10000000"),
  ])
  func shortNumbers(_ value: Double, _ text: String) { #expect(short(value) == text) }

  @Test(arguments: [(0, "0.00"), (0.999, "1.00"), (1.05, "1.05"), (12.3, "12.30")])
  func fixedNumbers(_ value: Double, _ text: String) { #expect(fixed(value) == text) }

  @Test func table() {
    var table = Table(["a", "bb", ""])
    table.add(["long", "1", ""])
    #expect(table.lines == ["a     bb", "long   1"])
  }
}

/// Counts its calls.
private final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)

  func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
