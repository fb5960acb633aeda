import Foundation
import LedgerInterchange

/// Counts as a file keeps them, with the workload that they belong to.
struct StoredCounts: Equatable {
  let eventCount: Int
  let seed: UInt64
  let figures: [CountFigure]

  /// JSON, a line for each figure.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    for figure in figures {
      writer.object { writer in
        writer.member("figure", figure.name)
        writer.number("stored", figure.value)
        switch figure.tolerance {
        case .amount(let amount): writer.number("tolerance", amount)
        case .percent(let percent): writer.number("tolerancePercent", percent)
        }
      }
      writer.endLine()
    }
    let lines = writer.bytes.dropLast().split(separator: UInt8(ascii: "\n"))
    let head = "{\"events\":\(eventCount),\"seed\":\(seed),\"forEachEvent\":[\n"
    return Array(head.utf8) + lines.joined(separator: Array(",\n".utf8)) + Array("\n]}\n".utf8)
  }

  init(eventCount: Int, seed: UInt64, figures: [CountFigure]) {
    self.eventCount = eventCount
    self.seed = seed
    self.figures = figures
  }

  /// Reads what ``bytes`` gives.
  ///
  /// - Throws: ``BenchError/program(_:)`` if it is anything else.
  init(_ bytes: [UInt8]) throws(BenchError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONParser.parse(bytes)
    } catch {
      throw .program("the stored counts are no JSON: \(error)")
    }
    guard let count = value["events"]?.int64, let seed = value["seed"]?.uint64,
      let list = value["forEachEvent"]?.array
    else { throw .program("the stored counts have no events, seed or figures") }
    var figures: [CountFigure] = []
    for entry in list {
      let tolerance =
        entry["tolerance"]?.double.map(Tolerance.amount)
        ?? entry["tolerancePercent"]?.double.map(Tolerance.percent)
      guard let name = entry["figure"]?.string, let stored = entry["stored"]?.double, let tolerance
      else { throw .program("a stored count lacks its name, value or tolerance") }
      figures.append(CountFigure(name, stored, tolerance))
    }
    self.init(eventCount: Int(count), seed: seed, figures: figures)
  }

  init(path: String) throws(BenchError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .program("\(path) cannot be read")
    }
    try self.init(Array(data))
  }
}
