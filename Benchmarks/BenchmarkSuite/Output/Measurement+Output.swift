import LedgerInterchange

extension Measurement {
  static let heading = [
    "benchmark", "", "ops", "ns each", "per second", "p50", "p99", "written", "file", "pages",
    "allocs", "per commit", "flush", "peak MB", "digest",
  ]

  /// A row of the table; the columns from "written" to "allocs" are for one operation.
  var row: [String] {
    func text(_ value: Double?) -> String { value.map { short($0) } ?? "" }
    return [
      name,
      labels.filter { $0.key != "events" && $0.key != "ids" }.map(\.value)
        .joined(separator: " "),
      "\(operationCount)", short(nanosecondsEach), short(perSecond), text(latencies?.p50),
      text(latencies?.p99), writtenByteCount > 0 ? short(each(writtenByteCount)) : "",
      text(fileByteCount.map { each($0) }), text(pageCount.map { each($0) }),
      text(allocationCount.map { each($0) }), text(eventsPerCommit), text(flushNanoseconds),
      text(peakMemoryByteCount.map { Double($0) / 1e6 }), digest?.text ?? "",
    ]
  }

  /// One line of JSON.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("benchmark", name)
      for label in labels { writer.member(label.key, label.value) }
      writer.member("operations", operationCount)
      writer.number("nanosecondsEach", nanosecondsEach)
      if let latencies {
        writer.object("latencyNanoseconds") { writer in
          writer.number("p50", latencies.p50)
          writer.number("p90", latencies.p90)
          writer.number("p99", latencies.p99)
          writer.number("worst", latencies.worst)
        }
      }
      writer.number("writtenBytesEach", each(writtenByteCount))
      writer.number("fileBytesEach", fileByteCount.map { each($0) })
      writer.member("pages", ifPresent: pageCount)
      writer.number("allocationsEach", allocationCount.map { each($0) })
      writer.number("libraryAllocationsEach", libraryAllocationCount.map { each($0) })
      writer.number("eventsPerCommit", eventsPerCommit)
      writer.number("flushNanoseconds", flushNanoseconds)
      writer.member("peakMemoryBytes", ifPresent: peakMemoryByteCount)
      writer.member("digest", ifPresent: digest?.text)
    }
    writer.endLine()
  }
}

extension JSONWriter {
  /// A number with at most three decimals; nothing if there is none.
  mutating func number(_ key: String, _ value: Double?) {
    guard let value, let number = JSONNumber((value * 1_000).rounded() / 1_000) else { return }
    self.key(key)
    self.value(number)
  }
}
