internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Reads and writes `meta`.
enum Meta {
  /// Reads the format version, and refuses one that is not known.
  static func requireFormat(
    _ reads: borrowing ReadTransaction, in meta: Database
  ) throws(LedgerError) {
    let key = MetaFormat.formatKey
    let bytes = try reads.get(name(key).span, in: meta)
    guard let bytes else { throw missing(.meta, "meta \(key)", "a format version") }
    let version = try decoding(.meta, "meta \(key)") { () throws(CodecError) in
      try MetaFormat.decodeFormat(bytes)
    }
    guard version == Int(RecordFormat.version) else { throw .newerFormat(version: version) }
  }

  /// Reads the ledger id.
  static func ledgerID(
    _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) -> LedgerID {
    let key = MetaFormat.ledgerKey
    let bytes = try reads.get(name(key).span, in: databases.meta)
    guard let bytes else { throw missing(.meta, "meta \(key)", "a ledger id") }
    return try decoding(.meta, "meta \(key)") { () throws(CodecError) in
      try MetaFormat.decodeLedger(bytes)
    }
  }

  /// Reads which slot is live, and the erase epoch.
  static func state(
    _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) -> MetaFormat.State {
    let key = MetaFormat.stateKey
    let bytes = try reads.get(name(key).span, in: databases.meta)
    guard let bytes else { throw missing(.meta, "meta \(key)", "the state") }
    return try decoding(.meta, "meta \(key)") { () throws(CodecError) in
      try MetaFormat.State(decoding: bytes)
    }
  }

  /// Reads the policy in force.
  static func policy(
    _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) -> Policy {
    let key = MetaFormat.policyKey
    let bytes = try reads.get(name(key).span, in: databases.meta)
    guard let bytes else { throw missing(.policy, "meta \(key)", "a policy") }
    return try decoding(.policy, "meta \(key)") { () throws(CodecError) in
      try PolicyFormat.decode(bytes)
    }
  }

  /// Reads the version of the emoji tables; `nil` if there is none.
  static func tables(
    _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) -> [UInt8]? {
    guard let bytes = try reads.get(name(MetaFormat.tablesKey).span, in: databases.meta) else {
      return nil
    }
    return [UInt8](bytes)
  }

  /// Writes the policy in force.
  static func put(
    _ policy: Policy, _ transaction: inout WriteTransaction, _ databases: Databases
  ) throws(LedgerError) {
    var bytes: [UInt8] = []
    PolicyFormat.encode(policy, into: &bytes)
    try put(bytes, for: MetaFormat.policyKey, &transaction, databases)
  }

  /// Writes which slot is live, and what goes with it.
  static func put(
    _ state: MetaFormat.State, _ transaction: inout WriteTransaction, _ databases: Databases
  ) throws(LedgerError) {
    try put(state.encode(), for: MetaFormat.stateKey, &transaction, databases)
  }

  /// Writes one value.
  static func put(
    _ value: [UInt8], for key: String, _ transaction: inout WriteTransaction,
    _ databases: Databases
  ) throws(LedgerError) {
    try transaction.set(value.span, for: name(key).span, in: databases.meta)
  }

  private static func name(_ key: String) -> [UInt8] { Array(key.utf8) }
}
