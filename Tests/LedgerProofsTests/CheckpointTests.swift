import LedgerHash
import LedgerProofs
import Testing

@Suite("Checkpoints (C2SP tlog-checkpoint)")
struct CheckpointTests {
  static let root = "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg="

  @Test("The checkpoint of the eight leaves, made, signed and read")
  func known() throws {
    let (sha256, key) = (SHA256(), try SignerKey(parsing: Vectors.secret))
    var range = CompactRange()
    for index in Vectors.entries.indices { range.append(Vectors.leaf(index), using: sha256) }
    let head = TreeHead(size: range.size, root: range.root(using: sha256))
    let checkpoint = Checkpoint(origin: key.verifier.name, head: head)
    let note = try checkpoint.signed(by: key)
    #expect(note.bytes == Array(Vectors.checkpoint.utf8))
    #expect(try Checkpoint(note, by: key.verifier) == checkpoint)
    #expect(try Checkpoint(parsing: note.text) == checkpoint)
  }

  @Test("The example of the specification")
  func example() throws {
    let text = """
      example.com/behind-the-sofa
      20852163
      CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

      """
    let checkpoint = try Checkpoint(parsing: Array(text.utf8))
    #expect(checkpoint.origin == "example.com/behind-the-sofa")
    #expect(checkpoint.head.size == 20_852_163)
    #expect(checkpoint.text == text)
  }

  @Test("Extension lines are kept", arguments: ["one\n", "one\ntwo\n", "0\u{E9}\n"])
  func extensions(lines: String) throws {
    let text = "o r+i\n0\n\(Self.root)\n\(lines)"
    let checkpoint = try Checkpoint(parsing: Array(text.utf8))
    #expect(checkpoint.text.utf8.elementsEqual(text.utf8))
    #expect(checkpoint.extensionLines.count == lines.split(separator: "\n").count)
  }

  @Test("Each reason and its line")
  func reasons() {
    let size = ProofError.Reason.expected("a size, decimal without leading zeros")
    let table: [(String, ProofError)] = [
      ("", ProofError(.expected("an origin"), line: 1)),
      ("\n8\n\(Self.root)\n", ProofError(.invalidCheckpointLine, line: 1)),
      ("a\tb\n8\n\(Self.root)\n", ProofError(.invalidCheckpointLine, line: 1)),
      ("a", ProofError(.noFinalNewline, line: 1)),
      ("a\n", ProofError(size, line: 2)),
      ("a\n08\n\(Self.root)\n", ProofError(size, line: 2)),
      ("a\n+8\n\(Self.root)\n", ProofError(size, line: 2)),
      ("a\n-1\n\(Self.root)\n", ProofError(size, line: 2)),
      ("a\n\n\(Self.root)\n", ProofError(size, line: 2)),
      ("a\n18446744073709551616\n\(Self.root)\n", ProofError(size, line: 2)),
      ("a\n99999999999999999999\n\(Self.root)\n", ProofError(size, line: 2)),
      ("a\n8\n", ProofError(.expected("a root"), line: 3)),
      ("a\n8\n\(Self.root.dropLast())\n", ProofError(.invalidBase64, line: 3)),
      ("a\n8\nAAAA\n", ProofError(.byteCount(found: 3, expected: 32), line: 3)),
      ("a\n8\n\(Self.root)", ProofError(.noFinalNewline, line: 3)),
      ("a\n8\n\(Self.root)\n\n", ProofError(.invalidCheckpointLine, line: 4)),
    ]
    for (text, error) in table {
      #expect(throws: error) { try Checkpoint(parsing: Array(text.utf8)) }
    }
    #expect(throws: ProofError(.notUTF8, line: 1)) { try Checkpoint(parsing: [0xff, 0x0a]) }
    #expect(throws: Never.self) {
      try Checkpoint(parsing: Array("a\n18446744073709551615\n\(Self.root)\n".utf8))
    }
  }

  @Test("Another log's checkpoint is neither signed nor accepted")
  func origins() throws {
    let key = try SignerKey(parsing: Vectors.secret)
    let checkpoint = Checkpoint(
      origin: try KeyName("example.com/other"), head: TreeHead(size: 0, root: SHA256.emptyRoot))
    let error = ProofError(
      .originDiffers(found: "example.com/other", expected: "example.com/reactions"))
    #expect(throws: error) { try checkpoint.signed(by: key) }
    let note = try SignedNote(text: checkpoint.text, signedBy: key)
    #expect(throws: error) { try Checkpoint(note, by: key.verifier) }
    let other = try VerifierKey(parsing: Vectors.goKey)
    #expect(throws: ProofError(.noTrustedSignature)) { try Checkpoint(note, by: other) }
  }
}
