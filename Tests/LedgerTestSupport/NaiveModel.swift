public import ReactionModel

/// What a ledger must do, in the plainest way: lists, searched.
///
/// It shares nothing with the reducer or the projector; it exists to be compared with both.
public struct NaiveModel: Sendable {
  /// A user as the ledger knows one: an id that comes back after an erasure is another one.
  public struct Person: Hashable, Sendable {
    /// The user's id.
    public let id: UserID
    /// How often an id had been given before.
    public let number: Int
  }

  /// One live reaction.
  public struct Live: Hashable, Sendable {
    /// The message.
    public let message: MessageKey
    /// The reaction.
    public let reaction: Reaction
    /// Whose it is.
    public let person: Person
    /// The sequence of the add.
    public let sequence: UInt64
  }

  /// What a message must show of one reaction.
  public struct Shown: Hashable, Sendable {
    /// The reaction.
    public let reaction: Reaction
    /// All its users in order.
    public let people: [Person]

    /// The ids of all its users in order.
    public var users: [UserID] { people.map(\.id) }
  }

  private struct Receipt {
    let command: Command
    let user: Person?
    let actor: Person?
    let sequences: ClosedRange<UInt64>
    /// Whether a record tells its reaction and cause: not of an add that only took others away.
    let isTold: Bool
  }

  /// All live reactions, in order of their adds.
  public private(set) var live: [Live] = []
  private var opened: [(message: MessageKey, reaction: Reaction)] = []
  private var receipts: [CommandID: Receipt] = [:]
  private var people: [UserID: Person] = [:]
  private var personCount = 0
  /// The users who were erased.
  public private(set) var erased: Set<Person> = []
  /// The policy in force.
  public private(set) var policy: Policy
  /// The sequence of the last record; the ledger's creation is record 1.
  public private(set) var head: UInt64 = 1
  /// The sequence of the last event, 0 before the first.
  public private(set) var lastEvent: UInt64 = 0
  private var lastEvents: [MessageKey: UInt64] = [:]

  /// The sequence of the last event on a message, 0 before its first.
  public func lastSequence(of message: MessageKey) -> UInt64 { lastEvents[message] ?? 0 }

  /// What a new ledger shows.
  public init(policy: Policy = .standard) { self.policy = policy }

  /// What a command must come to; a refusal and an unchanged by its name.
  public enum Expected: Hashable, Sendable {
    /// Recorded with these sequences.
    case recorded(ClosedRange<UInt64>)
    /// Answered with earlier sequences.
    case repeated(ClosedRange<UInt64>)
    /// Nothing to do.
    case unchanged(String)
    /// Refused.
    case refused(String)

    /// Whether it is a refusal.
    public var isRefusal: Bool {
      if case .refused = self { true } else { false }
    }

    /// What an outcome of the ledger is in these terms.
    public init(_ outcome: Outcome) {
      switch outcome {
      case .recorded(let receipt): self = .recorded(receipt.sequences)
      case .repeated(let receipt): self = .repeated(receipt.sequences)
      case .unchanged(let reason): self = .unchanged(reason.rawValue)
      case .refused(let reason): self = .refused(reason.name)
      case .rolledBack: self = .refused("rolledBack")
      }
    }
  }

  /// Runs a command.
  public mutating func run(_ command: Command) -> Expected {
    if let id = command.id, let earlier = receipts[id] {
      return isSame(command, earlier)
        ? .repeated(earlier.sequences) : .refused("commandIDReused")
    }
    let before = head
    let userBefore = command.user.flatMap { people[$0] }
    if let reason = perform(command) { return reason }
    let sequences = (isSeries(command) ? head : before + 1)...head
    let actor = command.actor == command.user ? nil : command.actor
    let actorPerson = actor.map { person($0) }
    if let id = command.id {
      receipts[id] = Receipt(
        command: command, user: userBefore ?? command.user.flatMap { people[$0] },
        actor: actorPerson, sequences: sequences,
        isTold: command.operation != .add || live.last?.sequence == head)
    }
    return .recorded(sequences)
  }

  private func isSeries(_ command: Command) -> Bool { command.operation == .erase }

