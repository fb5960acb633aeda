import Foundation
import LedgerEngine
import LedgerInterchange
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// Commands and exports as lines: what is written comes back, and nothing traps.
@Suite struct LineFuzzTests {
  /// A ledger in which most things happened, in a folder of its own.
  private static func withLedger(seed: UInt64, _ body: (Ledger) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "line-fuzz-\(UUID())"
    let ledger = try Ledger.create(at: path, policy: try Policy(validity: .anyText))
    defer {
      ledger.close()
      try? FileManager.default.removeItem(atPath: path)
    }
    var random = SeededGenerator(seed: seed)
    var commands: [Command] = []
    for index in 0..<300 {
      let user = try UserID("u\(Int.random(in: 0..<9, using: &random))\u{e9}\"")
      let key = try MessageKey(
        Conversation(kind: Bool.random(using: &random) ? .user : .group, id: "g\\1"),
        MessageID("m\(Int.random(in: 0..<5, using: &random))\n"))
      let reaction = ["👍", "❤️", ":x:", "so \"so\"\\"].randomElement(using: &random) ?? ""
      let actor: UserID? = index % 3 == 0 ? try UserID("mod\(index % 4)") : nil
      let id = index % 4 == 0 ? CommandID(high: seed, low: UInt64(index)) : nil
      let time = index % 5 == 0 ? Timestamp(microseconds: Int64(index) - 20) : nil
      let parent: MessageID? = index % 7 == 0 ? "p/\u{1}" : nil
      switch Int.random(in: 0..<20, using: &random) {
      case 0: commands.append(.clear(key, actor: actor, cause: .moderation, id: id))
      case 1: commands.append(.clear(key, reaction: reaction, cause: .expired, parent: parent))
      case 2: commands.append(.erase(user, id: id))
      case 3:
        let policy = index % 2 == 0 ? Policy.standard : try Policy(validity: .anyText)
        commands.append(.setPolicy(policy))
      case 4..<9:
        commands.append(.remove(reaction, from: key, by: user, actor: actor, at: time, id: id))
      default:
        commands.append(
          .add(reaction, to: key, by: user, actor: actor, at: time, parent: parent, id: id))
      }
    }
    // Half of them as values, half of them from their lines.
    let batch = try Self.batch(commands[150...])
    _ = try ledger.append(Array(commands[..<150]))
    _ = try ledger.append(batch)
    #expect(try ledger.replay().findings == [])
    try body(ledger)
  }

  private static func batch(_ commands: ArraySlice<Command>) throws -> CommandBatch {
    var (batch, tape, writer) = (CommandBatch(), JSONTape(), JSONWriter())
    for command in commands {
      writer.removeAll()
      writer.object { $0.members(of: command) }
      try tape.read(writer.bytes.span)
      let read = try Command(json: tape.root)
      #expect(read == command)
      batch.append(try CommandView(json: tape.root))
    }
    #expect(batch.count == commands.count)
    return batch
  }

