import LedgerTestSupport
import ReactionModel
import Testing

@testable import LedgerEngine

/// Every sequence of adds, removals and clears of a small length on one message, in memory.
///
/// Held equal after every command: what the plan of an add says and what the naive model does; and,
/// with that made into records, what the reducer and the model say is live, in which order, with no
/// finding of the reducer.
@Suite struct SmallPlanTests {
  struct Rules: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let length: Int
    let policy: Policy

    init(_ name: String, _ length: Int, _ policy: Policy) {
      testDescription = name
      self.policy = policy
      #if DEBUG
        self.length = min(length, 3)
      #else
        self.length = length
      #endif
    }
  }

  static let rules: [Rules] = {
    do {
      return [
        Rules("several", 6, .standard),
        Rules("single", 6, try Policy(selection: .single)),
        Rules("one distinct", 4, try Policy(maximumDistinctPerMessage: 1)),
        Rules("one per user", 4, try Policy(maximumPerUserAndMessage: 1)),
        Rules(
          "single, one distinct", 4, try Policy(selection: .single, maximumDistinctPerMessage: 1)),
      ]
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  static let users: [UserID] = ["u1", "u2"]
  static let reactions: [Reaction] = [.named("A"), .named("B")]

  /// All commands, with the numbers of the user and the reaction in them.
  static let commands: [(command: Command, user: Int?, reaction: Int?)] = {
    var all: [(command: Command, user: Int?, reaction: Int?)] = [
      (.clear(.m1, cause: .moderation), nil, nil)
    ]
    for (index, reaction) in reactions.enumerated() {
      all.append((.clear(.m1, reaction: reaction.text, cause: .moderation), nil, index))
      for (place, user) in users.enumerated() {
        all.append((.add(reaction.text, to: .m1, by: user), place, index))
        all.append((.remove(reaction.text, from: .m1, by: user), place, index))
      }
    }
    return all
  }()

  /// A state of the world, by the model and by the reducer.
  struct State {
    var model: NaiveModel
    var reducer = Reducer()
    var userCount = 0
    var reactionCount = 0

    init(_ policy: Policy) {
      model = NaiveModel(policy: policy)
      let created = Record(
        recordedAt: Timestamp(microseconds: 0), cause: .user, place: .init(.create), user: 0,
        content: .created(ledger: LedgerID(high: 0, low: 1), policy: policy))
      _ = reducer.apply(created, at: 1)
    }

    /// What the engine would plan for an add, from what the model says is live.
    func plan(_ reaction: Reaction, _ user: UserID) -> Plan {
      let live = model.live
      let mine = live.filter { $0.person.id == user }
      let others = Set(live.filter { $0.person.id != user }.map(\.reaction))
      return Plan(
        in: Plan.Situation(
          isHeld: mine.contains { $0.reaction == reaction },
          isShown: live.contains { $0.reaction == reaction },
          held: mine.map {
            Plan.Held(
              reaction: $0.reaction, sequence: $0.sequence,
              isOnly: !others.contains($0.reaction), isWanted: $0.reaction == reaction)
          }, distinctCount: Set(live.map(\.reaction)).count), under: model.policy)
    }

    /// Makes what the model did into records and gives them to the reducer; what it finds.
    mutating func reduce(_ command: Command, _ before: [NaiveModel.Live]) -> [Finding] {
      let removed = before.filter { !model.live.contains($0) }
      let added = model.live.filter { !before.contains($0) }
      let count = removed.count + added.count
      var findings: [Finding] = []
      for (index, live) in (removed + added).enumerated() {
        let isAdd = index >= removed.count
        let number = UserNumber(live.person.number)
        let isNew = number > reducer.users.count
        let record = Record(
          recordedAt: Timestamp(microseconds: 0),
          cause: command.operation == .add && !isAdd ? .replaced : command.cause,
          place: .init(command.operation, index: index, count: count), user: number,
          userCommitment: isNew ? Commitment((UInt64(number), 0, 0, 0)) : nil,
          content: .change(
            Record.Change(
              isAdd ? .added : .removed(ends: live.sequence), message: .m1,
              reaction: live.reaction,
              previous: reducer.messages[.m1]?.lastSequence ?? 0)))
        findings += reducer.apply(record, at: reducer.head + 1)
      }
      return findings
    }
  }

  @Test(arguments: rules) func everySequence(rules: Rules) throws {
    var nodeCount = 0
    func visit(_ state: State, _ depth: Int) {
      guard depth < rules.length else { return }
      for (command, user, reaction) in Self.commands {
        guard user ?? 0 <= state.userCount, reaction ?? 0 <= state.reactionCount else { continue }
        var next = state
        if let user { next.userCount = max(next.userCount, user + 1) }
        if let reaction { next.reactionCount = max(next.reactionCount, reaction + 1) }
        let problem = Self.problem(after: command, &next)
        if let problem { Issue.record("\(rules.testDescription), \(command): \(problem)") }
        nodeCount += 1
        visit(next, depth + 1)
      }
    }
    visit(State(rules.policy), 0)
    print("in memory, \(rules.testDescription): \(nodeCount) commands to length \(rules.length)")
    #expect(nodeCount > 100)
  }

  /// Runs a command in all programs; where they part.
  private static func problem(after command: Command, _ state: inout State) -> String? {
    let before = state.model.live
    var plan: Plan?
    if command.operation == .add, let user = command.user,
      let reaction = reactions.first(where: { $0.text == command.reaction })
    {
      plan = state.plan(reaction, user)
    }
    let expected = state.model.run(command)
    let findings = state.reduce(command, before)
    guard findings.isEmpty else { return "\(findings)" }
    guard state.reducer.head == state.model.head else { return "another number of records" }
    let shown = state.model.shown(.m1)
    let live = state.reducer.messages[.m1]?.reactions ?? []
    guard live.map(\.reaction) == shown.map(\.reaction),
      live.map({ $0.reactors.map { Int($0.user) } }) == shown.map({ $0.people.map(\.number) })
    else { return "the reducer has \(live), the model \(shown)" }
    switch (plan, expected) {
    case (nil, _), (.unchanged, .unchanged("alreadyReacted")),
      (.limitReached, .refused("limitReached")):
      return nil
    case (.changes(let removed, let isAdded), .recorded(let sequences)):
      let gone = before.filter { !state.model.live.contains($0) }
      let isSame =
        removed.map(\.sequence) == gone.map(\.sequence)
        && sequences.count == removed.count + (isAdded ? 1 : 0)
      return isSame ? nil : "the plan removes \(removed), the model \(gone)"
    default: return "the plan is \(String(describing: plan)), the model says \(expected)"
    }
  }
}
