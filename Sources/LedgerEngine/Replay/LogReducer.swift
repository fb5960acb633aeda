package import LedgerHash
internal import ReactionCodec
package import ReactionModel

/// What makes a state of the log's records, one after the other, and says which rules they break.
package protocol LogReducer {
  /// The sequence of the last record.
  var head: UInt64 { get }
  /// What the records broke since this was last emptied.
  var findings: [Finding] { get set }

  /// Whether it says what concerns the log as a whole.
  var isPrimary: Bool { get }

  /// Whether a record must be taken; others may be left out.
  func needs(_ record: Span<UInt8>) -> Bool
  /// Takes the room that the next records need.
  ///
  /// - Returns: What the tables take then; if more than the limit, the records must not be taken.
  mutating func makeRoom(for window: borrowing RowWindow, within limit: Int) -> TableRoom
  /// Learns which records will come next; nothing but time may depend on it.
  mutating func prepare(_ window: borrowing RowWindow)
  /// Takes the next record, whatever its bytes are, and its leaf in the tree; only the primary looks
  /// at that.
  mutating func take(_ record: Span<UInt8>, at sequence: UInt64, leaf: Digest)
  /// What only shows at the end of the log.
  func finish() -> [Finding]
}

extension LogReducer {
  package var isPrimary: Bool { true }
  package func needs(_ record: Span<UInt8>) -> Bool { true }
  package mutating func makeRoom(
    for window: borrowing RowWindow, within limit: Int
  ) -> TableRoom { TableRoom(0, limit: limit) }

  /// Takes the next record, whatever its bytes are.
  package mutating func take(_ record: Span<UInt8>, at sequence: UInt64, _ sealer: Sealer) {
    take(record, at: sequence, leaf: sealer.leaf(of: record))
  }

  mutating func checkSeal(_ found: UInt64, _ leaf: Digest, _ sequence: UInt64) {
    let seal = leaf.words.0
    if seal != found { note(.seal, hexadecimal(seal), hexadecimal(found), sequence) }
  }

  /// Checks what a decoded record says of its own bytes (L3, L4, L10).
  mutating func checkBytes(
    _ bytes: Span<UInt8>, _ record: Record, _ sequence: UInt64, _ scratch: inout [UInt8],
    _ leaf: Digest
  ) {
    scratch.removeAll(keepingCapacity: true)
    RecordFormat.encode(record, into: &scratch)
    let body = bytes.extracting(0..<bytes.count - RecordFormat.sealByteCount)
    if !scratch.span.equals(body) {
      note(.recordCanonical, "the bytes that it encodes to", "others", sequence)
    }
    checkSeal(RecordFormat.seal(of: bytes) ?? 0, leaf, sequence)
    for reaction in Self.reactions(in: record) where !reaction.isCanonical {
      note(.canonicalReaction, "canonical form", "\(reaction)", sequence)
    }
  }

  private static func reactions(in record: Record) -> [Reaction] {
    switch record.content {
    case .change(let change): return [change.reaction]
    case .created(_, let policy), .policyChanged(let policy):
      if case .allowed(let reactions) = policy.validity { return reactions } else { return [] }
    case .userErased: return []
    }
  }

  mutating func noteUnreadable(_ error: CodecError, _ sequence: UInt64) {
    note(.recordDecodes, "a record", "\(error)", sequence)
  }

  @inline(never) mutating func note(
    _ rule: Rule, _ expected: String, _ found: String, _ sequence: UInt64
  ) {
    findings.append(Self.finding(rule, expected, found, sequence))
  }

  static func finding(
    _ rule: Rule, _ expected: String, _ found: String, _ sequence: UInt64
  ) -> Finding {
    Finding(
      rule, place: "events \(sequence)", expected: expected, found: found, sequence: sequence)
  }
}

/// The plain reducer over the bytes of the log: what the flat one is held equal to.
package struct PlainReducer: LogReducer {
  package private(set) var reducer = Reducer()
  package var findings: [Finding] = []
  private var scratch: [UInt8] = []

  /// The state before the first record.
  package init() {}

  package var head: UInt64 { reducer.head }

  package mutating func prepare(_ window: borrowing RowWindow) {}

  package mutating func take(_ bytes: Span<UInt8>, at sequence: UInt64, leaf: Digest) {
    let record: Record
    do throws(CodecError) {
      record = try RecordFormat.decode(bytes)
    } catch {
      noteUnreadable(error, sequence)
      findings += reducer.skip(to: sequence)
      return
    }
    var scratch = scratch
    checkBytes(bytes, record, sequence, &scratch, leaf)
    findings += reducer.apply(record, at: sequence)
  }

  package func finish() -> [Finding] { reducer.finish() }
}
