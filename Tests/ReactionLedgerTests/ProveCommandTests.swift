import Foundation
import LedgerHash
import LedgerInterchange
import Testing

/// `prove`, `check-proof` and `check-consistency`, and the same checks by a program of its own.
struct ProveCommandTests {
  private static let vkey = CheckpointCommandTests.vkey

  /// A ledger of 301 records whose last is zoe's, asked for by bot; checkpoints after 300 and 301,
  /// and a key.
  private static func sample() throws -> WorkFolder {
    let folder = try WorkFolder()
    try folder.write(CheckpointCommandTests.secret + "\n", to: "key")
    try folder.succeed("create L")
    try folder.succeed("generate L --events 299")
    try folder.succeed("checkpoint L --key key --out c300")
    try folder.succeed(
      "add L --conversation group:g1 --message m1 --user zoe --actor bot 👍")
    try folder.succeed("checkpoint L --key key --previous c300 --out c301")
    return folder
  }

  private static func check(_ file: String, _ more: String = "") -> String {
    "check-proof \(file) --vkey \(vkey)\(more)"
  }

  @Test("A bundle proves record and users; after an erasure the record alone")
  func bundles() throws {
    let folder = try Self.sample()
    try folder.succeed("prove L --checkpoint c301 --sequence 301 --out p")
    let run = try folder.succeed(Self.check("p"))
    #expect(run.lines.count == 2)
    #expect(
      run.lines[0].hasPrefix("301 ") && run.lines[0].contains("added 👍 by zoe on group:g1/m1"))
    #expect(run.lines[0].hasSuffix("asked for by bot"))
    #expect(
      run.lines[1]
        == "proved: record 301 of example.com/reactions, whose checkpoint has 301 records")
    let json = try folder.succeed(Self.check("p", " --json")).output
    #expect(
      json.hasPrefix(
        #"{"ok":true,"origin":"example.com/reactions","size":301,"sequence":301,"kind":"added","#))
    #expect(json.contains(#""user":"zoe","userNumber":"#) && json.contains(#""actor":"bot""#))

    try folder.succeed("erase L --user zoe")
    try folder.succeed("prove L --checkpoint c301 --sequence 301 --out erased")
    let rest = try folder.succeed(Self.check("erased", " --json")).output
    #expect(rest.contains(#""ok":true"#) && rest.contains(#""user":null"#))
    #expect(rest.contains(#""actor":"bot""#))
    let words = try folder.succeed(Self.check("erased")).output
    #expect(words.contains("whom the proof does not name") && !words.contains("zoe"))
    #expect(!(try folder.text("erased").contains("zoe")))
    // A proof that was made before goes on to hold.
    #expect(try folder.succeed(Self.check("p")).output == run.output)
  }

  @Test(
    "Every record of the log, by bundle and by .tlog-proof, and by check-proof.py",
    .enabled(if: Python.isThere, "python3 is not installed"))
  func everyRecord() throws {
    let folder = try Self.sample()
    for sequence in [1, 2, 3, 128, 256, 257, 299, 300, 301] {
      let name = "p\(sequence)"
      try folder.succeed("prove L --checkpoint c301 --sequence \(sequence) --out \(name)")
      try folder.succeed(
        "prove L --checkpoint c301 --sequence \(sequence) --format tlog-proof --out t\(sequence)")
      try folder.succeed(Self.check("t\(sequence)"))
      for file in [name, "t\(sequence)"] {
        let own = try JSONParser.parse(
          Array(try folder.succeed(Self.check(file, " --json")).output.utf8))
        let other = try Python.check([file, "--vkey", Self.vkey], in: folder)
        #expect(other.status == 0, "\(other.output)\(other.errors)")
        let told = try JSONParser.parse(Array(other.output.utf8))
        for key in [
          "ok", "origin", "size", "sequence", "kind", "conversation", "message", "reaction", "user",
          "userNumber", "actor",
        ] { #expect(own[key] == told[key], "\(file): \(key)") }
      }
    }
    // A .tlog-proof is what is in the bundle, word for word.
    let bundle = try JSONParser.parse(Array(try folder.text("p301").utf8))
    #expect(try bundle["proofs"]?.array?.first?.string == folder.text("t301"))
  }

  @Test("What check-proof refuses: it says why, and ends with 1; so does check-proof.py")
  func refused() throws {
    let folder = try Self.sample()
    try folder.succeed("prove L --checkpoint c301 --sequence 301 --out p")
    try folder.succeed("prove L --checkpoint c301 --sequence 7 --format tlog-proof --out t")
    let (bundle, proof) = (try folder.text("p"), try folder.text("t"))
    let wrong: [(text: String, why: String)] = [
      (bundle.replacing("\"id\":\"zoe\"", with: "\"id\":\"zof\""), "salt and id are not those"),
      (bundle.replacing("\"number\"", with: "\"numbers\""), "\"number\" is missing"),
      (bundle.replacing(#"\nindex 300"#, with: #"\nindex 299"#), "too few hashes"),
      (bundle.replacing(#"\n301\n"#, with: #"\n302\n"#), "does not fit the text"),
      (proof.replacing("index 6\n", with: "index 5\n"), "another root"),
      (proof.replacing("extra ", with: "extra AAAA"), "another root"),
      (String(proof.dropLast()), "no newline at its end"),
      (try folder.text("c301"), "neither a bundle nor a .tlog-proof"), ("", "neither"),
      (String(repeating: "[", count: 100_000), "levels of nesting"),
    ]
    for (text, why) in wrong {
      #expect(text != bundle && text != proof, "\(why)")
      try folder.write(text, to: "wrong")
      let run = try folder.run(Self.check("wrong"))
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(why), "\(run.errors)")
      let json = try folder.run(Self.check("wrong", " --json"))
      #expect(json.status == 1 && json.output.hasPrefix(#"{"ok":false,"reason":""#))
      if Python.isThere, !text.hasPrefix("example.com") {
        #expect(try Python.check(["wrong", "--vkey", Self.vkey], in: folder).status == 1, "\(why)")
      }
    }
    #expect(try folder.run("check-proof absent --vkey \(Self.vkey)").status == 4)
    #expect(try folder.run("check-proof p --vkey nonsense").status == 2)
    #expect(try folder.run("check-proof p").status == 2)
    let other = try folder.succeed("keygen --name example.com/reactions --out key2").lines[0]
    let run = try folder.run("check-proof p --vkey \(other)")
    #expect(run.status == 1 && run.errors.contains("no signature is by a trusted key"))
  }

  @Test("What prove refuses: another history, too old a checkpoint, a record changed since")
  func refusals() throws {
    let folder = try Self.sample()
    let beyond = try folder.run("prove L --checkpoint c300 --sequence 301")
    #expect(beyond.status == 1 && beyond.output.isEmpty)
    #expect(beyond.errors.contains("c300 is of 300 records, before record 301"))
    try folder.succeed("create M")
    let ahead = try folder.run("prove M --checkpoint c300 --sequence 1")
    #expect(ahead.status == 1 && ahead.errors.contains("has only 1"))
    try folder.succeed("generate M --events 400")
    let other = try folder.run("prove M --checkpoint c300 --sequence 1")
    #expect(other.status == 1 && other.errors.contains("is of another history"))
    #expect(try folder.run("prove L --checkpoint c300 --consistent-with c301").status == 1)
    for line in [
      "prove L --checkpoint c300", "prove L --checkpoint c300 --sequence 0",
      "prove L --checkpoint c300 --sequence 1 --consistent-with c300",
      "prove L --checkpoint c300 --consistent-with c300 --format bundle", "prove L --sequence 1",
      "prove L --checkpoint c300 --sequence 1 --format csv",
    ] { #expect(try folder.run(line).status == 2, "\(line)") }
    try folder.write("", to: "empty")
    #expect(try folder.run("prove L --checkpoint empty --sequence 1").status == 4)

    // A record changed, and sealed again.
    let key = LedgerFile.key(ofEvent: 10)
    let record = try LedgerFile.value(of: key, in: "events", of: folder("L"))
    var body = Array(record.dropLast(8))
    // The last byte of the client time, which orders nothing.
    try #require(body[3] & 1 == 1)
    body[23] ^= 1
    let forged = body + SHA256().leaf(body.span).bytes.prefix(8)
    try LedgerFile.put(forged, for: key, in: "events", of: folder("L"))
    let changed = try folder.run("prove L --checkpoint c301 --sequence 10")
    #expect(changed.status == 1 && changed.errors.contains("it was changed since"))
    try folder.succeed("rebuild L")
    let rewritten = try folder.run("prove L --checkpoint c301 --sequence 200")
    #expect(rewritten.status == 1 && rewritten.errors.contains("is of another history"))
    #expect(try folder.run("checkpoint L --key key --previous c300").status == 1)
    #expect(try folder.run("check-consistency c300 c301 L").status == 1)
  }

  @Test("Consistency by a proof and by the ledger, with and without signatures")
  func consistency() throws {
    let folder = try Self.sample()
    try folder.succeed("prove L --checkpoint c301 --consistent-with c300 --out proof")
    let text = try folder.text("proof")
    #expect(text.hasPrefix("reaction-ledger/consistency@v1\nold 300\n"))
    #expect(text.hasSuffix("\n\n" + (try folder.text("c301"))))
    for source in ["proof", "L"] {
      let line = "check-consistency c300 c301 \(source)"
      let signed = try folder.succeed("\(line) --vkey \(Self.vkey)")
      #expect(signed.lines == ["example.com/reactions only grew, from 300 to 301 records"])
      let bare = try folder.succeed(line)
      #expect(bare.output.contains("signatures were not checked"))
      #expect(
        try folder.succeed("\(line) --json --vkey \(Self.vkey)").lines == [
          #"{"ok":true,"origin":"example.com/reactions","oldSize":300,"newSize":301,"#
            + #""signaturesChecked":true}"#
        ])
      let reversed = try folder.run("check-consistency c301 c300 \(source)")
      #expect(reversed.status == 1 && reversed.errors.contains("not proved"))
    }
    if Python.isThere {
      let run = try Python.check(["proof", "--old", "c300", "--vkey", Self.vkey], in: folder)
      #expect(run.status == 0, "\(run.output)")
      let checkpoint = try Python.check(["c301", "--vkey", Self.vkey], in: folder)
      #expect(checkpoint.output.contains(#""size": 301"#))
    }
    try folder.write(try folder.text("c300").replacing("\n300\n", with: "\n299\n"), to: "changed")
    #expect(try folder.run("check-consistency changed c301 L --vkey \(Self.vkey)").status == 1)
    #expect(try folder.run("check-consistency changed c301 L").status == 1)
    #expect(try folder.run("check-consistency c300 c301 absent").status == 4)
    #expect(try folder.run("check-consistency c300 key L").status == 4)
    #expect(try folder.run("check-consistency c300 c301").status == 2)
  }
}

/// The checker in Python that shares no code with the ledger.
private enum Python {
  static let isThere =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/env")
    && (try? Tool.run("/usr/bin/env", ["python3", "-c", ""], in: "/"))?.status == 0

  private static let script = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "tools/check-proof.py").path(percentEncoded: false)

  static func check(_ arguments: [String], in folder: WorkFolder) throws -> ToolRun {
    try Tool.run("/usr/bin/env", ["python3", "-B", script] + arguments, in: folder.path)
  }
}
