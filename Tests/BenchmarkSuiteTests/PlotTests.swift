import Testing

@testable import BenchmarkSuite

/// That plots are SVG, whatever was measured.
struct PlotTests {
  @Test func check() throws {
    #expect(XMLCheck("<a b=\"1\"><c/>x &amp; y</a>\n")?.elementCounts == ["a": 1, "c": 1])
    for text in ["<a>", "<a></b>", "<a b=1/>", "<a>&</a>", "<a/><a/>", "x<a/>", "<a b=\"<\"/>"] {
      #expect(XMLCheck(text) == nil, "\(text)")
    }
  }

  @Test func lines() throws {
    let plot = Plot(
      title: "a < b & \"c\"", xLabel: "x", yLabel: "y",
      lines: [
        Plot.Line(name: "one", points: [(1, 10), (10, 1_000), (10_000, 3_500_000)]),
        Plot.Line(name: "two", points: [(1, 5), (100, 0)]),
      ])
    let counts = try #require(XMLCheck(plot.svg)).elementCounts
    #expect(counts["polyline"] == 2)
    // What is 0 has no place on a logarithmic axis.
    #expect(counts["circle"] == 4)
    #expect(plot.svg.contains("a &lt; b &amp; &quot;c&quot;"))
  }

  @Test(arguments: [[], [(x: 1.0, y: 1.0)], [(x: 0.0, y: 5.0)], [(x: 7.0, y: 3e14)]])
  func fewPoints(_ points: [(x: Double, y: Double)]) throws {
    let plot = Plot(
      title: "t", xLabel: "x", yLabel: "y", lines: [Plot.Line(name: "l", points: points)])
    _ = try #require(XMLCheck(plot.svg))
    #expect(!plot.svg.contains("nan") && !plot.svg.contains("inf"))
  }

  @Test(arguments: [
    (1, "1"), (2.5, "2.5"), (999, "999"), (1_000, "1k"), (1_500, "1.5k"), (20_000_000, "20M"),
  ])
  func amounts(_ value: Double, _ text: String) { #expect(Plot.amount(value) == text) }

  @Test("Cost and memory are drawn over sizes, if there are several")
  func sizes() throws {
    let measurements = [1_000, 20_000].map { count in
      var one = Measurement(
        "replay", [.init(key: "events", value: "\(count)")], operations: count, nanoseconds: 5e6)
      one.peakMemoryByteCount = count * 200
      return one
    }
    #expect(Plots.all(measurements).map(\.name) == ["size", "memory"])
    for (_, plot) in Plots.all(measurements) {
      #expect(plot.lines.map(\.name) == ["replay"])
      #expect(plot.lines[0].points.map(\.x) == [1_000, 20_000])
      _ = try #require(XMLCheck(plot.svg))
    }
    #expect(Plots.all(measurements)[1].plot.lines[0].points.map(\.y) == [0.2, 4])
    #expect(Plots.all([measurements[0]]).isEmpty)
  }
}
