import Foundation
import LedgerEngine
import ReactionModel

/// Runs a small chat against a ledger and checks every answer; exit status 1 if one is wrong.
@main
struct Sample {
  static let people = (1...50).map { "user-\($0)" }

  static func main() async throws {
    let failureCount = try await run()
    guard failureCount == 0 else {
      print("embedding-sample: \(failureCount) answers are wrong")
      exit(1)
    }
    print("embedding-sample: all answers are right")
  }

  static func run() async throws -> Int {
    let parent = FileManager.default.temporaryDirectory
      .appending(path: "embedding-sample-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    let folder = parent.appending(path: "ledger").path(percentEncoded: false)

    var checks = Checks()
    let message = try MessageKey(.group("engineering"), "m1")
    let requests = try people.map { Request(user: try UserID($0), id: CommandID()) }
    do {
      let reactions = try Reactions(folder: folder)
      defer { reactions.ledger.close() }
      try await addAtOnce(requests, to: message, reactions, &checks)
      try await removeOne(from: message, reactions, &checks)
      try readSummary(of: message, reactions, &checks)
      try readPages(of: message, reactions, &checks)
    }
    try await openAgain(folder, requests[0], message, &checks)
    return checks.failureCount
  }

  /// Many tasks, each sending its request twice, as clients do that lost the first answer.
  static func addAtOnce(
    _ requests: [Request], to message: MessageKey, _ reactions: Reactions, _ checks: inout Checks
  ) async throws {
    let names = try await withThrowingTaskGroup(of: String.self) { group in
      for request in requests {
        for _ in 1...2 {
          group.addTask {
            try await reactions.ledger.append(
              .add("👍", to: message, by: request.user, id: request.id)
            ).name
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    checks.expect("commands recorded", names.count { $0 == "recorded" }, people.count)
    checks.expect("commands repeated", names.count { $0 == "repeated" }, people.count)

    let wasAdded = try await reactions.add(
      "❤", to: message, by: "user-1", request: CommandID())
    checks.expect("a heart was added", wasAdded, true)
    let isReaction = try await reactions.add(
      "not a reaction", to: message, by: "user-1", request: CommandID())
    checks.expect("a text was added", isReaction, false)
  }

  static func removeOne(
    from message: MessageKey, _ reactions: Reactions, _ checks: inout Checks
  ) async throws {
    let remove = Command.remove("👍", from: message, by: "user-50")
    checks.expect("remove", try await reactions.ledger.append(remove).name, "recorded")
    let again = try await reactions.ledger.append(remove)
    checks.expect("remove again", again, .unchanged(.notReacted))
  }

  static func readSummary(
    of message: MessageKey, _ reactions: Reactions, _ checks: inout Checks
  ) throws {
    let seen = try reactions.summary(of: message, for: "user-1")
    checks.expect("reactions", seen.map(\.reaction.text), ["👍", "❤️"])
    checks.expect("counts", seen.map(\.count), [people.count - 1, 1])
    checks.expect("mine, as user-1 sees it", seen.map(\.reactedByMe), [true, true])
    let other = try reactions.summary(of: message, for: "user-50")
    checks.expect("mine, as user-50 sees it", other.map(\.reactedByMe), [false, false])
  }

  static func readPages(
    of message: MessageKey, _ reactions: Reactions, _ checks: inout Checks
  ) throws {
    let thumb = try Reaction("👍")
    var pages = [try reactions.users(of: thumb, on: message)]
    while let cursor = pages.last?.cursor {
      // A cursor travels to a client and back as text.
      let received = try PageCursor(parsing: cursor.description)
      pages.append(try reactions.users(of: thumb, on: message, after: received))
    }
    let users = pages.flatMap(\.users)
    checks.expect("pages", pages.map(\.users.count), [20, 20, 9])
    checks.expect("users on all pages", Set(users).count, people.count - 1)
    let first = try reactions.summary(of: message, for: "user-1").first?.firstUsers ?? []
    checks.expect("first users are the head of the list", first, Array(users.prefix(3)))
  }

  /// A restart: the ledger still knows the request, and its log explains every count.
  static func openAgain(
    _ folder: String, _ request: Request, _ message: MessageKey, _ checks: inout Checks
  ) async throws {
    let reactions = try Reactions(folder: folder)
    defer { reactions.ledger.close() }
    let retry = try await reactions.ledger.append(
      .add("👍", to: message, by: request.user, id: request.id))
    checks.expect("an old request, sent again", retry.name, "repeated")
    let history = try reactions.ledger.read { snapshot throws(LedgerError) in
      try snapshot.history(of: message)
    }
    checks.expect("events on the message", history.count, people.count + 2)
    checks.expect("replay agrees", try reactions.audit(), true)
    let report = try reactions.ledger.replay()
    // The events, and the record that says that the ledger was created.
    checks.expect("head of the log", report.head, UInt64(people.count + 3))
  }
}

/// What a client sends: who, and an id that stays the same when it is sent again.
struct Request: Sendable {
  let user: UserID
  let id: CommandID
}

/// Compares what came with what should, and prints both.
struct Checks {
  private(set) var failureCount = 0

  mutating func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
    let isRight = found == expected
    if !isRight { failureCount += 1 }
    print("\(isRight ? "ok   " : "WRONG") \(what): \(found)\(isRight ? "" : ", not \(expected)")")
  }
}
