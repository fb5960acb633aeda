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
    try self.init { (name) throws(LMDBError) in try transaction.openDatabase(name, flags) }
  }

  /// Opens the databases that are there, without writing; the others read as empty.
  init(toReadIn environment: Environment) throws(LMDBError) {
    try self.init { (name) throws(LMDBError) in try environment.openDatabases([name])[0] }
  }

  private init(_ open: (String) throws(LMDBError) -> Database) throws(LMDBError) {
    events = try open("events")
    users = try open("users")
    userNumbers = try open("userNumbers")
    tree = try open("tree")
    meta = try open("meta")
    slots = (try ProjectionSlot("A", open), try ProjectionSlot("B", open))
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
    _ suffix: String, _ openNamed: (String) throws(LMDBError) -> Database
  ) throws(LMDBError) {
    func open(_ name: Name) throws(LMDBError) -> Database {
      try openNamed("\(name.rawValue).\(suffix)")
    }
    messages = try open(.messages)
    reactors = try open(.reactors)
    members = try open(.members)
    commands = try open(.commands)
    byUser = try open(.byUser)
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
