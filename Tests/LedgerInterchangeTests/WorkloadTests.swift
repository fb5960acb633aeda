import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

@Suite("Workload: ids, texts and commands")
struct WorkloadTests {
  @Test("Ids in memory are those made anew", arguments: WorkloadNames.MessageIDs.allCases)
  func ids(form: WorkloadNames.MessageIDs) throws {
    let workload = Workload(eventCount: 3_000, seed: 7, messageIDs: form)
    let names = WorkloadNames(messageIDs: form)
    #expect(workload.names == names)
    for index in 0..<UInt32(workload.messages.count) {
      let message = workload.messages[Int(index)]
      #expect(workload.messageID(index) == names.messageID(message))
      #expect(workload.messageKey(index) == names.messageKey(message))
    }
    for index in UInt32(0)..<3_000 {
      #expect(workload.userID(index) == names.userID(index))
      #expect(workload.conversationID(index) == names.conversationID(index))
    }
    #expect(Set(workload.messageKeys).count == Set(workload.events.map(\.message)).count)
    #expect(workload.messageKeys.count == Set(workload.messageKeys).count)
    #expect(Set(workload.userIDs) == Set(workload.events.map { names.userID($0.user) }))
    #expect(workload.userIDs.count == Set(workload.userIDs).count)
    let first = try #require(workload.events.first)
    #expect(workload.messageKeys.first == workload.messageKey(first.message))
    #expect(workload.userIDs.first == workload.userID(first.user))
  }

  @Test("Ids of messages are 19 digits in order, or 26 characters in none")
  func messageIDForms() {
    let ordered = Workload(eventCount: 2_000, messageIDs: .timeOrdered)
    let random = Workload(eventCount: 2_000, messageIDs: .random)
    #expect(ordered.events == random.events)
    let indices = 0..<UInt32(ordered.messages.count)
    let digits = indices.map { ordered.messageID($0) }
    #expect(digits.allSatisfy { $0.text.utf8.count == 19 && Int($0.text) != nil })
    #expect(digits == digits.sorted())
    let texts = indices.map { random.messageID($0) }
    #expect(texts.allSatisfy { $0.text.utf8.count == 26 })
    #expect(Set(texts).count == texts.count)
    let rising = zip(texts, texts.dropFirst()).count { $0 < $1 }
    #expect((texts.count * 2 / 5..<texts.count * 3 / 5).contains(rising))
  }

  @Test("Ids of all users and conversations are unique, of 20 characters of base 32")
  func uniqueIDs() {
    let names = WorkloadNames()
    let alphabet = Set("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    var texts: Set<String> = []
    for index in 0..<UInt32(20_000) { texts.insert(names.userID(index).text) }
    for index in 0..<UInt32(WorkloadShape.conversationCount) {
      texts.insert(names.conversationID(index).text)
    }
    #expect(texts.count == 20_000 + WorkloadShape.conversationCount)
    #expect(texts.allSatisfy { $0.utf8.count == 20 && $0.utf8.allSatisfy(alphabet.contains) })
    #expect(names.conversation(3) == .group(names.conversationID(3)))
  }

  @Test("Reactions are distinct, and canonical as the ledger would write them")
  func reactions() throws {
    let texts = WorkloadShape.reactions.map(\.text)
    #expect(texts.count == 40 && Set(texts.map { Array($0.utf8) }).count == 40)
    #expect(WorkloadShape.reactions.allSatisfy { $0.weight > 0 })
    for text in texts {
      let reaction = try Reaction(text)
      #expect(Array(reaction.text.utf8) == Array(text.utf8))
      #expect(reaction.form == (text.utf8.first == UInt8(ascii: ":") ? .custom : .emoji))
    }
  }

  @Test("Commands say what the events say, at the events' times")
  func commands() {
    let workload = Workload(eventCount: 1_000, seed: 3)
    let names = WorkloadNames()
    let commands = workload.commands(100..<1_000)
    #expect(commands.count == 900)
    for (event, command) in zip(workload.events[100...], commands) {
      let message = workload.messages[Int(event.message)]
      #expect(command.operation == (event.kind == .add ? .add : .remove))
      #expect(command.message == names.messageKey(message))
      #expect(command.user == names.userID(event.user))
      #expect(command.reaction == WorkloadShape.reactions[event.reaction].text)
      #expect(command.clientTime == event.time)
      #expect(command.id == nil && command.actor == nil && command.cause == .user)
      #expect(command == names.command(for: event, on: message))
      #expect(command == workload.command(for: event))
    }
    let id = CommandID(high: 1, low: 2)
    #expect(workload.command(for: workload.events[0], id: id).id == id)
  }

  @Test("A line has six fields, the ids of the chosen form among them")
  func line() {
    let workload = Workload(eventCount: 500, messageIDs: .random)
    for event in workload.events {
      var bytes = Array("before ".utf8)
      workload.appendLine(for: event, to: &bytes)
      #expect(bytes.count <= 7 + 128)
      let line = String(decoding: bytes, as: UTF8.self)
      let key = workload.messageKey(event.message)
      let fields = [
        event.kind == .add ? "add" : "remove", "\(event.time.microseconds)",
        "\(key.conversation)", "\(key.message)", "\(workload.userID(event.user))",
        workload.reactionText(event.reaction),
      ]
      #expect(line == "before " + fields.joined(separator: "\t") + "\n")
    }
  }

  @Test("A workload of no events has no messages, yet ids for every index")
  func empty() {
    let workload = Workload(eventCount: 0)
    #expect(workload.events.isEmpty && workload.messages.isEmpty)
    #expect(workload.messageKeys.isEmpty && workload.userIDs.isEmpty)
    #expect(workload.userID(199_999).text.utf8.count == 20)
    #expect(workload.commands(0..<0).isEmpty)
  }
}