  private static func lines(of ledger: Ledger) throws -> [[UInt8]] {
    var writer = JSONWriter()
    _ = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.scanLogged(after: 0, limit: .max) { (notice) throws(LedgerError) in
        writer.line(of: notice, format: 0)
      } event: { (event) throws(LedgerError) in
        writer.line(of: event)
      }
    }
    return writer.bytes.split(separator: 0x0a).map { Array($0) }
  }

  @Test("A line from bytes is that of the value, and gives the record's bytes", arguments: 1...6)
  func linesAreOne(seed: UInt64) throws {
    try Self.withLedger(seed: seed) { ledger in
      let lines = try Self.lines(of: ledger)
      let records = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.loggedRecords(after: 0, limit: .max)
      }
      #expect(lines.count == records.count && records.count > 200)
      var (tape, reader) = (JSONTape(), ExportReader())
      for (line, logged) in zip(lines, records) {
        var writer = JSONWriter()
        writer.line(of: logged, format: 0)
        #expect(line == Array(writer.bytes.dropLast()))
        try tape.read(line.span)
        try reader.read(tape.root)
        #expect(reader.record.sequence == logged.entry.sequence)
        #expect(try RecordFormat.decode(reader.record.bytes.span) == logged.entry.record)
        #expect(RecordFormat.seal(of: reader.record.bytes.span) == logged.seal)
        #expect(reader.record.introductions.count == logged.introductions.count)
      }
    }
  }

  @Test("The scanned log is the log", arguments: 1...4) func scan(seed: UInt64) throws {
    try Self.withLedger(seed: seed) { ledger in
      try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        let entries = try snapshot.records(after: 0, limit: .max)
        var index = 0
        let last = try snapshot.scanLog(after: 0, limit: .max) {
          (sequence, record) throws(LedgerError) in
          #expect(sequence == entries[index].sequence && record == entries[index].record)
          index += 1
        } event: { (event) throws(LedgerError) in
          let entry = entries[index]
          index += 1
          guard case .change(let change) = entry.record.content else {
            Issue.record("an event in place of a notice")
            return
          }
          let message = [UInt8](event.conversation) + [0] + [UInt8](event.message)
          let key = change.message
          #expect(
            message == Array(key.conversation.id.text.utf8) + [0] + Array(key.message.text.utf8))
          let (reaction, parent) = ([UInt8](event.reaction), [UInt8](event.parent))
          #expect(reaction == Array(change.reaction.text.utf8))
          #expect(parent == Array((change.parent?.text ?? "").utf8))
          let found = Record(
            recordedAt: event.recordedAt, cause: event.cause, place: event.place,
            clientTime: event.clientTime, user: event.user, actor: event.actor,
            commandID: event.commandID, userCommitment: entry.record.userCommitment,
            actorCommitment: entry.record.actorCommitment,
            content: .change(
              Record.Change(
                event.isAdded ? .added : .removed(ends: event.ends), message: key,
                parent: change.parent, reaction: change.reaction, previous: event.previous)))
          let (sequence, kind) = (event.sequence, event.conversationKind)
          #expect(found == entry.record && sequence == entry.sequence)
          #expect(kind == key.conversation.kind)
          var id: [UInt8] = []
          try snapshot.appendUserID(of: event.user, to: &id)
          #expect(id == Array((entry.user?.text ?? "").utf8))
        }
        #expect(index == entries.count && last == UInt64(index))
        #expect(try snapshot.scanLog(after: 5, limit: 3) { (_) throws(LedgerError) in } == 8)
        #expect(try snapshot.scanLog(after: last, limit: 3) { (_) throws(LedgerError) in } == last)
      }
    }
  }

  @Test("Changed lines are read or refused, and what is read is a record", arguments: 1...3)
  func mutants(seed: UInt64) throws {
    try Self.withLedger(seed: seed) { ledger in
      var random = SeededGenerator(seed: seed)
      let lines = try Self.lines(of: ledger)
      var (tape, reader, readCount) = (JSONTape(), ExportReader(), 0)
      for _ in 0..<4_000 {
        guard var bytes = lines.randomElement(using: &random) else { return }
        for _ in 0..<Int.random(in: 1...2, using: &random) {
          let index = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[index] = UInt8.random(in: 0x20..<0x7f, using: &random)
          case 1: bytes[index] = UInt8.random(in: 0x30...0x39, using: &random)
          case 2: bytes.remove(at: index)
          default: bytes.insert(bytes[index], at: index)
          }
        }
        do {
          try tape.read(bytes.span)
          try reader.read(tape.root)
          readCount += 1
          _ = try RecordFormat.decode(reader.record.bytes.span)
        } catch is JSONError {
        } catch is FormError {
        } catch {
          Issue.record("\(error): \(String(decoding: bytes, as: UTF8.self))")
        }
      }
      #expect(readCount > 200)
    }
  }

  @Test func whatFormsRefuse() throws {
    let target = #""conversation":"group:g","message":"m","user":"u","reaction":"x""#
    let table: [(String, String)] = [
      ("[]", "expected a command, an object, not an array"), ("{}", #""op" is missing"#),
      (#"{"op":1}"#, #""op" must be a string, not a number"#),
      (#"{"op":"x"}"#, #""op" is not "add", "remove", "clear", "erase" or "setPolicy": "x""#),
      (#"{"op":"erase"}"#, #""user" is missing"#),
      (#"{"op":"erase","user":null}"#, #""user" is missing"#),
      (#"{"op":"erase","user":""}"#, #""user": an id must have at least 1 byte"#),
      (#"{"op":"add",\#(target),"b":1,"a":1}"#, #""a" is not a known key here"#),
      (#"{"op":"add",\#(target),"cause":"x"}"#, #""cause" is not a cause: "x""#),
      (#"{"op":"add",\#(target),"reactedAt":"x"}"#, #""reactedAt" is not a time in ISO 8601: "x""#),
      (#"{"op":"add",\#(target),"actor":7}"#, #""actor" must be a string, not a number"#),
      (#"{"op":"erase","user":"u","parent":"p"}"#, #""parent" is not a known key here"#),
      (
        #"{"op":"clear","conversation":"g","message":"m"}"#,
        #""conversation" and "message": "g" names no conversation: write user:ID, group:ID or room:ID"#
      ),
      (#"{"op":"setPolicy","policy":{}}"#, #""selection" is missing"#),
    ]
    var tape = JSONTape()
    for (line, text) in table {
      try tape.read(Array(line.utf8).span)
      do throws(FormError) {
        _ = try Command(json: tape.root)
        Issue.record("read: \(line)")
      } catch {
        #expect(error.description == text)
      }
    }
  }
}
