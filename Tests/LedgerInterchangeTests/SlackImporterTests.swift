import LedgerInterchange
import ReactionModel
import Testing

/// What becomes of the messages of a Slack export.
@Suite struct SlackImporterTests {
  /// Imports one day's file.
  static func day(_ messages: String) throws -> (ImportReport, NaiveLedger, String) {
    let export = try TemporaryExport(["c1/2020-11-05.json": messages])
    var ledger = NaiveLedger()
    let report = ledger.run(export.path)
    #expect(report.addsUp)
    return (report, ledger, export.path)
  }

  @Test func oneCommandForEachUserInTheOrderOfTheFile() throws {
    let (report, ledger, _) = try Self.day(
      """
      [{"type":"message","ts":"1604574471.000200","thread_ts":"1604574471.000200","reactions":[
        {"name":"sparkles","users":["u3","u2"],"count":2},{"name":"rlogo","users":["u2"],"count":1}]},
       {"ts":"1604574472.5","thread_ts":"1604574471.000200","user":"u2","reactions":[
        {"name":"+1::skin-tone-3","users":["u2"],"count":1}]},
       {"ts":"1604574473.000000"},{"ts":"1604574474.000000","reactions":[]},
       {"ts":"1604574475.000000","reactions":null}]
      """)
    let group = Conversation.group("c1")
    let first = try MessageKey(group, "1604574471.000200")
    let second = try MessageKey(group, "1604574472.5")
    let time = Timestamp(microseconds: 1_604_574_471_000_200)
    #expect(
      ledger.commands == [
        .add("✨", to: first, by: "u3", cause: .imported, at: time),
        .add("✨", to: first, by: "u2", cause: .imported, at: time),
        .add(":rlogo:", to: first, by: "u2", cause: .imported, at: time),
        .add(
          "👍🏼", to: second, by: "u2", cause: .imported,
          at: Timestamp(microseconds: 1_604_574_472_500_000), parent: "1604574471.000200"),
      ])
    var expected = ImportReport()
    (expected.messages, expected.reactions, expected.recorded, expected.users) = (2, 4, 4, 2)
    #expect(report == expected)
  }

  @Test func countsWithoutUsersInventNobody() throws {
    let (report, ledger, path) = try Self.day(
      """
      [{"ts":"1.0","reactions":[{"name":"+1","users":["u1"],"count":3},{"name":"a","count":4},
       {"name":"b","users":[],"count":5},{"name":"c","users":["u1","u2"],"count":1},
       {"name":"d","users":["u1"]},{"name":"e","users":["u1"],"count":-7}]}]
      """)
    #expect(report.reactions == 5 && ledger.live.count == 5)
    #expect(
      report.skipped == [
        ImportTally(
          reason: "countWithoutUsers", count: 11, lists: 3,
          first: ImportPlace(path: path + "/c1/2020-11-05.json", index: 0))
      ])
    let (absurd, _, _) = try Self.day(
      """
      [{"ts":"1.0","reactions":[{"name":"a","count":9223372036854775807},
       {"name":"b","count":9223372036854775807},{"name":"c","count":1e99,"users":["u1"]}]}]
      """)
    #expect(absurd.skippedCount(.countWithoutUsers) == .max && absurd.reactions == 1)
  }

  @Test func whatCannotBeACommandIsReported() throws {
    let long = String(repeating: "x", count: 256)
    let (report, ledger, path) = try Self.day(
      """
      [{"ts":"1.0"},
       {"ts":"2.0","reactions":[{"name":"a b","users":["u1","u2"]},{"name":"a:b","users":["u1"]},
         {"name":"skin-tone-2","users":["u1"]},{"name":"+1","users":["u1","",null,"\(long)"]},
         {"users":["u1"]},7,{"name":"x"},{"name":"x","users":"u1"}]},
       {"reactions":[{"name":"+1","users":["u1","u2"]}]},
       {"ts":"\(long)","reactions":[{"name":"+1","users":["u1"],"count":2}]},
       {"ts":"3.0","thread_ts":"\(long)","reactions":[{"name":"+1","users":["u1"]}]},
       {"ts":"4.0","reactions":{"name":"+1"}},
       {"ts":5.25,"thread_ts":null,"reactions":[{"name":"+1","users":["u1"]}]}, 8]
      """)
    #expect(ledger.commands.map(\.message?.message.text) == ["2.0", "5.25"])
    #expect(ledger.commands[1].clientTime == Timestamp(microseconds: 5_250_000))
    let file = path + "/c1/2020-11-05.json"
    func tally(_ reason: ImportSkipReason, _ count: Int, _ lists: Int, _ index: Int) -> ImportTally
    {
      ImportTally(
        reason: reason.rawValue, count: count, lists: lists,
        first: ImportPlace(path: file, index: index))
    }
    #expect(
      report.skipped == [
        tally(.invalidReaction, 4, 3, 1), tally(.invalidUser, 3, 1, 1),
        tally(.malformedReaction, 5, 5, 1), tally(.invalidMessage, 5, 3, 2),
      ])
    #expect(
      report.errors == [
        ImportError(path: file, text: "message 7: expected an object, not a number")
      ])
    #expect(report.hasErrors)
  }

  @Test func reactionsOnFilesAreSkipped() throws {
    let (report, ledger, _) = try Self.day(
      """
      [{"ts":"1.0","file":{"reactions":[{"name":"+1","users":["u1","u2"],"count":2}]}},
       {"ts":"2.0","files":[{"reactions":[{"name":"a","users":["u1"],"count":1}]},{}]},
       {"ts":"3.0","file_reactions":[[{"name":"a","users":["u1"],"count":1},
         {"name":"b","users":["u1","u3"],"count":2}]],
        "reactions":[{"name":"+1","users":["u1"],"count":1}]}]
      """)
    #expect(report.skipped.map(\.reason) == ["reactionsOnFiles"])
    #expect(report.skipped.first?.count == 6 && report.skipped.first?.lists == 4)
    #expect(ledger.live.count == 1 && report.users == 1)
  }

  @Test func namesOfOneCanonicalFormMerge() throws {
    let (report, ledger, _) = try Self.day(
      """
      [{"ts":"1.0","reactions":[{"name":"+1","users":["u1","u2"],"count":2},
         {"name":"thumbsup","users":["u2","u3"],"count":2},{"name":"+1","users":["u1"],"count":1},
         {"name":"+1::skin-tone-2","users":["u1"],"count":1}]},
       {"ts":"2.0","reactions":[{"name":"thumbsup","users":["u2"],"count":1}]}]
      """)
    // Merged is u2's second one; u1's has the same name again.
    #expect(report.merged == 1)
    #expect(report.reactions == 7 && report.recorded == 5 && report.unchanged == 2)
    #expect(ledger.live.count == 5)
  }

  @Test func aSecondImportChangesNothing() throws {
    let export = try TemporaryExport([
      "c1/2020-11-05.json":
        """
      [{"ts":"1.0","user":"u1","user_profile":{"name":"x"},"reactions":[
        {"name":"+1","users":["u1"],"count":1}]}]
      """
    ])
    var ledger = NaiveLedger()
    #expect(ledger.run(export.path).recorded == 1)
    // The same user under another display name.
    try export.write(
      """
      [{"ts":"1.0","user":"u1","user_profile":{"name":"y"},"reactions":[
        {"name":"+1","users":["u1"],"count":1}]}]
      """, to: "c1/2020-11-05.json")
    let second = ledger.run(export.path)
    #expect(second.recorded == 0 && second.unchanged == 1 && second.reactions == 1)
  }

  @Test func batchesAreBoundedAndRefusalsHaveTheirPlace() throws {
    let users = (0..<2_345).map { "\"u\($0)\"" }.joined(separator: ",")
    let export = try TemporaryExport([
      "c1/2020-11-05.json": #"[{"ts":"1.0","reactions":[{"name":"+1","users":[\#(users)]}]}]"#,
      "c1/2020-11-06.json":
        #"[{"ts":"2.0","reactions":[{"name":"x1","users":["u1"]},{"name":"x2","users":["u1"]}]}]"#,
    ])
    var ledger = NaiveLedger()
    var progress: [ImportProgress] = []
    let report = SlackImporter(paths: [export.path]).run(
      into: { batch in
        let outcomes = ledger.apply(batch)
        return zip(batch, outcomes).map { command, outcome in
          command.reaction == ":x1:" || command.user == "u2344"
            ? .refused(.limitReached(.distinctPerMessage)) : outcome
        }
      }, progress: { progress.append($0) })
    #expect(ledger.batchCounts == [1_000, 1_000, 347])
    #expect(report.addsUp && report.reactions == 2_347 && report.recorded == 2_345)
    #expect(
      report.refused == [
        ImportTally(
          reason: "limitReached", count: 2, lists: 2,
          first: ImportPlace(path: export.path + "/c1/2020-11-05.json", index: 0))
      ])
    #expect(progress.map(\.messages) == [1, 2] && progress.map(\.reactions) == [2_345, 2_347])
    #expect((progress.last?.byteCount ?? 0) > Int64(users.utf8.count))
    let dry = SlackImporter(paths: [export.path]).dryRun()
    #expect(dry.reactions == 2_347 && dry.recorded == 0 && dry.users == 2_345 && dry.messages == 2)
  }

  @Test func theSinksErrorPassesThrough() throws {
    struct Full: Error, Equatable {}
    let export = try TemporaryExport([
      "c1/2020-11-05.json": #"[{"ts":"1.0","reactions":[{"name":"+1","users":["u1"]}]}]"#
    ])
    let importer = SlackImporter(paths: [export.path])
    do throws(Full) {
      _ = try importer.run(into: { _ throws(Full) in throw Full() })
      Issue.record("the sink's error was swallowed")
    } catch {
      #expect(error == Full())
    }
  }

  @Test func theReportIsJSONWithFixedKeys() throws {
    let export = try TemporaryExport([
      "x.jsonl":
        """
      {"path":"c1/a.json","messages":[{"ts":"1.0","reactions":[{"name":"+1","count":2}]}]}
      {
      """
    ])
    let file = export.path + "/x.jsonl"
    #expect(
      SlackImporter(paths: [file]).dryRun().json == """
        {"messages":0,"reactions":0,"recorded":0,"unchanged":0,"repeated":0,"refused":[],"merged":0,\
        "users":0,"skipped":[{"reason":"countWithoutUsers","count":2,"lists":1,"first":\
        {"path":"\(file)","line":1,"index":0}}],"errors":[{"path":"\(file)","line":2,"offset":1,\
        "text":"expected a key in quotes"}],"furtherErrors":0}
        """)
  }
}
