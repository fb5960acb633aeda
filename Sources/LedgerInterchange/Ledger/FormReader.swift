internal import ReactionModel

/// Why a JSON value is not of the form that was wanted.
public struct FormError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, with the key that it is wrong with.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Reads the members of a JSON object by key; a key that nobody asked for is an error in the end.
///
/// Nothing is copied or allocated, but the texts of errors.
struct FormReader: ~Escapable {
  private let object: JSONView
  private let memberCount: Int
  /// Which of the first 64 members were read, and which of those after them.
  private var isRead: UInt64 = 0
  private var laterRead: [Int] = []
  private var readCount = 0
  /// The key after the one that was found last, as a node and as a place among the keys: keys are
  /// mostly asked for in their order.
  private var hint: Int
  private var hintIndex = 0

  @_lifetime(copy value)
  init(_ value: JSONView, _ what: StaticString) throws(FormError) {
    guard value.isObject else {
      throw FormError("expected \(what), an object, not \(value.kind)")
    }
    object = value
    memberCount = value.memberCount
    hint = value.firstNode
  }

  /// The value of a key; `nil` if it is absent, or was read before.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func value(_ key: StaticString) -> JSONView? {
    guard readCount < memberCount else { return nil }
    var (node, index) = (hint, hintIndex)
    for _ in 0..<memberCount {
      if index == memberCount { (node, index) = (object.firstNode, 0) }
      let name = object.at(node: node)
      node = object.nodeAfterValue(ofKey: node)
      index += 1
      if let text = name.string, text.equals(key) {
        (hint, hintIndex) = (node, index)
        markRead(index - 1)
        return name.valueOfKey
      }
    }
    return nil
  }

  private mutating func markRead(_ index: Int) {
    if index < 64 { isRead |= 1 << UInt64(index) } else { laterRead.append(index) }
    readCount += 1
  }

  /// The value of a key that must be there.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func required(_ key: StaticString) throws(FormError) -> JSONView {
    guard let value = value(key) else { throw FormError("\"\(key)\" is missing") }
    return value
  }

  /// The text of a string that must be there.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func string(_ key: StaticString) throws(FormError) -> Span<UInt8> {
    let value = try required(key)
    guard let text = value.string else { throw Self.mustBeString(key, value) }
    return text
  }

  /// The text of a string; `nil` if it is absent or null.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func stringIfPresent(_ key: StaticString) throws(FormError) -> Span<UInt8>? {
    guard let value = value(key), !value.isNull else { return nil }
    guard let text = value.string else { throw Self.mustBeString(key, value) }
    return text
  }

  private static func mustBeString(_ key: StaticString, _ value: JSONView) -> FormError {
    FormError("\"\(key)\" must be a string, not \(value.kind)")
  }

  /// A number in a range; `nil` if it is absent or null.
  @_lifetime(self: copy self)
  mutating func integerIfPresent(
    _ key: StaticString, in range: ClosedRange<UInt64>
  ) throws(FormError) -> UInt64? {
    guard let value = value(key), !value.isNull else { return nil }
    guard let number = value.uint64, range.contains(number) else {
      throw FormError("\"\(key)\" must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A number in a range that must be there.
  @_lifetime(self: copy self)
  mutating func integer(
    _ key: StaticString, in range: ClosedRange<UInt64>
  ) throws(FormError) -> UInt64 {
    guard let number = try integerIfPresent(key, in: range) else {
      throw FormError("\"\(key)\" is missing")
    }
    return number
  }

  /// What a text stands for; `nil` if it is absent or null.
  @_lifetime(self: copy self)
  mutating func parsedIfPresent<T>(
    _ key: StaticString, _ what: StaticString, _ parse: (Span<UInt8>) -> T?
  ) throws(FormError) -> T? {
    guard let text = try stringIfPresent(key) else { return nil }
    guard let value = parse(text) else {
      throw FormError("\"\(key)\" is not \(what): \"\(String(copying: text))\"")
    }
    return value
  }

  /// What a text that must be there stands for.
  @_lifetime(self: copy self)
  mutating func parsed<T>(
    _ key: StaticString, _ what: StaticString, _ parse: (Span<UInt8>) -> T?
  ) throws(FormError) -> T {
    guard let value = try parsedIfPresent(key, what, parse) else {
      throw FormError("\"\(key)\" is missing")
    }
    return value
  }

  /// An array that must be there.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func array(_ key: StaticString) throws(FormError) -> JSONView {
    let value = try required(key)
    guard value.isArray else { throw FormError("\"\(key)\" must be an array, not \(value.kind)") }
    return value
  }

  /// Throws if there is a member that was not read.
  func finish() throws(FormError) {
    guard readCount < memberCount else { return }
    var (unread, node): ([String], Int) = ([], object.firstNode)
    for index in 0..<memberCount {
      let wasRead = index < 64 ? isRead >> UInt64(index) & 1 == 1 : laterRead.contains(index)
      if !wasRead, let text = object.at(node: node).string {
        unread.append(String(copying: text))
      }
      node = object.nodeAfterValue(ofKey: node)
    }
    guard let key = unread.min() else { return }
    throw FormError("\"\(key)\" is not a known key here")
  }
}

extension FormReader {
  /// The bytes of an id; empty if it is absent or null.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func identifierIfPresent(_ key: StaticString) throws(FormError) -> Span<UInt8> {
    guard let text = try stringIfPresent(key) else { return Span() }
    do throws(IdentifierError) {
      try UserID.verify(byteCount: text.count)
    } catch {
      throw FormError("\"\(key)\": \(error)")
    }
    return text
  }

  /// The bytes of an id that must be there.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func identifier(_ key: StaticString) throws(FormError) -> Span<UInt8> {
    let text = try identifierIfPresent(key)
    guard !text.isEmpty else { throw FormError("\"\(key)\" is missing") }
    return text
  }

  /// A message, told by `conversation` and `message`.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func message() throws(FormError) -> MessageKeyView {
    let conversation = try string("conversation")
    let message = try string("message")
    do throws(IdentifierError) {
      return try MessageKeyView(conversation: conversation, message: message)
    } catch {
      throw FormError("\"conversation\" and \"message\": \(error)")
    }
  }
}

extension Span<UInt8> {
  /// Whether they are the bytes of a text.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // Sound: the text is in the program for ever, and so many bytes long.
    return text.withUTF8Buffer { other in
      for index in indices where unsafe self[index] != other[index] { return false }
      return true
    }
  }
}
