internal import ReactionModel

/// A JSON value.
///
/// Strings are compared by bytes, numbers as they are written, objects with the order of their
/// members.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)
}

extension JSONValue: Equatable {
  /// Whether two values are equal.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): UTF8Bytes.areEqual(a, b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

extension JSONValue {
  /// Whether it is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }
  /// The truth value, if it is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number, if it is one.
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  /// The string, if it is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The array, if it is one.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The object, if it is one.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The integer, if it is a number written without fraction and exponent that fits.
  public var int64: Int64? { number?.int64 }
  /// The integer, if it is a number written without fraction and exponent that fits.
  public var uint64: UInt64? { number?.uint64 }
  /// The number in binary floating point, if it is one and finite.
  public var double: Double? { number?.double }

  /// The value of a key, or `nil` if it is no object or has no such key.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// What sort of value it is, in words.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
