/// The arguments of a subcommand: words, and options that each have a value.
struct Options {
  let words: [String]
  private let values: [String: String]

  /// Takes arguments apart.
  init(_ arguments: some Sequence<String>) throws(Failure) {
    var (words, values): ([String], [String: String]) = ([], [:])
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      guard let value = iterator.next() else { throw .usage("\(argument) needs a value") }
      values[String(argument.dropFirst(2))] = value
    }
    self.words = words
    self.values = values
  }

  /// The word at a place.
  func word(_ index: Int, _ name: String) throws(Failure) -> String {
    guard index < words.count else { throw .usage("\(name) is missing") }
    return words[index]
  }

  /// The text of an option, if it was given.
  func text(_ name: String) -> String? { values[name] }

  /// The number of an option.
  func number<N: FixedWidthInteger>(_ name: String, default standard: N) throws(Failure) -> N {
    guard let text = values[name] else { return standard }
    guard let number = N(text) else { throw .usage("--\(name) needs a number, not \(text)") }
    return number
  }
}
