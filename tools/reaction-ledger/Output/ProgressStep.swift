/// How far a long piece of work is.
struct ProgressStep: Hashable, Sendable {
  /// What is being done, as "reading the log".
  let work: String
  /// How many items of it are done.
  let doneCount: Int
  /// How many there are; 0 if that is not known.
  let totalCount: Int

  /// Where it is, in words: "reading the log: 1,200,000 of 5,000,000".
  var place: String { "\(work): \(doneCount.grouped) of \(totalCount.grouped)" }

  /// The step in words, with its rate and how long the rest of this work will take at that rate.
  ///
  /// The rate is left out in the work's first half second, when it would only be noise.
  ///
  /// - Parameters:
  ///   - first: The first step of the same work that was seen.
  ///   - elapsed: How long ago that was.
  /// - Returns: A line as
  ///   "reading the log: 1,200,000 of 5,000,000 (24 %), 900,000/s, 4 s left".
  func line(since first: ProgressStep, _ elapsed: Duration) -> String {
    var line = place
    if totalCount > 0 {
      // Others may write meanwhile, so more may be done than there was when the total was told.
      let (shown, part) = (min(max(doneCount, 0), totalCount), totalCount)
      line += " (\(Int(Double(shown) * 100 / Double(part))) %)"
    }
    let seconds = elapsed / .seconds(1)
    guard seconds >= 0.5, doneCount > first.doneCount else { return line }
    let rate = Double(doneCount - first.doneCount) / seconds
    line += ", \(Self.rounded(rate).grouped)/s"
    guard totalCount > doneCount else { return line }
    return line + ", \(Self.words(seconds: Double(totalCount - doneCount) / rate)) left"
  }

  /// A rate with two digits that mean something.
  private static func rounded(_ rate: Double) -> Int {
    guard rate < Double(Int.max / 2) else { return Int.max / 2 }
    var (value, unit) = (Int(rate.rounded()), 1)
    while value / unit >= 100 { unit *= 10 }
    value = (value + unit / 2) / unit * unit
    return value
  }

  /// A time to wait, in at most two units: "4 s", "3 min 20 s", "2 h 5 min", "3 d 4 h".
  static func words(seconds: Double) -> String {
    let limit = 1000 * 86_400
    guard seconds < Double(limit) else { return "more than 1,000 d" }
    let count = Int(seconds.rounded(.up))
    let units = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    guard let index = units.firstIndex(where: { count >= $0.0 }) else { return "0 s" }
    let (size, name) = units[index]
    guard index + 1 < units.count, case let rest = count % size / units[index + 1].0, rest > 0
    else { return "\(count / size) \(name)" }
    return "\(count / size) \(name) \(rest) \(units[index + 1].1)"
  }
}

extension Int {
  /// The number in digits, in groups of three.
  var grouped: String {
    var text = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
