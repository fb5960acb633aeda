internal import ReactionModel

/// A JSON object: keys and values in the order in which they are written.
///
/// Keys are compared by bytes. The parser makes none with a key twice; in one made by hand the
/// first of equal keys is found.
public struct JSONObject: Sendable {
  /// A key and its value.
  public struct Member: Sendable, Equatable {
    /// The key.
    public let key: String
    /// The value.
    public let value: JSONValue

    /// Makes a member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }

    /// Whether key and value are equal.
    public static func == (a: Self, b: Self) -> Bool {
      UTF8Bytes.areEqual(a.key, b.key) && a.value == b.value
    }
  }

  /// The members in their order.
  public var members: [Member]

  /// Makes an object.
  public init(_ members: [Member] = []) { self.members = members }

  /// The value of a key, or `nil` if the object has no such key.
  ///
  /// Complexity: O(*n*) in the members.
  public subscript(key: String) -> JSONValue? {
    for member in members where UTF8Bytes.areEqual(member.key, key) { return member.value }
    return nil
  }
}

extension JSONObject: Equatable {}
