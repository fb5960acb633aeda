import LedgerProofs
import Testing

@Suite("Keys (C2SP signed-note, RFC 8032)")
struct KeyTests {
  @Test("Public keys as text and back", arguments: [Vectors.specKey, Vectors.goKey, Vectors.key])
  func publicKeys(text: String) throws {
    #expect(try VerifierKey(parsing: text).description == text)
  }

  @Test(
    "Private keys as text and back, and their public keys",
    arguments: [(Vectors.goSecret, Vectors.goKey), (Vectors.secret, Vectors.key)])
  func privateKeys(secret: String, text: String) throws {
    let key = try SignerKey(parsing: secret)
    #expect(key.secretText == secret)
    #expect(key.verifier.description == text)
    #expect(!"\(key) \(String(reflecting: key))".contains(secret.suffix(20)))
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!dumped.contains("seed"))
  }

  @Test("From name and bytes")
  func made() throws {
    let name = try KeyName("example.com/reactions")
    #expect(try SignerKey(name: name, seed: Vectors.seed).secretText == Vectors.secret)
    let publicKey = try VerifierKey(parsing: Vectors.key)
    #expect(try VerifierKey(name: name, publicKey: publicKey.publicKey) == publicKey)
    #expect(publicKey.id == 0x2514_464a)
    for count in [0, 31, 33] {
      let bytes: [UInt8] = Array(repeating: 1, count: count)
      let error = ProofError(.byteCount(found: count, expected: 32))
      #expect(throws: error) { try SignerKey(name: name, seed: bytes) }
      #expect(throws: error) { try VerifierKey(name: name, publicKey: bytes) }
    }
    var generator = SystemRandomNumberGenerator()
    let first = try SignerKey(name: name, using: &generator)
    let second = try SignerKey(name: name, using: &generator)
    #expect(first.verifier != second.verifier)
    #expect(try SignerKey(parsing: first.secretText).verifier == first.verifier)
  }

  @Test("Changed in one place, a public key is refused", arguments: [Vectors.key, Vectors.goKey])
  func mutatedPublicKeys(text: String) {
    for (place, bytes) in mutations(Array(text.utf8)) {
      guard let mutation = String(validating: bytes, as: UTF8.self) else { continue }
      #expect(throws: ProofError.self, "byte \(place)") { try VerifierKey(parsing: mutation) }
    }
  }

  @Test("Changed in one place, a private key is refused", arguments: [Vectors.secret])
  func mutatedPrivateKeys(text: String) {
    for (place, bytes) in mutations(Array(text.utf8)) {
      guard let mutation = String(validating: bytes, as: UTF8.self) else { continue }
      #expect(throws: ProofError.self, "byte \(place)") { try SignerKey(parsing: mutation) }
    }
  }

  @Test(
    "Names that are none", arguments: ["", "a b", "a+b", "a\n", "a\u{A0}b", "a\u{2003}", "\u{1}"])
  func names(text: String) {
    #expect(throws: ProofError(.invalidKeyName)) { try KeyName(text) }
  }

  @Test("Names are compared by bytes")
  func composed() throws {
    #expect(try KeyName("\u{E9}") != KeyName("e\u{301}"))
    #expect(try KeyName("\u{E9}") == KeyName("\u{E9}"))
  }

  @Test("Each reason")
  func reasons() {
    let table: [(String, ProofError.Reason)] = [
      ("a+2514464", .expected("name+id+key, the id as 8 hexadecimal digits in lower case")),
      ("a+2514464A+AQ==", .expected("name+id+key, the id as 8 hexadecimal digits in lower case")),
      ("+2514464a+AQ==", .invalidKeyName),
      ("a+2514464a+AQ", .invalidBase64),
      ("a+2514464a+AR==", .invalidBase64),
      ("a+2514464a+AQ==", .byteCount(found: 1, expected: 33)),
      ("a+2514464a+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4", .unknownKeyType(4)),
      (
        "example.com/reactions+2514464b+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4",
        .keyIDDiffers(found: 0x2514_464b, expected: 0x2514_464a)
      ),
    ]
    for (text, reason) in table {
      #expect(throws: ProofError(reason)) { try VerifierKey(parsing: text) }
    }
    #expect(throws: ProofError(.expected("PRIVATE+KEY+"))) { try SignerKey(parsing: Vectors.key) }
  }
}
