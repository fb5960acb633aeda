import Foundation
import LedgerEngine
import LedgerProofs
import Testing

/// `keygen` and `checkpoint`.
struct CheckpointCommandTests {
  /// A key with a known seed.
  static let secret =
    "PRIVATE+KEY+example.com/reactions+2514464a+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
  static let vkey = "example.com/reactions+2514464a+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"

  @Test("A key file is its owner's alone from the first moment, and never replaced")
  func keygen() throws {
    let folder = try WorkFolder()
    let run = try Tool.shell(
      #"umask 0; "$T" keygen --name example.com/r --out key"#, in: folder.path)
    #expect(run.status == 0 && run.errors.isEmpty)
    let mode =
      try FileManager.default.attributesOfItem(atPath: folder("key"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let text = try String(contentsOfFile: folder("key"), encoding: .utf8)
    let key = try SignerKey(parsing: String(text.dropLast()))
    #expect(text.last == "\n" && run.lines == ["\(key.verifier)"])
    #expect(key.verifier.name.text == "example.com/r")

    let again = try folder.run("keygen --name example.com/r --out key --json")
    #expect(again.status == 1 && again.output.isEmpty)
    #expect(again.errors.contains("there is something at key already"))
    #expect(try String(contentsOfFile: folder("key"), encoding: .utf8) == text)
    // Nor is a link followed.
    try FileManager.default.createSymbolicLink(
      atPath: folder("link"), withDestinationPath: folder("target"))
    #expect(try folder.run("keygen --name n --out link").status == 1)
    #expect(!folder.has("target"))
    #expect(try folder.run("keygen --name n --out absent/key").status == 3)
    for name in ["", "a b", "a+b"] {
      let run = try Tool.run(["keygen", "--name", name, "--out", "k2"], in: folder.path)
      #expect(run.status == 2 && !folder.has("k2"))
    }
    let json = try folder.succeed("keygen --name n --out k3 --json")
    #expect(json.output.hasPrefix(#"{"vkey":"n+"#) && json.output.contains(#""file":"k3""#))
  }

  @Test("What is signed is the root of the log, and each checkpoint extends the one before")
  func checkpoints() throws {
    let folder = try WorkFolder()
    try folder.write(Self.secret + "\n", to: "key")
    let verifier = try VerifierKey(parsing: Self.vkey)
    try folder.succeed("create L")
    var last: String?
    for index in 0..<3 {
      let more = last.map { " --previous \($0)" } ?? ""
      let origin = index == 1 ? "" : " --origin example.com/reactions"
      let run = try folder.succeed("checkpoint L --key key\(origin)\(more) --out c\(index)")
      #expect(run.output.isEmpty)
      let text = try folder.text("c\(index)")
      let checkpoint = try Checkpoint(SignedNote(parsing: Array(text.utf8)), by: verifier)
      let head = try folder.withLedger("L") { ledger in try ledger.treeHead() }
      #expect(checkpoint.head == head && checkpoint.extensionLines.isEmpty)
      // Printed, it is the same.
      #expect(try folder.succeed("checkpoint L --key key").output == text)
      try folder.succeed("generate L --events 400 --seed \(index)")
      last = "c\(index)"
    }
    let run = try folder.run("checkpoint L --key key --out c0")
    #expect(run.status == 1 && run.errors.contains("there is something at c0 already"))
  }

  @Test("A replay against a checkpoint finds other histories, and what is gone")
  func replay() throws {
    let folder = try WorkFolder()
    try folder.write(Self.secret + "\n", to: "key")
    for name in ["L", "M"] {
      try folder.succeed("create \(name)")
      try folder.succeed("generate \(name) --events 300")
    }
    try folder.succeed("backup L old")
    try folder.succeed("generate L --events 20 --seed 9")
    try folder.succeed("checkpoint L --key key --out c")
    let root = try folder.text("c").split(separator: "\n")[2]
    #expect(try folder.succeed("replay L").output.hasSuffix("root \(root)\n"))
    try folder.succeed("generate L --events 20 --seed 10")

    let options = "--checkpoint c --vkey \(Self.vkey)"
    let right = try folder.succeed("replay L \(options) --json")
    #expect(right.output.contains(#""ok":true"#) && !right.output.contains("\(root)"))
    let other = try folder.run("replay M \(options)")
    #expect(other.status == 1 && other.output.contains("rule T2 broken at checkpoint of size 321"))
    let older = try folder.run("replay old \(options) --json")
    #expect(older.status == 1 && older.output.contains(#""findings":[{"rule":"T2""#))
    #expect(older.output.contains(#""findingCount":1"#))

    #expect(try folder.run("replay L --checkpoint c").status == 2)
    #expect(try folder.run("replay L --vkey \(Self.vkey)").status == 2)
    #expect(try folder.run("replay L \(options) --level projections").status == 2)
    try folder.write(folder.text("c").replacingOccurrences(of: "321", with: "320"), to: "forged")
    let forged = try folder.run("replay L --checkpoint forged --vkey \(Self.vkey)")
    #expect(forged.status != 0 && forged.errors.contains("forged"))
  }

  @Test("Nothing is signed that is no extension of --previous")
  func forks() throws {
    let folder = try WorkFolder()
    try folder.write(Self.secret + "\n", to: "key")
    for name in ["L", "M"] {
      try folder.succeed("create \(name)")
      try folder.succeed("generate \(name) --events 300")
      try folder.succeed("checkpoint \(name) --key key --out c\(name)")
    }
    // Of another ledger by the same key.
    let fork = try folder.run("checkpoint M --key key --previous cL --out new")
    #expect(fork.status == 1 && !folder.has("new"))
    #expect(fork.errors.contains("has another history than the checkpoints"))
    // Of a ledger that lost what came after a backup.
    try folder.succeed("backup L old")
    try folder.succeed("generate L --events 20 --seed 9")
    try folder.succeed("checkpoint L --key key --previous cL --out newer")
    let cut = try folder.run("checkpoint old --key key --previous newer --out new")
    #expect(cut.status == 1 && !folder.has("new"))
    #expect(cut.errors.contains("records are gone"))
    // By another key, changed, or no checkpoint.
    try folder.succeed("keygen --name example.com/reactions --out key2")
    #expect(try folder.run("checkpoint L --key key2 --previous cL").status == 1)
    try folder.write(try folder.text("cL").replacing("\n301\n", with: "\n300\n"), to: "changed")
    let changed = try folder.run("checkpoint L --key key --previous changed")
    #expect(changed.status == 1 && changed.errors.contains("does not fit the text"))
    try folder.write("nothing", to: "nothing")
    #expect(try folder.run("checkpoint L --key key --previous nothing").status == 4)
    #expect(try folder.run("checkpoint L --key key --previous absent").status == 4)
    #expect(try folder.run("checkpoint L --key nothing").status == 4)
    #expect(try folder.run("checkpoint L --key absent").status == 4)
    let origin = try folder.run("checkpoint L --key key --origin example.com/other")
    #expect(origin.status == 2 && origin.output.isEmpty)
    #expect(try folder.run("checkpoint absent --key key").status == 3)
  }

  @Test("A damaged stored hash is refused, and what mends it is told") func damagedTree() throws {
    let folder = try WorkFolder()
    try folder.write(Self.secret + "\n", to: "key")
    try folder.succeed("create L")
    try folder.succeed("generate L --events 300")
    let sound = try folder.succeed("checkpoint L --key key").output
    let key = try LedgerFile.firstKey(in: "tree", of: folder("L"))
    var value = try LedgerFile.value(of: key, in: "tree", of: folder("L"))
    value[7] ^= 1
    try LedgerFile.put(value, for: key, in: "tree", of: folder("L"))
    let run = try folder.run("checkpoint L --key key")
    #expect(run.status == 3 && run.output.isEmpty)
    #expect(run.errors.contains("rule T1 broken at tree 8 0"))
    #expect(run.errors.contains("\"reaction-ledger rebuild\" mends it"))
    try folder.succeed("rebuild L")
    #expect(try folder.succeed("checkpoint L --key key").output == sound)
  }
}

extension WorkFolder {
  /// The text of a file.
  func text(_ name: String) throws -> String {
    try String(contentsOfFile: self(name), encoding: .utf8)
  }
}
