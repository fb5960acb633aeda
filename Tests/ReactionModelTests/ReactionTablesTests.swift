import Foundation
import ReactionModel
import Testing

@Suite("Reaction: the generated tables")
struct ReactionTablesTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let script = repository.appending(path: "tools/generate-emoji-tables.py")

  /// The version of Unicode's emoji data that this machine has.
  private static let installedVersion: String? = {
    let path = "/usr/share/unicode/emoji/emoji-data.txt"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.firstMatch(of: /Used with Emoji Version (\d+\.\d+)/).map { String($0.1) }
  }()

  @Test("The version is part of the format")
  func version() {
    #expect(EmojiTables.version == "15.0")
  }

  @Test("Bounds ascend and come in pairs")
  func bounds() {
    for table in [
      EmojiTables.bases, EmojiTables.textDefaults, EmojiTables.whiteSpace, EmojiTables.ignorables,
    ] {
      #expect(!table.isEmpty && table.count.isMultiple(of: 2))
      #expect(zip(table, table.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test(
    "The script makes the same file from the installed data",
    .enabled(
      if: installedVersion == EmojiTables.version, "needs unicode-data with emoji data 15.0"))
  func regenerated() throws {
    #expect(try run("--check") == 0)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "EmojiTables.swift").path(percentEncoded: false)
    #expect(try run("--output", copy) == 0)
    let made = try String(contentsOfFile: copy, encoding: .utf8)
    let committed = try String(
      contentsOf: Self.repository.appending(
        path: "Sources/ReactionModel/Reaction/EmojiTables.swift"), encoding: .utf8)
    #expect(Array(made.utf8) == Array(committed.utf8))
    try (made + "\n").write(toFile: copy, atomically: true, encoding: .utf8)
    #expect(try run("--check", "--output", copy) == 1)
    #expect(try run("--check", "--source", folder.path(percentEncoded: false)) == 2)
  }

  @Test("Single scalars have the form that the runtime's own Unicode tables give them")
  func runtimeTables() {
    for value in UInt32(0x20)..<0x20000 {
      // Later versions may give meaning to what 15.0 had not assigned.
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age <= (15, 0),
        case .success(let reaction) = reaction(String(scalar))
      else { continue }
      let isEmoji = scalar.properties.isEmoji && value >= 0x80
      if isEmoji { #expect(reaction.form == .emoji, "\(scalars(of: reaction.text))") }
      if reaction.form == .emoji {
        let takesSelector = isEmoji && !scalar.properties.isEmojiPresentation
        #expect(
          reaction.text.unicodeScalars.count == (takesSelector ? 2 : 1),
          "\(scalars(of: reaction.text))")
      }
    }
  }

  private func run(_ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", Self.script.path(percentEncoded: false)] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
