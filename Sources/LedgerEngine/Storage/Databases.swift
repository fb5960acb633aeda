internal import LMDB

/// The handles of all databases of a ledger; opened once, closed with the environment.
struct Databases: Sendable {
  let events: Database
  let users: Database
  let userNumbers: Database
  let tree: Database
  let meta: Database
  private let slots: (ProjectionSlot, ProjectionSlot)

  /// How many databases there are.
  static let count = 15

  /// The projections of a slot, 0 or 1.
  func slot(_ index: Int) -> ProjectionSlot { index == 0 ? slots.0 : slots.1 }

  /// Opens the databases.
  init(_ transaction: inout WriteTransaction, _ flags: DatabaseFlags) throws(LMDBError) {
    events = try transaction.openDatabase("events", flags)
    users = try transaction.openDatabase("users", flags)
    userNumbers = try transaction.openDatabase("userNumbers", flags)
    tree = try transaction.openDatabase("tree", flags)
    meta = try transaction.openDatabase("meta", flags)
    slots = (
      try ProjectionSlot(&transaction, "A", flags), try ProjectionSlot(&transaction, "B", flags)
    )
  }
}

/// One set of the projections: all that can be built anew from the log.
struct ProjectionSlot: Sendable {
  let messages: Database
  let reactors: Database
  let members: Database
  let commands: Database
  let byUser: Database

  init(
    _ transaction: inout WriteTransaction, _ suffix: String, _ flags: DatabaseFlags
  ) throws(LMDBError) {
    func open(
      _ name: Name, _ transaction: inout WriteTransaction
    ) throws(LMDBError) -> Database {
      try transaction.openDatabase("\(name.rawValue).\(suffix)", flags)
    }
    messages = try open(.messages, &transaction)
    reactors = try open(.reactors, &transaction)
    members = try open(.members, &transaction)
    commands = try open(.commands, &transaction)
    byUser = try open(.byUser, &transaction)
  }

  /// The names of the projections.
  enum Name: String, Sendable, CaseIterable {
    case messages
    case reactors
    case members
    case commands
    case byUser
  }

  /// The projection of a name.
  func database(_ name: Name) -> Database {
    switch name {
    case .messages: messages
    case .reactors: reactors
    case .members: members
    case .commands: commands
    case .byUser: byUser
    }
  }
}
