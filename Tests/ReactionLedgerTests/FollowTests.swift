import Foundation
import LedgerEngine
import ReactionModel
import Testing

/// `events --follow`: the log as it grows, whichever process appends.
struct FollowTests {
  /// Runs a script beside a follower that prints to the file `followed`, and `work` in this process.
  private func follow(
    _ options: String, _ script: String, in folder: WorkFolder, beside work: () throws -> Void = {}
  ) throws -> ToolRun {
    let start =
      #"""
      "$T" events L \#(options) --follow > followed & follower=$!
      lines() { test "$(wc -l < followed)" -ge "$1"; }
      await() { n=0; until lines "$1"; do sleep 0.05; n=$((n + 1)); test $n -lt 200 || exit 9; done; }

      """#
    let child = try Child(
      "/bin/sh", ["-c", start + script], in: folder.path, environment: ["T": Tool.path])
    try work()
    return try child.wait()
  }

  @Test("It waits for what others append, and ends when it is killed") func killed() throws {
    let folder = try WorkFolder()
    try folder.succeed("create L")
    let run = try follow(
      "--json",
      #"""
      await 1
      for user in u1 u2 u3; do
        "$T" add L --conversation group:g1 --message m1 --user $user 👍 > /dev/null
      done
      await 4
      "$T" clear L --conversation group:g1 --message m1 > /dev/null
      "$T" erase L --user u2 > /dev/null
      await 8
      kill -KILL $follower
      wait $follower
      echo "status $?"
      """#, in: folder)
    #expect(run.status == 0 && run.output == "status 137\n", "\(run.status) \(run.errors)")
    let followed = try String(contentsOfFile: folder("followed"), encoding: .utf8)
      .split(separator: "\n")
    let listed = try folder.succeed("events L --json").lines
    #expect(followed.count == listed.count)
    // Who was erased since had a name then.
    let numbers = { (line: String) in
      line.replacing(/"user":(null|"[^"]*")/, with: "")
    }
    for (line, other) in zip(followed, listed) {
      #expect(numbers(String(line)) == numbers(other))
    }
    #expect(try folder.provenHead(of: "L") == 8)
  }

  @Test("It ends when nobody reads any more, as all listings do") func closedPipe() throws {
    let folder = try WorkFolder()
    try folder.succeed("add L --conversation group:g1 --message m1 --user u1 👍")
    let run = try Tool.shell(
      #"""
      { "$T" events L --follow; echo "status $?" >&2; } | head -n 1 &
      n=0
      for user in a b c d e f g h i j k l m n; do
        "$T" add L --conversation group:g1 --message m1 --user $user 👍 > /dev/null
        sleep 0.1
      done
      wait
      """#, in: folder.path)
    #expect(run.lines.count == 1 && run.lines[0].hasPrefix("1 "))
    #expect(run.errors == "status 0\n")
  }

  @Test("It begins after a sequence, and follows a writer in this process") func after() throws {
    let folder = try WorkFolder()
    let message = try MessageKey(.group("g1"), "m1")
    let ledger = try Ledger.create(at: folder("L"))
    defer { ledger.close() }
    for index in 0..<5 {
      _ = try ledger.append(.add("👍", to: message, by: UserID(stringLiteral: "u\(index)")))
    }
    let run = try follow(
      "--after 4",
      #"""
      await 2
      touch ready
      await 4
      kill -KILL $follower; wait $follower; cat followed
      """#, in: folder,
      beside: {
        while !folder.has("ready") { usleep(10_000) }
        _ = try ledger.append([
          .remove("👍", from: message, by: "u0"), .add("❤️", to: message, by: "u0"),
        ])
      })
    #expect(run.lines.map { $0.prefix { $0 != " " } } == ["5", "6", "7", "8"])
  }
}
