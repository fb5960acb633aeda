import ReactionModel
import Testing

@testable import LedgerInterchange

/// How the files of a Slack export are found and read.
@Suite struct SlackExportReaderTests {
  static let day = #"[{"ts":"1.0","reactions":[{"name":"+1","users":["u1"],"count":1}]}]"#

  /// The conversations of the commands that an import makes, and its report.
  static func channels(_ paths: String...) -> (channels: [String], report: ImportReport) {
    var channels: [String] = []
    let report = SlackImporter(paths: paths).run(into: { batch in
      channels += batch.compactMap(\.message?.conversation.description)
      return batch.map { _ in .unchanged(.alreadyReacted) }
    })
    return (channels, report)
  }

  @Test func foldersAreReadInByteOrderOfTheirPaths() throws {
    let export = try TemporaryExport([
      "users.json": #"[{"id":"u1"}]"#, "channels.json": "no JSON at all", "c1/notes.txt": "x",
      "c1/2020-01-02.json": Self.day, "c1-b/2020-01-01.json": Self.day,
      "c10/2020-01-01.json": Self.day, "C2/2020-01-01.json": Self.day,
      "é/2020-01-01.json": Self.day,
      "c1/2020-01-01.json": Self.day,
    ])
    var seen: [String] = []
    let report = SlackImporter(paths: [export.path]).dryRun { seen.append($0.path) }
    let names = [
      "C2/2020-01-01", "c1-b/2020-01-01", "c1/2020-01-01", "c1/2020-01-02", "c10/2020-01-01",
      "é/2020-01-01",
    ]
    #expect(seen == names.map { "\(export.path)/\($0).json" })
    #expect(report.reactions == 6 && !report.hasErrors)
    #expect(
      Self.channels(export.path + "/").channels == [
        "group:C2", "group:c1-b", "group:c1", "group:c1", "group:c10", "group:é",
      ])
  }

  @Test func aChannelsFolderOrOneDayCanBeGiven() throws {
    let export = try TemporaryExport(["c7/2020-01-01.json": Self.day, "c7/members.json": "{"])
    #expect(Self.channels(export.path + "/c7").channels == ["group:c7"])
    #expect(Self.channels(export.path + "/c7/2020-01-01.json").channels == ["group:c7"])
    #expect(Self.channels(export.path + "/c7/./2020-01-01.json").channels == ["group:c7"])
    let both = Self.channels(export.path + "/c7", export.path + "/c7/2020-01-01.json")
    #expect(both.channels == ["group:c7", "group:c7"])
  }

  @Test func packedFilesAreReadLineByLine() throws {
    let export = try TemporaryExport([
      "x.jsonl":
        """
      {"path":"c1/2020-11-05.json","messages":\(Self.day)}\r
      \t
      {"path":"a/b/c2/2020-11-05.json","messages":\(Self.day)}
      {"path":"c1/2020-11-06.json","messages":[
      {"path":"users.json","messages":[{"id":"u1"}]}
      {"path":"2020-11-06.json","messages":[]}
      {"path":"c1/2020-11-07.json","messages":{}}
      {"messages":[]}
      []
      {"path":"c1/2020-11-08.json","path":"c2/x.json","messages":[]}
      {"path":"c3/2020-11-08.json","messages":\(Self.day)}
      """
    ])
    let (channels, report) = Self.channels(export.path)
    #expect(channels == ["group:c1", "group:c2", "group:c3"])
    let expected: [(line: Int, offset: Int, text: String)] = [
      (4, 41, "expected a value"),
      (6, 0, "the path names no folder with the channel's name"),
      (7, 0, "expected an array of messages"),
      (8, 0, "expected an object with the path of a day's file"),
      (9, 0, "expected an object with the path of a day's file"),
      (10, 29, "expected no second key \"path\""),
    ]
    #expect(
      report.errors
        == expected.map {
          ImportError(
            path: export.path + "/x.jsonl", line: $0.line, offset: $0.offset, text: $0.text)
        })
  }

  @Test func brokenFilesDoNotStopTheOthers() throws {
    let export = try TemporaryExport([
      "c1/2020-01-01.json": "[{\"ts\":", "c1/2020-01-02.json": "{}", "c1/2020-01-03.json": "",
      "c1/2020-01-04.json": Self.day, "empty/readme.txt": "",
    ])
    try export.link("c2", to: "c1")
    try export.link("c1/2020-01-05.json", to: "2020-01-04.json")
    try export.link("c1/2020-01-06.json", to: "absent")
    let missing = export.path + "/absent.json"
    let (channels, report) = Self.channels(
      export.path, missing, export.path + "/empty", export.path + "/empty/readme.txt")
    #expect(channels == ["group:c1", "group:c1"])
    func error(_ name: String, _ offset: Int?, _ text: String) -> ImportError {
      ImportError(path: export.path + name, offset: offset, text: text)
    }
    #expect(
      report.errors == [
        error("/c2", nil, "a symbolic link to a folder: not followed"),
        error("/c1/2020-01-06.json", nil, "no such file or folder"),
        error("/c1/2020-01-01.json", 7, "expected a value"),
        error("/c1/2020-01-02.json", 0, "expected an array of messages, not an object"),
        error("/c1/2020-01-03.json", 0, "expected a value"),
        error("/absent.json", nil, "no such file or folder"),
        error("/empty", nil, "no file of a Slack export is in this folder"),
        error("/empty/readme.txt", nil, "neither a folder nor a .json or .jsonl file"),
      ])
  }

  @Test func theErrorsKeptAreBounded() throws {
    let export = try TemporaryExport(["x.jsonl": String(repeating: "x\n", count: 1_234)])
    let report = Self.channels(export.path).report
    #expect(report.errors.count == ImportReport.errorCeiling && report.furtherErrors == 234)
    #expect(report.errors.last?.line == 1_000)
  }

  static let lines: [(text: String, lines: [String])] = [
    ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nbc\n\nd", ["a", "bc", "", "d"]),
    ("12345", ["too long"]), ("1234\n", ["1234"]), ("12345\n1", ["too long", "1"]),
    ("1\n123456789\n2\n", ["1", "too long", "2"]),
  ]

  @Test(arguments: lines) func linesAreBounded(text: String, expected: [String]) throws {
    let export = try TemporaryExport(["x": text])
    var lines = ImportLines(try FileReader(export.path + "/x"), limit: 4)
    var found: [String] = []
    var bytes: [UInt8] = []
    while let line = try lines.next(into: &bytes) {
      found.append(line.isTooLong ? "too long" : String(decoding: bytes, as: UTF8.self))
      #expect(line.number == found.count)
    }
    #expect(found == expected)
  }

  @Test func linesLongerThanAChunkAreReadOrPassedOver() throws {
    let long = String(repeating: "x", count: 1_000_000)
    let export = try TemporaryExport(["x": "a\n\(long)\nb\n\(long)"])
    for limit in [999_999, 1_000_000] {
      var lines = ImportLines(try FileReader(export.path + "/x"), limit: limit)
      var (counts, bytes): ([Int], [UInt8]) = ([], [])
      while let line = try lines.next(into: &bytes) {
        counts.append(line.isTooLong ? -1 : bytes.count)
      }
      #expect(counts == (limit == 1_000_000 ? [1, 1_000_000, 1, 1_000_000] : [1, -1, 1, -1]))
    }
    #expect(try FileReader(export.path + "/x").contents(limit: 2_000_003) == nil)
    #expect(try FileReader(export.path + "/x").contents()?.count == 2_000_005)
  }

  static let times: [(text: String, microseconds: Int64?)] = [
    ("1604574471.000200", 1_604_574_471_000_200), ("0", 0), ("1", 1_000_000), ("0.1", 100_000),
    ("1.1234567", 1_123_456), ("1.99999999999999999999999999", 1_999_999),
    ("0001.5", 1_500_000), ("253402300799.999999", Timestamp.range.upperBound),
    ("253402300800", nil), ("99999999999999999999999999", nil), ("", nil), (".", nil),
    (".5", nil), ("1.", nil), ("1..2", nil), ("-1", nil), ("1e3", nil), ("1.5 ", nil), ("x", nil),
  ]

  @Test(arguments: times) func timesAreExact(text: String, microseconds: Int64?) {
    #expect(SlackTime.timestamp(text)?.microseconds == microseconds)
  }
}
