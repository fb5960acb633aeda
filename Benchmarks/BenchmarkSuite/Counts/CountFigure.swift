/// How far a count may be from the one that is stored.
enum Tolerance: Equatable {
  /// By so much.
  case amount(Double)
  /// By so many hundredths of what is stored.
  case percent(Double)

  /// The most that the count may differ from a stored one.
  func width(at stored: Double) -> Double {
    switch self {
    case .amount(let amount): amount
    case .percent(let percent): abs(stored) * percent / 100
    }
  }

  var text: String {
    switch self {
    case .amount(let amount): "\(amount)"
    case .percent(let percent): "\(percent) %"
    }
  }
}

/// Something that is counted and not timed, so that it is the same on every machine: less is better.
struct CountFigure: Equatable {
  let name: String
  let value: Double
  let tolerance: Tolerance

  /// Rounds to thousandths, as files have it.
  init(_ name: String, _ value: Double, _ tolerance: Tolerance) {
    self.name = name
    self.value = (value * 1_000).rounded() / 1_000
    self.tolerance = tolerance
  }
}

/// A figure beside the one that is stored.
struct CountComparison: Equatable {
  /// What the comparison comes to.
  enum Verdict: String, CaseIterable {
    case ok
    /// Not a failure, but what is stored would let it become worse again unseen.
    case better
    case worse = "FAILED"
    /// Nothing is stored under this name.
    case notStored = "FAILED: not stored"
    /// What is stored was not counted.
    case notFound = "FAILED: not counted"

    var isFailure: Bool { self != .ok && self != .better }
  }

  let name: String
  let stored: Double?
  let found: Double?
  let tolerance: Tolerance

  var verdict: Verdict {
    guard let stored else { return .notStored }
    guard let found else { return .notFound }
    let width = tolerance.width(at: stored)
    return found > stored + width ? .worse : found < stored - width ? .better : .ok
  }

  /// Compares all figures; the tolerances are those that are stored.
  static func all(found: [CountFigure], stored: [CountFigure]) -> [CountComparison] {
    let compared = found.map { figure in
      let old = stored.first { $0.name == figure.name }
      return CountComparison(
        name: figure.name, stored: old?.value, found: figure.value,
        tolerance: old?.tolerance ?? figure.tolerance)
    }
    let missing = stored.filter { old in !found.contains { $0.name == old.name } }
    return compared
      + missing.map {
        CountComparison(name: $0.name, stored: $0.value, found: nil, tolerance: $0.tolerance)
      }
  }

  static func table(_ comparisons: [CountComparison]) -> Table {
    var table = Table(["for each event", "stored", "found", "tolerance", ""])
    for comparison in comparisons {
      table.add([
        comparison.name, comparison.stored.map { "\($0)" } ?? "",
        comparison.found.map { "\($0)" } ?? "", comparison.tolerance.text,
        comparison.verdict.rawValue,
      ])
    }
    return table
  }
}
