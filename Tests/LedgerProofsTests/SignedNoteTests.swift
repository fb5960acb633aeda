import LedgerProofs
import Testing

@Suite("Signed notes (C2SP signed-note)")
struct SignedNoteTests {
  static let vectors = [
    (Vectors.specNote, Vectors.specKey), (Vectors.goNote, Vectors.goKey),
    (Vectors.checkpoint, Vectors.key),
  ]

  private func parse(_ text: String) throws(ProofError) -> SignedNote {
    try SignedNote(parsing: Array(text.utf8))
  }

  @Test("Notes of others are accepted, and written again as they were", arguments: vectors)
  func accepted(text: String, keyText: String) throws {
    let note = try parse(text)
    let key = try VerifierKey(parsing: keyText)
    #expect(try note.verify(by: [key]) == [key])
    #expect(note.bytes == Array(text.utf8))
  }

  @Test(
    "Signing gives the same bytes as others' programs",
    arguments: [(Vectors.goNote, Vectors.goSecret), (Vectors.checkpoint, Vectors.secret)])
  func signed(text: String, secret: String) throws {
    let body = String(decoding: try parse(text).text, as: UTF8.self)
    let note = try SignedNote(text: body, signedBy: try SignerKey(parsing: secret))
    #expect(note.bytes == Array(text.utf8))
  }

  @Test("Changed in one place, a note is refused", arguments: vectors)
  func mutated(text: String, keyText: String) throws {
    let key = try VerifierKey(parsing: keyText)
    for (place, bytes) in mutations(Array(text.utf8)) {
      #expect(throws: ProofError.self, "byte \(place)") {
        try SignedNote(parsing: bytes).verify(by: [key])
      }
    }
  }

  @Test("Cut short, a note is refused", arguments: vectors)
  func cut(text: String, keyText: String) {
    let bytes = Array(text.utf8)
    for count in bytes.indices {
      #expect(throws: ProofError.self) { try SignedNote(parsing: Array(bytes[..<count])) }
    }
  }

  @Test("The text may have blank lines: the last one divides")
  func blankLines() throws {
    let key = try SignerKey(parsing: Vectors.secret)
    for text in ["\n", "a\n\nb\n", "a\n\n", "\n\n\n", "è subito sera.\n\n— a b\n"] {
      let note = try SignedNote(text: text, signedBy: key)
      let read = try SignedNote(parsing: note.bytes)
      #expect(read.text == Array(text.utf8))
      #expect(try read.verify(by: [key.verifier]) == [key.verifier])
    }
  }

  @Test("Several signatures: unknown ones are ignored, a wrong one by a trusted key is not")
  func several() throws {
    let (own, other) = (
      try SignerKey(parsing: Vectors.secret), try SignerKey(parsing: Vectors.goSecret)
    )
    var note = try SignedNote(text: "text\n", signedBy: own)
    try note.addSignature(by: other)
    let read = try SignedNote(parsing: note.bytes)
    #expect(read == note)
    #expect(try read.verify(by: [other.verifier]) == [other.verifier])
    #expect(
      try read.verify(by: [other.verifier, own.verifier]) == [other.verifier, own.verifier])
    let third = try VerifierKey(parsing: Vectors.specKey)
    #expect(throws: ProofError(.noTrustedSignature)) { try read.verify(by: [third]) }
    #expect(throws: ProofError(.noTrustedSignature)) { try read.verify(by: []) }

    // The second signature of another text.
    let foreign = try SignedNote(text: "other\n", signedBy: other)
    let lines = String(decoding: foreign.bytes, as: UTF8.self).split(separator: "\n")
    let first = String(decoding: try SignedNote(text: "text\n", signedBy: own).bytes, as: UTF8.self)
    let mixed = try parse(first + lines[1] + "\n")
    #expect(try mixed.verify(by: [own.verifier]) == [own.verifier])
    #expect(throws: ProofError(.wrongSignature(keyName: "PeterNeumann"), line: 4)) {
      try mixed.verify(by: [own.verifier, other.verifier])
    }
  }

  @Test("At most 64 signatures")
  func limit() throws {
    let key = try SignerKey(parsing: Vectors.secret)
    var note = try SignedNote(text: "text\n", signedBy: key)
    for _ in 1..<64 { try note.addSignature(by: key) }
    #expect(try SignedNote(parsing: note.bytes) == note)
    #expect(throws: ProofError(.tooManySignatures)) { try note.addSignature(by: key) }
    let bytes = note.bytes + note.bytes.dropFirst("text\n\n".utf8.count)
    #expect(throws: ProofError(.tooManySignatures, line: 67)) { try SignedNote(parsing: bytes) }
  }

  @Test("Each reason and its line")
  func reasons() throws {
    let form = ProofError.Reason.expected("an em dash, a space, a key's name, a space and Base64")
    let table: [(String, ProofError)] = [
      ("", ProofError(.noFinalNewline, line: 1)),
      ("a\n— k AAAAAAA=\n", ProofError(.noBlankLine)),
      ("\n— k AAAAAAA=\n", ProofError(.noBlankLine)),
      ("a\n\n— k AAAAAAA=", ProofError(.noFinalNewline, line: 3)),
      ("a\n\n", ProofError(form, line: 3)),
      ("a\tb\n\n— k AAAAAAA=\n", ProofError(.controlCharacter(9), line: 1)),
      ("a\n\n— k AAAAAAA=\r\n", ProofError(.controlCharacter(13), line: 3)),
      ("a\n\n- k AAAAAAA=\n", ProofError(form, line: 3)),
      ("a\n\n— AAAAAAA=\n", ProofError(form, line: 3)),
      ("a\n\n—  AAAAAAA=\n", ProofError(.invalidKeyName, line: 3)),
      ("a\n\n— k+ AAAAAAA=\n", ProofError(.invalidKeyName, line: 3)),
      ("a\n\n— k AAAAAAA\n", ProofError(.invalidBase64, line: 3)),
      ("a\n\n— k AAAAAAB=\n", ProofError(.invalidBase64, line: 3)),
      ("a\n\n— k  AAAAAAA=\n", ProofError(.invalidBase64, line: 3)),
      ("a\n\n— k AAAAAA==\n", ProofError(form, line: 3)),
      ("a\n\n— k AAAAAAA=\n— k\n", ProofError(form, line: 4)),
    ]
    for (text, error) in table { #expect(throws: error) { try parse(text) } }
    #expect(throws: ProofError(.notUTF8)) { try SignedNote(parsing: [0xff, 0x0a]) }
    #expect(throws: ProofError(.tooManyBytes(count: 1_000_001))) {
      try SignedNote(parsing: Array(repeating: 0x61, count: 1_000_001))
    }
    let key = try SignerKey(parsing: Vectors.secret)
    #expect(throws: ProofError(.noFinalNewline, line: 1)) {
      try SignedNote(text: "text", signedBy: key)
    }
  }
}
