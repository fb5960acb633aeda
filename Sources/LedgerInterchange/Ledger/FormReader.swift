internal import ReactionModel

/// Why a JSON value is not of the form that was wanted.
public struct FormError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, with the key that it is wrong with.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Reads the members of a JSON object by key; a key that nobody asked for is an error in the end.
struct FormReader {
  private let object: JSONObject
  private var unread: Set<String>

  init(_ value: JSONValue, _ what: String) throws(FormError) {
    guard case .object(let object) = value else {
      throw FormError("expected \(what), an object, not \(value.kind)")
    }
    self.object = object
    unread = Set(object.members.map(\.key))
  }

  /// The value of a key; `nil` if it is absent.
  mutating func value(_ key: String) -> JSONValue? {
    unread.remove(key)
    return object[key]
  }

  /// The value of a key that must be there.
  mutating func required(_ key: String) throws(FormError) -> JSONValue {
    guard let value = value(key) else { throw FormError("\"\(key)\" is missing") }
    return value
  }

  /// A string that must be there.
  mutating func string(_ key: String) throws(FormError) -> String {
    let value = try required(key)
    guard case .string(let text) = value else {
      throw FormError("\"\(key)\" must be a string, not \(value.kind)")
    }
    return text
  }

  /// A string; `nil` if it is absent or null.
  mutating func stringIfPresent(_ key: String) throws(FormError) -> String? {
    guard let value = value(key), !value.isNull else { return nil }
    guard case .string(let text) = value else {
      throw FormError("\"\(key)\" must be a string, not \(value.kind)")
    }
    return text
  }

  /// A number in a range; `nil` if it is absent or null.
  mutating func integerIfPresent(
    _ key: String, in range: ClosedRange<UInt64>
  ) throws(FormError) -> UInt64? {
    guard let value = value(key), !value.isNull else { return nil }
    guard let number = value.uint64, range.contains(number) else {
      throw FormError("\"\(key)\" must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A number in a range that must be there.
  mutating func integer(
    _ key: String, in range: ClosedRange<UInt64>
  ) throws(FormError) -> UInt64 {
    guard let number = try integerIfPresent(key, in: range) else {
      throw FormError("\"\(key)\" is missing")
    }
    return number
  }

  /// What a text stands for; `nil` if it is absent or null.
  mutating func parsedIfPresent<T>(
    _ key: String, _ what: String, _ parse: (String) -> T?
  ) throws(FormError) -> T? {
    guard let text = try stringIfPresent(key) else { return nil }
    guard let value = parse(text) else { throw FormError("\"\(key)\" is not \(what): \"\(text)\"") }
    return value
  }

  /// What a text that must be there stands for.
  mutating func parsed<T>(
    _ key: String, _ what: String, _ parse: (String) -> T?
  ) throws(FormError) -> T {
    guard let value = try parsedIfPresent(key, what, parse) else {
      throw FormError("\"\(key)\" is missing")
    }
    return value
  }

  /// An id; `nil` if it is absent or null.
  mutating func identifierIfPresent<Kind>(
    _ key: String
  ) throws(FormError) -> Identifier<Kind>? {
    guard let text = try stringIfPresent(key) else { return nil }
    do throws(IdentifierError) {
      return try Identifier(text)
    } catch {
      throw FormError("\"\(key)\": \(error)")
    }
  }

  /// An array that must be there, of a bounded number of elements.
  mutating func array(_ key: String, atMost count: Int) throws(FormError) -> [JSONValue] {
    let value = try required(key)
    guard case .array(let elements) = value, elements.count <= count else {
      throw FormError("\"\(key)\" must be an array of at most \(count) elements")
    }
    return elements
  }

  /// A message, told by `conversation` and `message`.
  mutating func message() throws(FormError) -> MessageKey {
    let conversation = try string("conversation")
    let message = try string("message")
    do throws(IdentifierError) {
      return try MessageKey(Conversation(parsing: conversation), MessageID(message))
    } catch {
      throw FormError("\"conversation\" and \"message\": \(error)")
    }
  }

  /// Throws if there is a member that was not read.
  func finish() throws(FormError) {
    guard let key = unread.min() else { return }
    throw FormError("\"\(key)\" is not a known key here")
  }
}
