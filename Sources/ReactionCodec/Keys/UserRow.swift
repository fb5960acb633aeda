package import ReactionModel

/// The value of `users`: u8 state, then, unless erased, 16 bytes of salt and the id.
package enum UserRow: Hashable, Sendable {
  /// A user who may react.
  case live(salt: SixteenBytes, id: UserID)
  /// A user whose erasure is under way: adds are refused.
  case closing(salt: SixteenBytes, id: UserID)
  /// An erased user: a tombstone, so that the number is never given again.
  case erased

  enum State {
    static let live: UInt8 = 0
    static let closing: UInt8 = 1
    static let erased: UInt8 = 2
  }

  /// The id, unless erased.
  package var id: UserID? {
    switch self {
    case .live(_, let id), .closing(_, let id): id
    case .erased: nil
    }
  }

  /// Appends the row's bytes.
  package func encode(into bytes: inout [UInt8]) {
    switch self {
    case .erased: bytes.append(State.erased)
    case .live(let salt, let id):
      Self.encodeLive(salt: salt, id: id.text.utf8Span.span, into: &bytes)
    case .closing(let salt, let id): Self.encode(State.closing, salt, id, &bytes)
    }
  }

  private static func encode(
    _ state: UInt8, _ salt: SixteenBytes, _ id: UserID, _ bytes: inout [UInt8]
  ) {
    bytes.append(state)
    bytes.append(u64: salt.high)
    bytes.append(u64: salt.low)
    bytes.append(id.text.utf8Span.span)
  }

  /// A row from exactly these bytes.
  package init(decoding bytes: Span<UInt8>) throws(CodecError) {
    var reader = ByteReader(bytes)
    let state = try reader.u8("user state")
    if state == State.erased {
      try reader.requireEnd()
      self = .erased
      return
    }
    guard state == State.live || state == State.closing else { throw .badValue("user state") }
    let high = try reader.u64("salt")
    let salt = SixteenBytes(high: high, low: try reader.u64("salt"))
    let id: UserID = try identifier(reader.take(reader.remainingCount, "user id"), "user id")
    self = state == State.live ? .live(salt: salt, id: id) : .closing(salt: salt, id: id)
  }

  /// The bytes of the id in a row, which are UTF-8; `nil` if the user is erased.
  ///
  /// For reads that want no `String`: it checks what ``init(decoding:)`` checks.
  @_lifetime(copy row)
  package static func id(in row: Span<UInt8>) throws(CodecError) -> Span<UInt8>? {
    guard row.count > saltByteCount, row[0] == State.live || row[0] == State.closing else {
      try verifyErased(row)
      return nil
    }
    let id = row.extracting(droppingFirst: 1 + saltByteCount)
    guard (1...UserID.maximumByteCount).contains(id.count), id.isUTF8() else {
      throw .badValue("user id")
    }
    return id
  }

  /// Throws if a row that has no room for a salt, or none by its state, is not an erased user's.
  private static func verifyErased(_ row: Span<UInt8>) throws(CodecError) {
    var reader = ByteReader(row)
    let state = try reader.u8("user state")
    guard state != State.live, state != State.closing else { throw .endsInside("salt") }
    guard state == State.erased else { throw .badValue("user state") }
    try reader.requireEnd()
  }

  /// What a user's commitment is the hash of: the salt, then the id.
  package static func opening(salt: SixteenBytes, id: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(saltByteCount + id.count)
    bytes.append(u64: salt.high)
    bytes.append(u64: salt.low)
    bytes.append(id)
    return bytes
  }

  /// The same, within the bytes of the row of a user who is not erased.
  @_lifetime(copy row)
  package static func opening(in row: Span<UInt8>) -> Span<UInt8> {
    row.extracting(droppingFirst: 1)
  }

  private static let saltByteCount = 16

  /// Appends the row of a live user.
  package static func encodeLive(
    salt: SixteenBytes, id: Span<UInt8>, into bytes: inout [UInt8]
  ) {
    bytes.append(State.live)
    bytes.append(u64: salt.high)
    bytes.append(u64: salt.low)
    bytes.append(id)
  }

  /// Appends the row of a user who is not erased, of what opens the user's commitment.
  package static func encode(
    opening: Span<UInt8>, isClosing: Bool, into bytes: inout [UInt8]
  ) {
    bytes.append(isClosing ? State.closing : State.live)
    bytes.append(opening)
  }

  /// Whether these are the bytes of the row of this id, and whether its erasure is under way; `nil` if
  /// they are another's.
  package static func isClosing(_ bytes: Span<UInt8>, of id: Span<UInt8>) -> Bool? {
    guard bytes.count == 1 + saltByteCount + id.count,
      bytes[0] == State.live || bytes[0] == State.closing,
      UTF8Bytes.areEqual(bytes.extracting(droppingFirst: 1 + saltByteCount), id)
    else { return nil }
    return bytes[0] == State.closing
  }
}
