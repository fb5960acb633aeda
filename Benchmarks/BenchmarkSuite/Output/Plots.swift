import Foundation

/// The plots of a run, as files of a folder.
enum Plots {
  /// Writes those for which something was measured.
  ///
  /// - Parameters:
  ///   - measurements: What was measured.
  ///   - folder: A folder; it is made if it is not there.
  /// - Throws: What the system says of a folder or file that cannot be written.
  static func write(_ measurements: [Measurement], to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, plot) in all(measurements) {
      try Data(plot.svg.utf8).write(to: URL(filePath: "\(folder)/\(name).svg"))
    }
  }

  static func all(_ measurements: [Measurement]) -> [(name: String, plot: Plot)] {
    let plots = [
      ("throughput", throughput(measurements)), ("latency", latency(measurements)),
      ("callers", callers(measurements)), ("size", size(measurements)),
      ("memory", memory(measurements)),
    ]
    return plots.filter { !$0.1.lines.isEmpty }
  }

  /// The words that stand for a size, where there are several.
  private static func suffix(_ events: String, _ measurements: [Measurement]) -> String {
    let sizes = Set(measurements.compactMap { $0.label("events") })
    return sizes.count > 1 ? ", \(Double(events).map { Plot.amount($0) } ?? events)" : ""
  }

  /// Lines by a name that a function gives, over a label that is a number.
  private static func lines(
    _ measurements: [Measurement], over label: String,
    _ lineAndHeight: (Measurement) -> (String, Double)
  ) -> [Plot.Line] {
    var names: [String] = []
    var points: [String: [(x: Double, y: Double)]] = [:]
    for measurement in measurements {
      guard let x = measurement.label(label).flatMap({ Double($0) }) else { continue }
      let (name, y) = lineAndHeight(measurement)
      if points[name] == nil { names.append(name) }
      points[name, default: []].append((x, y))
    }
    return names.map { Plot.Line(name: $0, points: points[$0, default: []]) }
  }

  private static func throughput(_ all: [Measurement]) -> Plot {
    let batches = all.filter { $0.name == "batches" }
    return Plot(
      title: "Appending, one caller", xLabel: "events in a batch", yLabel: "events a second",
      lines: lines(batches, over: "batch") { measurement in
        let suffix = suffix(measurement.label("events") ?? "", batches)
        return ((measurement.label("sync") ?? "") + suffix, measurement.perSecond)
      })
  }

  private static func latency(_ all: [Measurement]) -> Plot {
    let durable = all.filter { $0.name == "batches" && $0.label("sync") == Sync.durable.rawValue }
    let largest = durable.compactMap { $0.label("events").flatMap { Int($0) } }.max()
    let batches = durable.filter { $0.label("events").flatMap { Int($0) } == largest }
    let quantiles: [(String, (Measurement.Latencies) -> Double)] = [
      ("p50", { $0.p50 }), ("p90", { $0.p90 }), ("p99", { $0.p99 }), ("worst", { $0.worst }),
    ]
    return Plot(
      title: "Waiting for a durable append, one caller", xLabel: "events in a batch",
      yLabel: "microseconds",
      lines: quantiles.flatMap { name, quantile in
        lines(batches, over: "batch") { ($0.name, ($0.latencies.map(quantile) ?? 0) / 1_000) }
          .map { Plot.Line(name: name, points: $0.points) }
      })
  }

  private static func callers(_ all: [Measurement]) -> Plot {
    let callers = all.filter { $0.name == "callers" }
    return Plot(
      title: "Durable appends of one event each", xLabel: "callers at a time",
      yLabel: "events a second",
      lines: lines(callers, over: "callers") { measurement in
        ("durable" + suffix(measurement.label("events") ?? "", callers), measurement.perSecond)
      })
  }

  private static func size(_ all: [Measurement]) -> Plot {
    let names = ["append", "replay", "rebuild", "export", "restore", "import", "summary", "page"]
    let chosen = all.filter { names.contains($0.name) }
    let isSeries = Set(chosen.compactMap { $0.label("events") }).count > 1
    return Plot(
      title: "Cost by size", xLabel: "events in the ledger", yLabel: "nanoseconds each",
      lines: isSeries ? lines(chosen, over: "events") { ($0.name, $0.nanosecondsEach) } : [])
  }

  private static func memory(_ all: [Measurement]) -> Plot {
    let chosen = all.filter { $0.peakMemoryByteCount != nil }
    let isSeries = Set(chosen.compactMap { $0.label("events") }).count > 1
    return Plot(
      title: "The most memory, pages of the file among it", xLabel: "events in the ledger",
      yLabel: "megabytes",
      lines: isSeries
        ? lines(chosen, over: "events") { ($0.name, Double($0.peakMemoryByteCount ?? 0) / 1e6) }
        : [])
  }
}
