public import ReactionModel

/// What a ledger with the standard policy must do, in the plainest way: lists, searched.
///
/// It shares nothing with the reducer or the projector; it exists to be compared with both.
public struct NaiveModel: Sendable {
  /// One live reaction.
  public struct Live: Hashable, Sendable {
    let message: MessageKey
    let reaction: Reaction
    let user: UserID
    let sequence: UInt64
  }

  /// What a message must show of one reaction.
  public struct Shown: Hashable, Sendable {
    /// The reaction.
    public let reaction: Reaction
    /// All its users in order.
    public let users: [UserID]
  }

  private var live: [Live] = []
  private var opened: [(message: MessageKey, reaction: Reaction)] = []
  private var receipts: [CommandID: (Command, ClosedRange<UInt64>)] = [:]
  /// The sequence of the last record; the ledger's creation is record 1.
  public private(set) var head: UInt64 = 1

  /// What a new ledger shows.
  public init() {}

  /// What a command must come to.
  public enum Expected: Hashable, Sendable {
    /// Recorded with this sequence.
    case recorded(UInt64)
    /// Answered with an earlier sequence.
    case repeated(UInt64)
    /// Nothing to do.
    case unchanged
    /// Refused.
    case refused
  }

  /// Runs a command.
  public mutating func run(_ command: Command) -> Expected {
    if let id = command.id, let (earlier, sequences) = receipts[id] {
      return Self.isSame(command, earlier) ? .repeated(sequences.lowerBound) : .refused
    }
    guard let reaction = try? Reaction(command.reaction) else {
      return command.operation == .add ? .refused : .unchanged
    }
    let isHere = { (entry: Live) in
      entry.message == command.message && entry.reaction == reaction
    }
    let index = live.firstIndex { isHere($0) && $0.user == command.user }
    switch command.operation {
    case .add:
      if reaction.form == .text { return .refused }
      if index != nil { return .unchanged }
      if !live.contains(where: isHere) {
        if shown(command.message).count >= 20 { return .refused }
        opened.append((command.message, reaction))
      }
      head += 1
      live.append(
        Live(message: command.message, reaction: reaction, user: command.user, sequence: head))
    case .remove:
      guard let index else { return .unchanged }
      head += 1
      live.remove(at: index)
      if !live.contains(where: isHere) {
        opened.removeAll { $0.message == command.message && $0.reaction == reaction }
      }
    }
    if let id = command.id { receipts[id] = (command, head...head) }
    return .recorded(head)
  }

  /// Whether two commands with one id ask for the same: client time and parent do not count, and
  /// the user need not be named as actor.
  private static func isSame(_ a: Command, _ b: Command) -> Bool {
    a.operation == b.operation && a.message == b.message && a.reaction == b.reaction
      && a.user == b.user && a.cause == b.cause
      && (a.actor ?? a.user) == (b.actor ?? b.user)
  }

  /// What a message must show, in order of opening.
  public func shown(_ message: MessageKey) -> [Shown] {
    opened.filter { $0.message == message }.map { block in
      let users = live.filter { $0.message == message && $0.reaction == block.reaction }
        .sorted { $0.sequence < $1.sequence }.map(\.user)
      return Shown(reaction: block.reaction, users: users)
    }
  }
}