  /// Does it; returns why not.
  private mutating func perform(_ command: Command) -> Expected? {
    switch command.action {
    case .change(let operation, let text, let message, let user):
      if message.conversation.kind == .room { return .refused("conversationNotSupported") }
      guard let reaction = try? Reaction(text) else {
        return operation == .add ? .refused("invalidReaction") : .unchanged("notReacted")
      }
      return operation == .add
        ? add(reaction, message, user) : remove(reaction, message, user)
    case .clear(let message, let text):
      if message.conversation.kind == .room { return .refused("conversationNotSupported") }
      let reaction = text.flatMap { try? Reaction($0) }
      let gone = live.filter {
        $0.message == message && (text == nil || $0.reaction == reaction)
      }
      if gone.isEmpty { return .unchanged("nothingToClear") }
      for entry in gone { take(entry) }
      return nil
    case .erase(let user):
      guard let person = people[user] else { return .unchanged("nothingToErase") }
      for entry in live where entry.person == person { take(entry) }
      head += 1
      people[user] = nil
      erased.insert(person)
      return nil
    case .setPolicy(let new):
      if new == policy { return .unchanged("samePolicy") }
      policy = new
      head += 1
      return nil
    }
  }

  private mutating func add(
    _ reaction: Reaction, _ message: MessageKey, _ user: UserID
  ) -> Expected? {
    let here = live.filter { $0.message == message }
    let isShown = here.contains { $0.reaction == reaction }
    if !isShown, !policy.allows(reaction) { return .refused("invalidReaction") }
    let mine = here.filter { $0.person.id == user }
    let isHeld = mine.contains { $0.reaction == reaction }
    let replaced = policy.selection == .single ? mine.filter { $0.reaction != reaction } : []
    if isHeld, replaced.isEmpty { return .unchanged("alreadyReacted") }
    let kept = here.filter { !replaced.contains($0) }
    if !isHeld {
      if !isShown, Set(kept.map(\.reaction)).count >= policy.maximumDistinctPerMessage {
        return .refused("limitReached")
      }
      let held = kept.count { $0.person.id == user }
      if let limit = policy.maximumPerUserAndMessage, held >= limit {
        return .refused("limitReached")
      }
    }
    for entry in replaced { take(entry) }
    guard !isHeld else { return nil }
    if !live.contains(where: { $0.message == message && $0.reaction == reaction }) {
      opened.append((message, reaction))
    }
    head += 1
    lastEvent = head
    lastEvents[message] = head
    live.append(
      Live(message: message, reaction: reaction, person: person(user), sequence: head))
    return nil
  }

  private mutating func remove(
    _ reaction: Reaction, _ message: MessageKey, _ user: UserID
  ) -> Expected? {
    let entry = live.first {
      $0.message == message && $0.reaction == reaction && $0.person.id == user
    }
    guard let entry else { return .unchanged("notReacted") }
    take(entry)
    return nil
  }

  private mutating func take(_ entry: Live) {
    head += 1
    lastEvent = head
    lastEvents[entry.message] = head
    live.removeAll { $0 == entry }
    if !live.contains(where: { $0.message == entry.message && $0.reaction == entry.reaction }) {
      opened.removeAll { $0.message == entry.message && $0.reaction == entry.reaction }
    }
  }

  private mutating func person(_ id: UserID) -> Person {
    if let known = people[id] { return known }
    personCount += 1
    let person = Person(id: id, number: personCount)
    people[id] = person
    return person
  }

  /// Whether a command asks for what its id was recorded for: client time and parent do not count,
  /// the user need not be named as actor, and whoever was erased since is taken as the same.
  private func isSame(_ command: Command, _ earlier: Receipt) -> Bool {
    let old = earlier.command
    let isUser = isPerson(command.user, earlier.user)
    let actor = command.actor == command.user ? nil : command.actor
    // With an erased user it cannot be told any more that the actor was the user.
    let isActor = isPerson(actor, earlier.actor)
    return command.operation == old.operation && command.message == old.message
      && isUser && isActor && Self.policy(of: command) == Self.policy(of: old)
      && (!earlier.isTold
        || (Self.canonical(command.reaction) == Self.canonical(old.reaction)
          && command.cause == old.cause))
  }

  private func isPerson(_ id: UserID?, _ person: Person?) -> Bool {
    guard let person else { return id == nil }
    return id != nil && (erased.contains(person) || id == person.id)
  }

  private static func canonical(_ text: String?) -> Reaction? {
    text.flatMap { try? Reaction($0) }
  }

  private static func policy(of command: Command) -> Policy? {
    if case .setPolicy(let policy) = command.action { policy } else { nil }
  }

  /// What a message must show, in order of opening.
  public func shown(_ message: MessageKey) -> [Shown] {
    opened.filter { $0.message == message }.map { block in
      Shown(
        reaction: block.reaction,
        people: live.filter { $0.message == message && $0.reaction == block.reaction }
          .map(\.person))
    }
  }
}
