import LedgerHash
import LedgerProofs

/// Texts that other programs made, or that other programs accept.
enum Vectors {
  /// The example of C2SP signed-note.
  static let specKey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
  static let specNote = """
    This is an example message.

    — example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=

    """

  /// The example of Go's `golang.org/x/mod/sumdb/note`.
  static let goSecret =
    "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
  static let goKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
  static let goNote = """
    If you think cryptography is the answer to your problem,
    then you don't know what your problem is.

    — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=

    """

  /// A checkpoint of the tree of ``entries``, by the seed 00, 01, …, 1f; made with Python's
  /// `cryptography`.
  static let secret =
    "PRIVATE+KEY+example.com/reactions+2514464a+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
  static let key = "example.com/reactions+2514464a+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
  static let checkpoint = """
    example.com/reactions
    8
    XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=

    — example.com/reactions JRRGSrk1ti51gL8SzLPj25bbfXBssAgZMTjPje+YH92bT1Xp4J4Vw/R/f6Y54CrDYhKqY1w6gRRv3tki+G76QrIItQc=

    """

  /// The leaves that tests of Certificate Transparency share.
  static let entries: [[UInt8]] = [
    [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43],
    Array(0x50...0x57), Array(0x60...0x6f),
  ]

  /// The hash of an entry.
  static func leaf(_ index: Int) -> Digest {
    let entry = entries[index]
    return SHA256().leaf(entry.span)
  }

  /// The seed 00, 01, …, 1f.
  static let seed = Array(UInt8(0)..<32)

  /// A proof that the tree of ``entries`` has the one at an index.
  static func proof(of index: Int, extra: [UInt8]? = nil) throws -> InclusionProof {
    guard let plan = ProofPlan(inclusionOf: UInt64(index), size: 8) else {
      throw ProofError(.expected("an index below 8"))
    }
    var stream = ProofStream(plan, using: SHA256())
    for index in entries.indices { stream.append(leaf(index)) }
    return InclusionProof(
      index: UInt64(index), hashes: stream.hashes ?? [],
      checkpoint: try SignedNote(parsing: Array(checkpoint.utf8)), extra: extra)
  }
}

/// All byte strings that differ from `bytes` in one bit, lack one byte, or have one twice.
func mutations(_ bytes: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
  var mutations: [(place: Int, bytes: [UInt8])] = []
  for place in bytes.indices {
    for bit in 0..<8 {
      var mutation = bytes
      mutation[place] ^= 1 << UInt8(bit)
      mutations.append((place, mutation))
    }
    mutations.append((place, Array(bytes[..<place] + bytes[(place + 1)...])))
    mutations.append((place, Array(bytes[...place] + bytes[place...])))
  }
  return mutations
}
