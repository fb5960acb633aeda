public import ReactionModel

/// A list of users in a reused result: their numbers, and their ids as bytes.
///
/// A number belongs to one user for ever, inside one ledger; it is not given again after an erasure.
/// So it can be the key of whatever a host knows of its users.
public struct UserNames: Sendable {
  /// The names of the first users, and after them what is left of earlier lists.
  private var names: [ShortName] = []
  private var nameCount = 0
  private var numbers: [UserNumber] = []
  /// The ids that are too long for a ``ShortName``, one after another.
  private var longText: [UInt8] = []
  private var longEnds: [Int] = []

  init() {}

  /// How many users there are.
  public var count: Int { numbers.count }

  /// The number of a user.
  ///
  /// - Parameter index: The user's place in the list; traps past its end.
  /// - Returns: The number.
  public func number(at index: Int) -> UserNumber { numbers[index] }

  /// Runs `body` with the bytes of a user's id, in UTF-8.
  ///
  /// - Parameters:
  ///   - index: The user's place in the list; traps past its end.
  ///   - body: What to do with the bytes.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withUTF8<R: ~Copyable, E: Error>(
    at index: Int, _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    precondition(index < nameCount, "a user's place in the list is past its end")
    let name = names[index]
    if let long = name.longIndex {
      let start = long == 0 ? 0 : longEnds[long - 1]
      return try body(longText.span.extracting(start..<longEnds[long]))
    }
    return try body(name.bytes.span.extracting(0..<name.count))
  }

  /// A user's id.
  ///
  /// - Parameter index: The user's place in the list; traps past its end.
  /// - Returns: The id.
  public func id(at index: Int) -> UserID {
    withUTF8(at: index) { bytes in
      do {
        return try UserID(utf8: bytes)
      } catch {
        preconditionFailure("a name was checked when it was read, and is no id: \(error)")
      }
    }
  }

  mutating func clear() {
    nameCount = 0
    numbers.removeAll(keepingCapacity: true)
    longText.removeAll(keepingCapacity: true)
    longEnds.removeAll(keepingCapacity: true)
  }

  /// Appends a user who has no name yet.
  @inline(__always)
  mutating func append(_ number: UserNumber) { numbers.append(number) }

  /// Appends users who have no names yet, as many as `body` gives; returns how many.
  @inline(__always)
  mutating func append(atMost limit: Int, _ body: (inout OutputSpan<UserNumber>) -> Void) -> Int {
    let before = numbers.count
    numbers.append(addingCapacity: limit, initializingWith: body)
    return numbers.count - before
  }

  /// The numbers of all.
  var allNumbers: Span<UserNumber> {
    @_lifetime(borrow self)
    get { numbers.span }
  }

  /// Whether there are users without a name.
  var lacksNames: Bool { nameCount < numbers.count }

  /// The number of the first user who has no name yet.
  var nextNumber: UserNumber { numbers[nameCount] }

  /// Gives the first user without a name one.
  mutating func append(_ name: ShortName) {
    makeRoom()
    names[nameCount] = name
    nameCount += 1
  }

  /// Gives the first user without a name one that is too long to be remembered.
  mutating func append(long name: Span<UInt8>) {
    append(ShortName(longIndex: longEnds.count))
    longText.append(name)
    longEnds.append(longText.count)
  }

  /// Gives names to all who have none and whose names are remembered, up to the first one who is not.
  mutating func resolve(from table: borrowing NumberTable<ShortName>) {
    makeRoom()
    nameCount = table.copy(of: numbers, from: nameCount, to: &names)
  }

  private mutating func makeRoom() {
    guard names.count < numbers.count else { return }
    let missing = numbers.count - names.count
    names.append(contentsOf: repeatElement(ShortName(longIndex: 0), count: missing))
  }
}

/// The id of a user of at most 58 bytes, in place; or the place of a longer one in a list.
struct ShortName: BitwiseCopyable, Sendable {
  /// 0 for a longer one.
  private var byteCount: UInt8
  private(set) var bytes: InlineArray<58, UInt8>

  /// The longest id that is held in place.
  static let maximumByteCount = 58

  /// The id, if it is short enough.
  init?(_ id: Span<UInt8>) {
    guard id.count <= Self.maximumByteCount else { return nil }
    byteCount = UInt8(id.count)
    bytes = InlineArray(repeating: 0)
    for index in id.indices { bytes[index] = id[index] }
  }

  init(longIndex: Int) {
    byteCount = 0
    bytes = InlineArray(repeating: 0)
    for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: longIndex >> (8 * index)) }
  }

  var count: Int { Int(byteCount) }

  /// The place of a longer one.
  var longIndex: Int? {
    guard byteCount == 0 else { return nil }
    return (0..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
  }
}
