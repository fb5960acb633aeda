/// Rows of text in columns; the first column is flush left, the others flush right.
struct Table {
  private var rows: [[String]] = []

  init(_ heading: [String]) { rows.append(heading) }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, without spaces at their ends.
  var lines: [String] {
    let columnCount = rows.map(\.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - text.count)
        if column > 0 { line += "  " }
        line += column == 0 ? text + space : space + text
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

/// A number with as many digits as one reads: three or so.
func short(_ value: Double) -> String {
  let magnitude = abs(value)
  if magnitude >= 100 || magnitude == 0 { return "\(Int(value.rounded()))" }
  let scale: Double = magnitude >= 10 ? 10 : 100
  return "\((value * scale).rounded() / scale)"
}
