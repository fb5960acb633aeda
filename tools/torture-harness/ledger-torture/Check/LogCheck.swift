import LedgerEngine
import ReactionModel

/// Compares the log of a ledger, field by field, with what the lanes of a workload must have made.
struct LogCheck {
  private let workload: Workload
  /// The sequences of each lane's records.
  private(set) var sequences: [[UInt64]]
  /// How many steps of each lane are done.
  private(set) var positions: [ClosedRange<Int>] = []
  private(set) var head: UInt64 = 0

  init(_ workload: Workload) {
    self.workload = workload
    sequences = workload.lanes.map { _ in [] }
  }

  private static let pageCount = 1_000

  /// Reads the log from its beginning to its head.
  mutating func run(_ ledger: Ledger) throws(Failure) {
    var page: [Entry]
    repeat {
      let start = head
      page = try Failure.converting { () throws(LedgerError) in
        try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.records(after: start, limit: Self.pageCount)
        }
      }
      for entry in page { try check(entry, ledger) }
    } while page.count == Self.pageCount
    guard head > 0 else { throw .wrong("the log is empty") }
  }

  private mutating func check(_ entry: Entry, _ ledger: Ledger) throws(Failure) {
    guard entry.sequence == head + 1 else {
      throw .wrong("record \(entry.sequence) follows record \(head)")
    }
    head = entry.sequence
    if head == 1 {
      guard entry.record.content == .created(ledger: ledger.id, policy: workload.policy) else {
        throw .wrong("record 1 does not say that the ledger was created")
      }
      return
    }
    guard case .change(let change) = entry.record.content,
      let lane = workload.laneOfMessage[change.message]
    else { throw .wrong("record \(head) was never asked for") }
    let number = sequences[lane].count
    guard number < workload.lanes[lane].records.count else {
      throw .wrong("record \(head) is one more than lane \(lane) asked for")
    }
    let expected = workload.lanes[lane].records[number]
    sequences[lane].append(head)
    if let field = difference(entry, change, expected, sequences[lane]) {
      throw .wrong("record \(head): its \(field) is not what was asked for: \(entry)")
    }
  }

  /// The name of a field that is not as it should be.
  private func difference(
    _ entry: Entry, _ change: Record.Change, _ expected: ExpectedRecord, _ sequences: [UInt64]
  ) -> String? {
    let record = entry.record
    let kind: Record.Change.Kind =
      if let ends = expected.ends { .removed(ends: sequences[ends - 1]) } else { .added }
    let place = Record.Place(
      expected.operation, index: expected.index, count: expected.count)
    let previous = expected.previous == 0 ? 0 : sequences[expected.previous - 1]
    let checks: [(String, Bool)] = [
      ("place in its command", record.place == place), ("kind", change.kind == kind),
      ("message", change.message == expected.message), ("parent", change.parent == expected.parent),
      ("reaction", Array(change.reaction.text.utf8) == Array(expected.reaction.utf8)),
      ("user", entry.user == expected.user), ("actor", entry.actor == expected.actor),
      ("cause", record.cause == expected.cause),
      ("client time", record.clientTime == expected.clientTime),
      ("command id", record.commandID == expected.commandID),
      ("previous sequence", change.previous == previous),
    ]
    return checks.first { !$0.1 }?.0
  }

  /// Every lane ends where a step does: a step is one transaction.
  mutating func checkSteps() throws(Failure) {
    for (index, lane) in workload.lanes.enumerated() {
      guard let position = lane.positions(recordCount: sequences[index].count) else {
        throw .wrong("lane \(index) ends inside a step, after \(sequences[index].count) records")
      }
      positions.append(position)
    }
  }

  /// What every message shows is what the records make of it.
  func checkSummaries(_ ledger: Ledger) throws(Failure) {
    var shown: [MessageKey: [(reaction: String, users: [UserID])]] = [:]
    for (lane, sequences) in zip(workload.lanes, sequences) {
      for record in lane.records.prefix(sequences.count) { Self.apply(record, to: &shown) }
    }
    for message in workload.laneOfMessage.keys {
      let summary = try Failure.converting { () throws(LedgerError) in
        try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.summary(of: message)
        }
      }
      let expected = shown[message] ?? []
      let isSame =
        summary.reactions.count == expected.count
        && zip(summary.reactions, expected).allSatisfy { (real, expected) in
          real.reaction.text == expected.reaction && real.count == expected.users.count
            && real.firstUsers == Array(expected.users.prefix(3))
        }
      guard isSame else {
        throw .wrong("\(message) shows \(summary), should show \(expected)")
      }
    }
  }

  private static func apply(
    _ record: ExpectedRecord,
    to shown: inout [MessageKey: [(reaction: String, users: [UserID])]]
  ) {
    var blocks = shown[record.message] ?? []
    let place = blocks.firstIndex { $0.reaction == record.reaction }
    switch (record.ends, place) {
    case (nil, let place?): blocks[place].users.append(record.user)
    case (nil, nil): blocks.append((record.reaction, [record.user]))
    case (_?, let place?):
      blocks[place].users.removeAll { $0 == record.user }
      if blocks[place].users.isEmpty { blocks.remove(at: place) }
    case (_?, nil): break
    }
    shown[record.message] = blocks
  }
}
