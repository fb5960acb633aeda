import ReactionModel

/// Another store that does what a ledger does, so that the ledger's figures stand beside others.
///
/// It takes the same commands, refuses the same ones (an add of what is there, a remove of what is
/// not), numbers events from 1 and answers the same reads. It keeps a log of the events, but neither
/// seals nor commitments, checks no policy and rewrites no reaction: so it does less. For one
/// thread.
protocol Peer: AnyObject {
  /// Its name and version.
  static var title: String { get }

  /// Makes a new store.
  ///
  /// - Parameters:
  ///   - path: A folder that is there and is empty.
  ///   - isDurable: Whether a commit waits for the disk.
  /// - Throws: ``BenchError/peer(_:)``.
  init(at path: String, isDurable: Bool) throws

  /// Runs commands in one transaction, and returns how many were recorded; those that are no
  /// ``PeerChange`` are not.
  func append(_ commands: [Command]) throws -> Int

  /// Reads several messages on one snapshot.
  func summaries(of messages: [MessageKey], viewer: UserID?) throws -> [PeerSummary]

  /// The first users of a reaction, at most `limit`, and how many there are in all.
  func reactors(
    of reaction: String, on message: MessageKey, limit: Int
  ) throws -> (count: Int, users: [String])

  /// Puts all into the files that they stay in.
  func settle() throws

  /// Ends it.
  func close()
}

/// An add or a remove: what a peer takes.
struct PeerChange {
  let isAdd: Bool
  let reaction: String
  let message: MessageKey
  let user: UserID
  let time: Timestamp?

  /// What a command asks for; `nil` if it is another kind of command.
  init?(_ command: Command) {
    guard case .change(let operation, let reaction, let message, let user) = command.action else {
      return nil
    }
    isAdd = operation == .add
    self.reaction = reaction
    self.message = message
    self.user = user
    time = command.clientTime
  }
}

/// A summary as a peer gives it.
struct PeerSummary: Equatable {
  /// A live reaction.
  struct Reaction: Equatable {
    let text: String
    let count: Int
    let isViewers: Bool
    let firstUsers: [String]
  }

  let eventCount: Int
  let reactions: [Reaction]

  static let firstUserCount = 3
}

extension Digest {
  /// All of a summary, as of a ledger's.
  mutating func add(_ summary: PeerSummary) {
    add(summary.eventCount)
    for reaction in summary.reactions {
      add(reaction.text)
      add(reaction.count)
      add(reaction.isViewers ? 1 : 0)
      for user in reaction.firstUsers { add(user) }
    }
  }
}

/// The peers that this program was built with.
enum Peers {
  static var all: [any Peer.Type] {
    var peers: [any Peer.Type] = []
    #if SQLitePeer
      peers.append(SQLitePeer.self)
    #endif
    #if RocksDBPeer
      peers.append(RocksDBPeer.self)
    #endif
    return peers
  }
}
