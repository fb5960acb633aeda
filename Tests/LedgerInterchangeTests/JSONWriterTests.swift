import LedgerInterchange
import Testing

/// What the writer makes, and what it refuses.
@Suite struct JSONWriterTests {
  @Test func membersStandInTheOrderInWhichTheyAreGiven() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("b", 1)
      writer.member("a", "x\"y")
      writer.member("none", ifPresent: nil as String?)
      writer.member("some", ifPresent: 2 as Int?)
      writer.array("list") { writer in
        writer.value(true)
        writer.null()
        writer.array { _ in }
        writer.object { $0.member("v", JSONValue.number(JSONNumber(UInt64.max))) }
      }
      writer.object("o") { $0.member("z", false) }
    }
    #expect(
      writer.bytes
        == Array(
          #"{"b":1,"a":"x\"y","some":2,"list":[true,null,[],{"v":18446744073709551615}],"o":{"z":false}}"#
            .utf8))
  }

  @Test func severalDocumentsStandOnLines() {
    var writer = JSONWriter()
    writer.value(1)
    writer.endLine()
    writer.object { _ in }
    writer.endLine()
    #expect(writer.bytes == Array("1\n{}\n".utf8))
    writer.removeAll()
    writer.value("")
    #expect(writer.bytes == Array(#""""#.utf8))
  }

  @Test func errorsPassThrough() {
    struct Failure: Error {}
    var writer = JSONWriter()
    #expect(throws: Failure.self) {
      try writer.array { _ throws(Failure) in throw Failure() }
    }
  }

  @Test func escapes() {
    var writer = JSONWriter()
    writer.value("\u{0}\u{1f}\u{8}\t\n\u{c}\r\"\\/\u{7f}é👍")
    #expect(
      writer.bytes == Array((#""\u0000\u001f\b\t\n\f\r\"\\/"# + "\u{7f}é👍\"").utf8))
  }

  @Test func misuseTraps() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.object { $0.value(1) }
    }
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.array { $0.key("a") }
    }
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.value(1)
      writer.value(2)
    }
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.object { $0.key("a") }
    }
  }
}
