/// What one benchmark cost.
struct Measurement {
  /// A word that says under which circumstances it was taken.
  struct Label: Equatable {
    let key: String
    let value: String
  }

  /// Durations below which a share of the operations stayed, in nanoseconds.
  struct Latencies {
    let p50: Double
    let p90: Double
    let p99: Double
    let worst: Double
  }

  var name: String
  var labels: [Label] = []
  let operationCount: Int
  let nanoseconds: Double
  var writtenByteCount = 0
  /// By all but LMDB and OpenSSL.
  var allocationCount: UInt64?
  /// By these two.
  var libraryAllocationCount: UInt64?
  var fileByteCount: Int?
  var pageCount: Int?
  var peakMemoryByteCount: Int?
  var latencies: Latencies?
  /// Events that went into one commit, on the average.
  var eventsPerCommit: Double?
  /// What a flush of the disk took just before, in nanoseconds; where the figure rests on it.
  var flushNanoseconds: Double?
  /// A digest of the result.
  var digest: Digest?

  init(_ name: String, _ labels: [Label] = [], operations: Int, nanoseconds: Double) {
    self.name = name
    self.labels = labels
    operationCount = operations
    self.nanoseconds = nanoseconds
  }

  /// Takes over what a meter has measured.
  init(_ name: String, _ labels: [Label] = [], operations: Int, _ meter: Meter) {
    self.init(
      name, labels, operations: operations, nanoseconds: Double(meter.nanoseconds))
    writtenByteCount = meter.writtenByteCount
    allocationCount = meter.allocationCount
    libraryAllocationCount = meter.libraryAllocationCount
    latencies = Latencies(meter.latencies)
  }

  var nanosecondsEach: Double { nanoseconds / Double(max(1, operationCount)) }
  var perSecond: Double { nanoseconds > 0 ? Double(operationCount) / nanoseconds * 1e9 : 0 }

  /// A count's share of one operation.
  func each(_ count: some BinaryInteger) -> Double {
    Double(count) / Double(max(1, operationCount))
  }

  /// The value of a label.
  func label(_ key: String) -> String? { labels.first { $0.key == key }?.value }
}

extension Measurement.Latencies {
  /// Of durations; `nil` if there are none.
  init?(_ durations: [UInt64]) {
    guard let last = durations.max() else { return nil }
    let sorted = durations.sorted()
    func quantile(_ share: Double) -> Double {
      Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
    }
    self.init(
      p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), worst: Double(last))
  }
}

/// The value in the middle; 0 if there is none.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
