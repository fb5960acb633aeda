import LMDB
import LedgerEngine
import LedgerTestSupport
import ReactionClient
import ReactionModel
import Testing

/// A ledger in a temporary folder with a host around it: messages, members, names.
final class TestChat {
  let folder: TemporaryFolder
  let ledger: Ledger
  let directory = TestDirectory()

  init(policy: Policy = .standard) throws {
    folder = try TemporaryFolder()
    var options = LedgerOptions()
    // Many are open at once, and the thread sanitizer leaves room for six maps of the usual size.
    options.mapSizeBytes = 1 << 30
    ledger = try Ledger.create(at: folder.file("L"), policy: policy, options: options)
  }

  func client(
    _ user: UserID, after position: Position? = nil, mark: UInt64? = nil
  ) throws -> LedgerClient {
    try LedgerClient(ledger, user: user, directory: directory, after: position, mark: mark)
  }

  /// Adds a reaction for each user, in their order.
  func react(_ reaction: String, on message: Int = 38230, by users: [UserID]) async throws {
    for user in users { _ = try await client(user).addReaction(reaction, to: message) }
  }
}

/// What a host would know: by default message 38230 and others of group g1, and one of two users.
final class TestDirectory: ReactionDirectory {
  struct Content {
    var messages: [MessageID: MessageFacts] = [:]
    var members: [Conversation: Set<UserID>] = [:]
    var names: [UserID: String] = [:]
    var mayNotReact: Set<UserID> = []
    var failure: DirectoryFailure?
    var namesFailure: DirectoryFailure?
  }

  static let group = Conversation.group("g1")
  static let pair = Conversation.user("alice_user_bob")

  private let content: Monitor<Content>

  init() {
    var content = Content()
    for id in [38230, 38231, 38232] {
      content.messages[MessageID(id)] = MessageFacts(
        conversation: Self.group, receiver: .group("g1"),
        parent: id == 38231 ? MessageID(38230) : nil)
    }
    content.messages["direct"] = MessageFacts(conversation: Self.pair, receiver: .user("bob"))
    content.members[Self.group] = ["alice", "bob", "carol", "dave", "erin"]
    content.members[Self.pair] = ["alice", "bob"]
    content.names = ["alice": "Alice A.", "bob": "Bob"]
    self.content = Monitor(content)
  }

  func change(_ body: (inout Content) -> Void) { content.withLock { body(&$0) } }

  private func read<R>(_ body: (Content) -> R) throws(DirectoryFailure) -> R {
    try content.withLock { (content) throws(DirectoryFailure) in
      if let failure = content.failure { throw failure }
      return body(content)
    }
  }

  func messages(
    _ ids: [MessageID], in conversation: Conversation?, for user: UserID
  ) async throws(DirectoryFailure) -> [MessageID: MessageFacts] {
    try read { content in content.messages.filter { ids.contains($0.key) } }
  }

  func isMember(
    _ user: UserID, of conversation: Conversation
  ) async throws(DirectoryFailure) -> Bool {
    try read { $0.members[conversation]?.contains(user) ?? false }
  }

  func mayReact(
    _ user: UserID, _ action: ReactionAction, on message: MessageKey
  ) async throws(DirectoryFailure) -> Bool {
    try read { !$0.mayNotReact.contains(user) }
  }

  func displayNames(of users: [UserID]) async throws(DirectoryFailure) -> [UserID: String] {
    if let failure = try read(\.namesFailure) { throw failure }
    return try read(\.names)
  }
}

/// A listener that keeps what it hears, to be waited for.
struct Recorder: ReactionListener {
  enum Heard: Hashable, Sendable {
    case added(ReactionEvent)
    case removed(ReactionEvent)
    case changed(ReactionChange)
    case failed(String)
  }

  let heard: AsyncStream<Heard>
  private let tell: AsyncStream<Heard>.Continuation

  init() { (heard, tell) = AsyncStream.makeStream() }

  func onMessageReactionAdded(_ event: ReactionEvent) async { tell.yield(.added(event)) }
  func onMessageReactionRemoved(_ event: ReactionEvent) async { tell.yield(.removed(event)) }
  func messageReactionDidChange(_ change: ReactionChange) async { tell.yield(.changed(change)) }
  func reactionFeedDidFail(_ error: ReactionClientError) async { tell.yield(.failed(error.code)) }

  /// Ends what it hears: what it heard before can still be read.
  func finish() { tell.finish() }

  /// The next things it hears, as many as are asked for.
  func next(_ count: Int) async -> [Heard] {
    var items: [Heard] = []
    for await item in heard {
      items.append(item)
      if items.count == count { break }
    }
    return items
  }

  /// The next changes it hears; events are passed over.
  func changes(_ count: Int) async -> [ReactionChange] {
    var items: [ReactionChange] = []
    for await item in heard {
      if case .changed(let change) = item { items.append(change) }
      if items.count == count { break }
    }
    return items
  }

  /// The next events it hears, as `+👍 alice` and `-👍 alice`; changes are passed over.
  func events(_ count: Int) async -> [String] {
    var items: [String] = []
    for await item in heard {
      switch item {
      case .added(let event): items.append("+\(event.reaction) \(event.user?.id.text ?? "-")")
      case .removed(let event): items.append("-\(event.reaction) \(event.user?.id.text ?? "-")")
      case .changed, .failed: continue
      }
      if items.count == count { break }
    }
    return items
  }
}

/// What an operation failed with, as `CODE number text`; "none" if it did not.
func failure<R>(of body: () async throws -> R) async -> String {
  do {
    _ = try await body()
    return "none"
  } catch let error as ReactionClientError {
    return "\(error.code) \(error.number.map { "\($0)" } ?? "-") \(error)"
  } catch {
    return "\(error)"
  }
}

/// A list as a table: `👍 1 true, ❤️ 2 false`.
func table(_ reactions: [ReactionOverview]) -> String {
  reactions.map { "\($0.reaction) \($0.count) \($0.reactedByMe)" }.joined(separator: ", ")
}

/// A list with its first users: `👍 2 alice,bob`; a stale preview ends in `…`.
func previews(_ reactions: [ReactionOverview]) -> String {
  reactions.map { reaction in
    let users = reaction.firstUsers.map(\.text).joined(separator: ",")
    return "\(reaction.reaction) \(reaction.count) \(users)\(reaction.isPreviewStale ? "…" : "")"
  }.joined(separator: ", ")
}
