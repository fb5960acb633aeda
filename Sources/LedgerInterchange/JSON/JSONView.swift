internal import ReactionModel

/// A value of a document, as a place in its ``JSONTape``: nothing is copied.
///
/// Text is UTF-8, without its escapes.
public struct JSONView: ~Escapable {
  private let text: Span<UInt8>
  private let decoded: Span<UInt8>
  private let nodes: Span<JSONNode>
  private let index: Int

  @_lifetime(copy text, copy decoded, copy nodes)
  init(
    _ text: Span<UInt8>, _ decoded: Span<UInt8>, _ nodes: Span<JSONNode>, at index: Int
  ) {
    self.text = text
    self.decoded = decoded
    self.nodes = nodes
    self.index = index
  }

  @_lifetime(copy place)
  private init(_ place: JSONView, at index: Int) {
    self.init(place.text, place.decoded, place.nodes, at: index)
  }

  private var node: JSONNode { nodes[index] }

  /// Whether it is `null`.
  public var isNull: Bool { node.kind == .null }
  /// The truth value, if it is one.
  public var bool: Bool? {
    switch node.kind {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  /// The bytes of the string, if it is one.
  public var string: Span<UInt8>? {
    @_lifetime(copy self)
    get {
      let node = node
      switch node.kind {
      case .string: return text.extracting(node.range)
      case .decodedString: return decoded.extracting(node.range)
      default: return nil
      }
    }
  }

  /// The number as it is written, if it is one.
  public var number: Span<UInt8>? {
    @_lifetime(copy self)
    get { node.kind == .number ? text.extracting(node.range) : nil }
  }

  /// The number, if it is written without fraction and exponent and fits; `-0` is 0.
  public var uint64: UInt64? {
    guard let digits = number else { return nil }
    let isNegative = digits[0] == UInt8(ascii: "-")
    var value: UInt64 = 0
    for index in (isNegative ? 1 : 0)..<digits.count {
      let digit = digits[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (tenfold, isTooLong) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = tenfold.addingReportingOverflow(UInt64(digit))
      guard !isTooLong, !isTooLarge else { return nil }
      value = sum
    }
    return isNegative && value > 0 ? nil : value
  }

  /// What sort of value it is, in words.
  public var kind: String {
    switch node.kind {
    case .null: "null"
    case .yes, .no: "a truth value"
    case .number: "a number"
    case .string, .decodedString: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONView {
  /// Whether it is an array.
  public var isArray: Bool { node.kind == .array }
  /// Whether it is an object.
  public var isObject: Bool { node.kind == .object }

  /// The first element of an array, or the first key of an object; `nil` if there is none.
  public var first: JSONView? {
    @_lifetime(copy self)
    get {
      guard isArray || isObject, index + 1 < Int(node.next) else { return nil }
      return JSONView(self, at: index + 1)
    }
  }

  // The places of an object's members, for a reader that keeps them.

  /// The node of an object's first key.
  var firstNode: Int { index + 1 }

  /// How many members an object has.
  ///
  /// - Complexity: O(members).
  var memberCount: Int {
    var (count, key) = (0, firstNode)
    while key < Int(node.next) {
      count += 1
      key = nodeAfterValue(ofKey: key)
    }
    return count
  }

  /// The value of a node of the same document.
  @_lifetime(copy self)
  func at(node: Int) -> JSONView { JSONView(self, at: node) }

  /// The node behind the value of the key that a node of the same document is.
  func nodeAfterValue(ofKey key: Int) -> Int { Int(nodes[key + 1].next) }

  /// The value of the key that this is.
  var valueOfKey: JSONView {
    @_lifetime(copy self)
    get { JSONView(self, at: index + 1) }
  }

  /// What follows this value inside an array or object, or this key's value; `nil` at the end.
  ///
  /// - Parameter container: What it is inside of.
  /// - Returns: The next value, or the next key.
  @_lifetime(copy self)
  public func following(in container: JSONView) -> JSONView? {
    let next = Int(node.next)
    guard next < Int(container.node.next) else { return nil }
    return JSONView(self, at: next)
  }
}

extension JSONValue {
  /// The value at a place of a tape, by itself.
  ///
  /// The recursion is as deep as the value.
  public init(_ view: JSONView) {
    if let text = view.string {
      self = .string(String(copying: text))
    } else if let number = view.number {
      self = .number(JSONNumber(trusted: String(copying: number)))
    } else if let bool = view.bool {
      self = .bool(bool)
    } else if view.isArray {
      var elements: [JSONValue] = []
      var next = view.first
      while let element = next {
        elements.append(JSONValue(element))
        next = element.following(in: view)
      }
      self = .array(elements)
    } else if view.isObject {
      var members: [JSONObject.Member] = []
      var next = view.first
      while let key = next {
        let value = key.valueOfKey
        if let text = key.string {
          members.append(.init(String(copying: text), JSONValue(value)))
        }
        next = value.following(in: view)
      }
      self = .object(JSONObject(members))
    } else {
      self = .null
    }
  }
}

extension String {
  /// The text of bytes that are known to be UTF-8.
  init(copying bytes: Span<UInt8>) {
    do {
      self = String(copying: try UTF8Span(validating: bytes))
    } catch {
      self = String(decoding: [UInt8](bytes), as: UTF8.self)
    }
  }
}
