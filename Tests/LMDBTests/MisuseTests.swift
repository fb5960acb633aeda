import Foundation
import Testing

/// Misuse that the compiler refuses.
///
/// Each file in `Misuse` names in its first line what the compiler must say of it. One file is right and must compile, else the others prove nothing.
@Suite(
  "Misuse does not compile",
  .enabled(if: Compiler.found != nil, "neither swiftc nor the built module was found"))
struct MisuseTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Misuse")

  static let snippets: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return (names ?? []).filter { $0.hasSuffix(".swift.txt") }.sorted()
  }()

  @Test("The snippets are there")
  func complete() {
    #expect(Self.snippets.count == 19)
    #expect(Self.snippets.contains("correct.swift.txt"))
  }

  @Test("Snippet", arguments: snippets)
  func snippet(_ name: String) throws {
    let compiler = try #require(Compiler.found)
    let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    let first = try #require(text.split(separator: "\n").first)
    try withFolder { path in
      let file = path + "/snippet.swift"
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      let (status, output) = try compiler.check(file)
      if name == "correct.swift.txt" {
        #expect(first == "// compiles")
        #expect(status == 0, Comment(rawValue: output))
        return
      }
      let expected = try #require(first.wholeMatch(of: /\/\/ error: (.+)/)).output.1
      let errors = output.split(separator: "\n").filter { $0.contains(": error: ") }
      #expect(status == 1, Comment(rawValue: output))
      #expect(errors.contains { $0.contains(expected) }, Comment(rawValue: output))
    }
  }
}
