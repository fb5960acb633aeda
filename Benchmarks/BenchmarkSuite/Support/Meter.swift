import Foundation

/// Adds up what the measured parts of a benchmark cost, and leaves out what lies between them.
struct Meter {
  private(set) var nanoseconds: UInt64 = 0
  private(set) var allocationCount: UInt64?
  /// The duration of each part in nanoseconds, if asked for.
  private(set) var latencies: [UInt64] = []
  private let keepsLatencies: Bool
  private let counters: ProcessCounters
  private let writtenBefore = ProcessFigures.writtenByteCount

  /// Begins with nothing measured; bytes written count from here on, measured or not.
  init(_ counters: ProcessCounters, keepsLatencies: Bool = false) {
    self.counters = counters
    self.keepsLatencies = keepsLatencies
  }

  /// Runs a part and measures it.
  mutating func measure<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let allocationsBefore = counters.allocationCount()
    let start = Self.now
    let result = try body()
    add(Self.now - start, allocationsBefore)
    return result
  }

  /// Runs an asynchronous part and measures it.
  mutating func measure<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    let allocationsBefore = counters.allocationCount()
    let start = Self.now
    let result = try await body()
    add(Self.now - start, allocationsBefore)
    return result
  }

  private mutating func add(_ duration: UInt64, _ allocationsBefore: UInt64?) {
    nanoseconds += duration
    if keepsLatencies { latencies.append(duration) }
    guard let before = allocationsBefore, let after = counters.allocationCount() else { return }
    allocationCount = (allocationCount ?? 0) + (after - before)
  }

  /// The bytes that the process has given to write calls since the meter began.
  var writtenByteCount: Int { ProcessFigures.writtenByteCount - writtenBefore }

  /// Nanoseconds of a clock that only goes forward.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
