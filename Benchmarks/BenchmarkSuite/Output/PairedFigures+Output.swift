import LedgerInterchange

extension PairedFigures {
  /// Ours beside the others', with the goal if there are goals; "!" where it is missed, or where
  /// theirs is better.
  func table(theirs: String) -> Table {
    let hasGoals = all.contains { $0.goal != nil }
    var table = Table(
      ["operation", "unit", "ours", theirs, "ratio"] + (hasGoals ? ["goal"] : []) + [" "])
    for figure in all {
      table.add(
        [
          figure.operation, figure.unit, short(median(figure.ours)), short(median(figure.theirs)),
          fixed(figure.ratio),
        ] + (hasGoals ? [figure.goal.map { fixed($0) } ?? ""] : []) + [figure.isReached ? "" : "!"])
    }
    return table
  }

  /// JSON lines.
  func write(to writer: inout JSONWriter, theirs: String) {
    for figure in all {
      writer.object { writer in
        writer.member("operation", figure.operation)
        writer.member("unit", figure.unit)
        writer.number("ours", median(figure.ours))
        writer.member("other", theirs)
        writer.number("theirs", median(figure.theirs))
        writer.number("ratio", figure.ratio)
        writer.number("goal", figure.goal)
      }
      writer.endLine()
    }
  }
}

/// A ratio with two decimals.
func fixed(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let rest = hundredths % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}
