import LedgerHash
import LedgerProofs
import LedgerTestSupport
import Testing

@Suite("Any bytes give a value or an error, and a value its own bytes")
struct TotalityTests {
  /// Pieces of valid texts, and bytes that mean something in them, in any order.
  private func bytes(_ sources: [[UInt8]], _ numbers: inout SeededGenerator) -> [UInt8] {
    let special = Array("\n\n\n +=/0—A9".utf8) + [0, 0xff]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      guard let source = sources.randomElement(using: &numbers), Bool.random(using: &numbers)
      else {
        bytes += special.shuffled(using: &numbers).prefix(2)
        continue
      }
      // Mostly whole lines, so that some of what is made is valid.
      let lines = source.split(separator: 0x0a, omittingEmptySubsequences: false)
      let first = Int.random(in: lines.indices, using: &numbers)
      let last = Int.random(in: first..<lines.count, using: &numbers)
      bytes += lines[first...last].joined(separator: [0x0a])
      if Bool.random(using: &numbers) { bytes.append(0x0a) }
    }
    return bytes
  }

  @Test("Random splices", arguments: 1...4 as ClosedRange<UInt64>)
  func splices(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let sources = [
      Array(Vectors.goNote.utf8), Array(Vectors.checkpoint.utf8),
      try Vectors.proof(of: 5, extra: [1]).bytes, Array(Vectors.key.utf8),
      Array(Vectors.secret.utf8), try Vectors.consistency(from: 3).bytes,
    ]
    var acceptedCount = 0
    for _ in 0..<2_000 {
      let bytes = bytes(sources, &numbers)
      if let note = try? SignedNote(parsing: bytes) {
        acceptedCount += 1
        #expect(note.bytes == bytes, "seed \(seed)")
      }
      if let proof = try? InclusionProof(parsing: bytes) {
        #expect(proof.bytes == bytes, "seed \(seed)")
      }
      if let proof = try? ConsistencyProof(parsing: bytes) {
        #expect(proof.bytes == bytes, "seed \(seed)")
      }
      if let checkpoint = try? Checkpoint(parsing: bytes) {
        #expect(checkpoint.text.utf8.elementsEqual(bytes), "seed \(seed)")
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if let key = try? VerifierKey(parsing: text) { #expect(key.description == text) }
      if let key = try? SignerKey(parsing: text) { #expect(key.secretText == text) }
    }
    #expect(acceptedCount > 0, "seed \(seed)")
  }
}
