/// Whether a text is well-formed XML, as far as plots go: elements that are closed in order, with
/// quoted attributes, no bare "&" or "<", and one root.
struct XMLCheck {
  private(set) var elementCounts: [String: Int] = [:]

  /// Reads a document; `nil` if it is not well-formed.
  init?(_ text: String) {
    var (rest, open, rootCount) = (text[...], [String](), 0)
    while let start = rest.firstIndex(of: "<") {
      guard Self.isText(rest[..<start], isInside: !open.isEmpty),
        let end = rest[start...].firstIndex(of: ">")
      else { return nil }
      var tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.first == "/" {
        guard open.popLast() == String(tag.dropFirst()) else { return nil }
        continue
      }
      let isEmpty = tag.last == "/"
      if isEmpty { tag = tag.dropLast() }
      let name = tag.prefix { !$0.isWhitespace }
      guard !name.isEmpty, Self.areAttributes(tag.dropFirst(name.count)) else { return nil }
      elementCounts[String(name), default: 0] += 1
      if open.isEmpty { rootCount += 1 }
      if !isEmpty { open.append(String(name)) }
    }
    guard open.isEmpty, rootCount == 1, Self.isText(rest, isInside: false) else { return nil }
  }

  private static func isText(_ text: Substring, isInside: Bool) -> Bool {
    if !isInside, !text.allSatisfy(\.isWhitespace) { return false }
    let entities = ["&amp;", "&lt;", "&gt;", "&quot;"]
    return !text.contains(">")
      && text.indices.allSatisfy { index in
        text[index] != "&" || entities.contains { text[index...].hasPrefix($0) }
      }
  }

  private static func areAttributes(_ text: Substring) -> Bool {
    var rest = text.drop(while: \.isWhitespace)
    while !rest.isEmpty {
      let name = rest.prefix { $0.isLetter || $0.isNumber || "-:".contains($0) }
      rest = rest.dropFirst(name.count)
      guard !name.isEmpty, rest.hasPrefix("=\"") else { return false }
      rest = rest.dropFirst(2)
      guard let end = rest.firstIndex(of: "\""), !rest[..<end].contains("<") else { return false }
      rest = rest[rest.index(after: end)...]
      guard rest.isEmpty || rest.first?.isWhitespace == true else { return false }
      rest = rest.drop(while: \.isWhitespace)
    }
    return true
  }
}
