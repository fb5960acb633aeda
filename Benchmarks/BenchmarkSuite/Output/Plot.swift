import Foundation

/// Lines over an axis of amounts, drawn as SVG; both axes are logarithmic.
struct Plot {
  /// One line.
  struct Line {
    let name: String
    /// Only amounts above 0 are drawn.
    let points: [(x: Double, y: Double)]
  }

  let title: String
  let xLabel: String
  let yLabel: String
  let lines: [Line]

  private static let size = (width: 720.0, height: 420.0)
  private static let inset = (left: 80.0, right: 200.0, top: 56.0, bottom: 52.0)
  /// Told apart by people who see few colours, too.
  private static let colors = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
  ]

  /// The whole document.
  var svg: String {
    let size = Self.size
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(size.width)) \(Int(size.height))" \
      font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>

      """
    text += Self.label(title, x: Self.inset.left, y: 24, "font-size=\"15\" font-weight=\"bold\"")
    let points = lines.flatMap { $0.points.filter { $0.x > 0 && $0.y > 0 } }
    guard let x = Axis(points.map(\.x)), let y = Axis(points.map(\.y)) else {
      return text + Self.label("nothing was measured", x: Self.inset.left, y: 80) + "</svg>\n"
    }
    text += frame(x, y)
    for (index, line) in lines.enumerated() {
      text += draw(line, Self.colors[index % Self.colors.count], index, x, y)
    }
    return text + "</svg>\n"
  }

  private func place(_ x: Double, _ y: Double, _ xAxis: Axis, _ yAxis: Axis) -> (Double, Double) {
    let (size, inset) = (Self.size, Self.inset)
    let (width, height) = (
      size.width - inset.left - inset.right, size.height - inset.top - inset.bottom
    )
    return (
      inset.left + xAxis.share(x) * width, size.height - inset.bottom - yAxis.share(y) * height
    )
  }

  private func frame(_ x: Axis, _ y: Axis) -> String {
    let (size, inset) = (Self.size, Self.inset)
    let (right, bottom) = (size.width - inset.right, size.height - inset.bottom)
    var text = ""
    for tick in x.ticks {
      let place = place(tick, y.low, x, y).0
      text += Self.rule(place, inset.top, place, bottom)
      text += Self.label(Self.amount(tick), x: place, y: bottom + 16, "text-anchor=\"middle\"")
    }
    for tick in y.ticks {
      let place = place(x.low, tick, x, y).1
      text += Self.rule(inset.left, place, right, place)
      text += Self.label(Self.amount(tick), x: inset.left - 6, y: place + 4, "text-anchor=\"end\"")
    }
    text += Self.label(
      xLabel, x: (inset.left + right) / 2, y: size.height - 12, "text-anchor=\"middle\"")
    return text + Self.label(yLabel, x: 6, y: inset.top - 12)
  }

  private func draw(
    _ line: Line, _ color: String, _ index: Int, _ x: Axis, _ y: Axis
  ) -> String {
    let places = line.points.filter { $0.x > 0 && $0.y > 0 }.map { place($0.x, $0.y, x, y) }
    let path = places.map { "\(Self.digits($0.0)),\(Self.digits($0.1))" }.joined(separator: " ")
    var text =
      "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>\n"
    for place in places {
      text += "<circle cx=\"\(Self.digits(place.0))\" cy=\"\(Self.digits(place.1))\" r=\"3\" "
      text += "fill=\"\(color)\"/>\n"
    }
    return text
      + Self.label(
        line.name, x: Self.size.width - Self.inset.right + 10,
        y: Self.inset.top + 12 + Double(index) * 18, "fill=\"\(color)\"")
  }

  private static func rule(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double) -> String {
    "<line x1=\"\(digits(x))\" y1=\"\(digits(y))\" x2=\"\(digits(toX))\" y2=\"\(digits(toY))\" "
      + "stroke=\"#ccc\"/>\n"
  }

  private static func label(
    _ text: String, x: Double, y: Double, _ attributes: String = ""
  ) -> String {
    "<text x=\"\(digits(x))\" y=\"\(digits(y))\" \(attributes)>\(escaped(text))</text>\n"
  }

  private static func digits(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  /// What XML does not take as it is, written so that it does.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }

  /// 1000 as 1k, 1000000 as 1M.
  static func amount(_ value: Double) -> String {
    if value >= 1e6 { return "\(short(value / 1e6))M".replacing(".0M", with: "M") }
    if value >= 1e3 { return "\(short(value / 1e3))k".replacing(".0k", with: "k") }
    return short(value).replacing(".0", with: "")
  }
}

/// A logarithmic axis that begins and ends at powers of ten, or, where that leaves most of it empty,
/// at 1, 2 or 5 times such a power.
private struct Axis {
  let low: Double
  let high: Double
  let ticks: [Double]

  /// An axis for amounts above 0; `nil` if there are none.
  init?(_ amounts: [Double]) {
    guard let least = amounts.min(), let most = amounts.max() else { return nil }
    var steps: [Double] = []
    var power = 1e-6
    while power < 1e15 {
      steps += [power, 2 * power, 5 * power]
      power *= 10
    }
    // Room on both sides for amounts that are steps but for rounding.
    guard let first = steps.lastIndex(where: { $0 <= least * 1.000_001 }),
      let last = steps.firstIndex(where: { $0 >= most * 0.999_999 })
    else { return nil }
    let end = max(last, first + 1)
    guard end < steps.count else { return nil }
    (low, high) = (steps[first], steps[end])
    let within = Array(steps[first...end])
    ticks = within.count <= 8 ? within : within.filter { Self.isPowerOfTen($0) }
  }

  func share(_ amount: Double) -> Double { log(amount / low) / log(high / low) }

  private static func isPowerOfTen(_ value: Double) -> Bool {
    let exponent = log(value) / log(10)
    return abs(exponent - exponent.rounded()) < 1e-6
  }
}
