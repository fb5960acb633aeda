public import LedgerHash
public import ReactionModel

/// Why a key, a signed note, a checkpoint or a proof is refused, and in which line.
public struct ProofError: Error, Hashable, Sendable {
  /// What is wrong.
  public let reason: Reason
  /// The line that it is wrong in, counted from 1; `nil` if it is no matter of one line.
  public let line: Int?

  /// Makes an error.
  public init(_ reason: Reason, line: Int? = nil) {
    self.reason = reason
    self.line = line
  }

  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// There are this many bytes, more than ``SignedNote/maximumByteCount``.
    case tooManyBytes(count: Int)
    /// The bytes are not UTF-8.
    case notUTF8
    /// There is a control character other than the newline.
    case controlCharacter(UInt8)
    /// The last line has no newline at its end.
    case noFinalNewline
    /// There is no blank line before signatures.
    case noBlankLine
    /// A line had to be of this form.
    case expected(String)
    /// A key's name is empty, or has white space, a plus or a control character.
    case invalidKeyName
    /// Bytes had to be written in standard Base64 with padding (RFC 4648, section 4).
    case invalidBase64
    /// The bytes behind Base64 have another count than they must.
    case byteCount(found: Int, expected: Int)
    /// A key is of another type than Ed25519, which is 1.
    case unknownKeyType(UInt8)
    /// A key's id is not what its name and its public key give.
    case keyIDDiffers(found: UInt32, expected: UInt32)
    /// OpenSSL refuses these bytes as a key.
    case invalidKey
    /// A note has more than ``SignedNote/maximumSignatureCount`` signatures.
    case tooManySignatures
    /// The signature of this key, which is trusted, does not fit the text.
    case wrongSignature(keyName: String)
    /// No signature is by a key that is trusted.
    case noTrustedSignature
    /// The checkpoint is of another log than its key's.
    case originDiffers(found: String, expected: String)
    /// A checkpoint's origin is empty or has a control character, or an extension line is or has.
    case invalidCheckpointLine
    /// A proof has more hashes than any tree asks for.
    case tooManyHashes
    /// The hashes do not lead from the leaf to the checkpoint's root.
    case notProven(ProofFault)
    /// The older checkpoint has another size than the proof of consistency begins at.
    case sizeDiffers(found: UInt64, expected: UInt64)
    /// A proof has no extra line, which is to hold the record.
    case noRecord
    /// The bytes of a record are not of the ledger's format.
    case invalidRecord(String)
    /// The proofs of one reaction end in different checkpoints.
    case checkpointsDiffer
    /// The proofs, or the users, are not those that the record asks for, in their order.
    case partsDiffer(expected: String)
    /// No record that is proven first mentions this user.
    case notIntroduced(user: UserNumber)
    /// Salt and id do not open the log's commitment to this user.
    case wrongOpening(user: UserNumber)
  }
}

extension ProofError: CustomStringConvertible {
  /// What is wrong and where, in words.
  public var description: String {
    if let line { "line \(line): \(reason)" } else { "\(reason)" }
  }
}

extension ProofError.Reason: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .tooManyBytes(let count):
      "at most \(SignedNote.maximumByteCount) bytes are read, these are \(count)"
    case .notUTF8: "the bytes are not UTF-8"
    case .controlCharacter(let byte): "control character \(byte)"
    case .noFinalNewline: "the last line has no newline at its end"
    case .noBlankLine: "no blank line before signatures"
    case .expected(let form): "expected \(form)"
    case .invalidKeyName: "a key's name is not empty and has no white space, plus or control"
    case .invalidBase64: "expected standard Base64 with padding"
    case .byteCount(let found, let expected): "expected \(expected) bytes, found \(found)"
    case .unknownKeyType(let type): "key type \(type) is not 1, Ed25519"
    case .keyIDDiffers(let found, let expected):
      "the key's id is \(found.eightDigits), its name and public key give \(expected.eightDigits)"
    case .invalidKey: "the bytes are no Ed25519 key"
    case .tooManySignatures: "more than \(SignedNote.maximumSignatureCount) signatures"
    case .wrongSignature(let name): "the signature of \(name) does not fit the text"
    case .noTrustedSignature: "no signature is by a trusted key"
    case .originDiffers(let found, let expected):
      "the checkpoint is of \"\(found)\", not of \"\(expected)\""
    case .invalidCheckpointLine: "a checkpoint's line is not empty and has no control character"
    case .tooManyHashes: "a proof has at most \(InclusionProof.maximumHashCount) hashes"
    case .notProven(let fault): "\(fault)"
    case .sizeDiffers(let found, let expected):
      "the older checkpoint has size \(found), the proof begins at \(expected)"
    case .noRecord: "the proof has no extra line with the record"
    case .invalidRecord(let reason): "the record is not one of a ledger: \(reason)"
    case .checkpointsDiffer: "the proofs end in different checkpoints"
    case .partsDiffer(let expected): "the record asks for \(expected)"
    case .notIntroduced(let user): "no record that is proven first mentions user \(user)"
    case .wrongOpening(let user): "salt and id are not those of user \(user) in the log"
    }
  }
}
