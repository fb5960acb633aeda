import Foundation

/// Adds up what the measured parts of a benchmark cost, and leaves out what lies between them.
struct Meter {
  private(set) var nanoseconds: UInt64 = 0
  private(set) var allocationCount: UInt64?
  private(set) var libraryAllocationCount: UInt64?
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
    let before = allocations
    let start = Self.now
    let result = try body()
    add(Self.now - start, since: before)
    return result
  }

  /// Runs an asynchronous part and measures it.
  mutating func measure<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    let before = allocations
    let start = Self.now
    let result = try await body()
    add(Self.now - start, since: before)
    return result
  }

  private var allocations: (own: UInt64?, libraries: UInt64?) {
    (counters.allocationCount(), counters.libraryAllocationCount())
  }

  private mutating func add(
    _ duration: UInt64, since before: (own: UInt64?, libraries: UInt64?)
  ) {
    let after = allocations
    nanoseconds += duration
    if keepsLatencies { latencies.append(duration) }
    Self.add(from: before.own, to: after.own, &allocationCount)
    Self.add(from: before.libraries, to: after.libraries, &libraryAllocationCount)
  }

  private static func add(from before: UInt64?, to after: UInt64?, _ sum: inout UInt64?) {
    guard let before, let after else { return }
    sum = (sum ?? 0) + (after - before)
  }

  /// The bytes that the process has given to write calls since the meter began.
  var writtenByteCount: Int { ProcessFigures.writtenByteCount - writtenBefore }

  /// Nanoseconds of a clock that only goes forward.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
