import LedgerEngine
import LedgerHash
import LedgerInterchange
import LedgerProofs
import ReactionModel

extension Failure {
  /// A file of keys, checkpoints or proofs that is not what it must be, or does not hold.
  init(_ status: ExitStatus, _ path: String, _ error: ProofError) {
    self.init(status, "\(path): \(error)")
  }
}

extension SignedNote {
  /// Reads a note from a file.
  ///
  /// - Throws: ``Failure`` with the status *inputErrors* if there is none.
  init(file path: String) throws(Failure) {
    let bytes = try SmallFile.read(path)
    do throws(ProofError) {
      try self.init(parsing: bytes)
    } catch {
      throw Failure(.inputErrors, path, error)
    }
  }
}

extension Checkpoint {
  /// The checkpoint that a note is.
  ///
  /// - Parameters:
  ///   - note: The note.
  ///   - path: Its file, for the message.
  ///   - key: The key that must have signed it; `nil` checks no signature.
  /// - Throws: ``Failure``: *differs* if the signature does not hold, *inputErrors* if the text is no
  ///   checkpoint and nobody is said to have signed it.
  init(_ note: SignedNote, of path: String, by key: VerifierKey?) throws(Failure) {
    do throws(ProofError) {
      if let key { try self.init(note, by: key) } else { try self.init(parsing: note.text) }
    } catch {
      throw Failure(key == nil ? .inputErrors : .differs, path, error)
    }
  }
}

extension SignerKey {
  /// Reads a private key from a file: a line.
  ///
  /// - Throws: ``Failure`` with the status *inputErrors* if there is none.
  init(file path: String) throws(Failure) {
    var bytes = try SmallFile.read(path)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    do throws(ProofError) {
      try self.init(parsing: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure(.inputErrors, path, error)
    }
  }
}

extension Arguments {
  /// A ledger's public key.
  func verifierKey() throws(Failure) -> VerifierKey? {
    guard let text = text("vkey") else { return nil }
    do throws(ProofError) {
      return try VerifierKey(parsing: text)
    } catch {
      throw .usage("--vkey: \(error)")
    }
  }

  /// The checkpoint in the file of `--checkpoint`, signed by the key of `--vkey`; `nil` if neither is
  /// given.
  func trustedCheckpoint() throws(Failure) -> Checkpoint? {
    let key = try verifierKey()
    guard let path = text("checkpoint") else {
      guard key == nil else { throw .usage("--vkey is for --checkpoint: add that") }
      return nil
    }
    guard let key else { throw .usage("--checkpoint needs --vkey: add \(Option.vkey.usage)") }
    return try Checkpoint(try SignedNote(file: path), of: path, by: key)
  }
}

extension Option {
  /// By which key.
  static let vkey = Option.value("vkey", "KEY", "the ledger's public key, as keygen printed it")
  /// To which file.
  static let out = Option.value(
    "out", "FILE", "the file to write, which must not be there; without it, standard output")
}

extension Output {
  /// Writes bytes to the file of `--out`, or prints them.
  func give(_ bytes: [UInt8], _ arguments: Arguments) throws(Failure) {
    if let path = arguments.text("out") {
      try SmallFile.create(path, bytes)
    } else {
      try self.bytes { $0 += bytes }
    }
  }
}

extension Ledger {
  /// Stores the hashes of `tree` that are lacking, with progress, so that proofs read little; gives
  /// the head.
  func treeHead(_ progress: ProgressLine) throws(Failure) -> TreeHead {
    defer { progress.clear() }
    return try attempt { (ledger) throws(LedgerError) in
      try ledger.treeHead { progress.show("hashing: \($0) of \($1) records") }
    }
  }

  /// Proves that the ledger has grown from one head to another, and checks the proof.
  ///
  /// - Parameters:
  ///   - old: The older head.
  ///   - new: The newer head.
  /// - Returns: The hashes.
  /// - Throws: ``Failure`` with the status *differs* if it has not, or has fewer records.
  func proveConsistency(
    from old: TreeHead, to new: TreeHead
  ) throws(Failure) -> [Digest] {
    guard old.size <= new.size else {
      throw Failure(
        .differs,
        "a tree of \(new.size) records cannot have grown from one of \(old.size): records are gone")
    }
    let hashes = try look { (snapshot) throws(LedgerError) in
      try snapshot.consistency(from: old.size, to: new.size)
    }
    do throws(ProofFault) {
      try MerkleProof.verifyConsistency(from: old, to: new, proof: hashes, using: SHA256())
    } catch {
      throw Failure(.differs, "\(path) has another history than the checkpoints: \(error)")
    }
    return hashes
  }
}
