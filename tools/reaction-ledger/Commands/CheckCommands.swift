import LedgerEngine
import LedgerHash
import LedgerInterchange
import LedgerProofs
import ReactionModel

/// `check-proof`: what a proof of a record proves, without a ledger.
enum CheckProofCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "check-proof", summary: "Checks the proof of a record; needs no ledger",
      details: """
        Tells what is proved: that the log with this key has the record, and whose it is, unless the \
        user was erased. The file is a bundle or a .tlog-proof, as prove writes them.
        """,
      operands: [Operand("FILE", "the proof")],
      options: [
        .value("vkey", "KEY", "the ledger's public key, as keygen printed it", isRequired: true),
        .json,
      ],
      statuses: [
        (.done, "it holds"), (.differs, "it does not hold; the reason is told"),
        (.inputErrors, "the file cannot be read"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    guard let key = try arguments.verifierKey() else { throw .usage("--vkey is missing: add it") }
    let path = try arguments.operand("FILE")
    let bytes = try SmallFile.read(path)
    let result = check(bytes, key)
    return try output.verdict(result, isJSON: arguments.has("json"), of: path) { proven in
      let checkpoint = proven.checkpoint
      return [
        proven.entry.line { "user \($0), whom the proof does not name" },
        "proved: record \(proven.entry.sequence) of \(checkpoint.origin), whose checkpoint has "
          + counted(checkpoint.head.size, "record"),
      ]
    } json: { writer, proven in
      writer.member("origin", proven.checkpoint.origin)
      writer.member("size", proven.checkpoint.head.size)
      writer.members(of: proven.entry, format: nil)
    }
  }

  private static func check(
    _ bytes: [UInt8], _ key: VerifierKey
  ) -> Result<ProvenRecord, Refusal> {
    do throws(ProofError) {
      // JSON begins with a brace, perhaps after white space; a .tlog-proof with its own name.
      guard bytes.first != UInt8(ascii: "c") else {
        return .success(try ProvenRecord(try InclusionProof(parsing: bytes), by: key))
      }
      switch bundle(bytes) {
      case .success(let proof): return .success(try proof.verify(by: key))
      case .failure(let refusal): return .failure(refusal)
      }
    } catch {
      return .failure(Refusal(reason: "\(error)"))
    }
  }

  private static func bundle(_ bytes: [UInt8]) -> Result<ReactionProof, Refusal> {
    do throws(JSONError) {
      var tape = JSONTape()
      try tape.read(bytes.span)
      do throws(FormError) {
        return .success(try ReactionProof(json: tape.root))
      } catch {
        return .failure(Refusal(reason: "\(error)"))
      }
    } catch {
      return .failure(Refusal(reason: "it is neither a bundle nor a .tlog-proof: \(error)"))
    }
  }
}

/// `check-consistency`: that a log only grew.
enum CheckConsistencyCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "check-consistency", summary: "Checks that the log only grew between two checkpoints",
      details: """
        Against a proof that prove wrote, which needs no ledger, or against the ledger itself, which \
        must then have the records of both. Without --vkey no signature is checked, only that the \
        trees of the two agree.
        """,
      operands: [
        Operand("OLD", "the older checkpoint"), Operand("NEW", "the newer checkpoint"),
        Operand("PROOF", "the file of a proof of consistency, or the folder of the ledger"),
      ],
      options: [.vkey, .json],
      statuses: [
        (.done, "the newer log begins with all of the older one"),
        (.differs, "it does not, or that is not proved; the reason is told"),
        (.inputErrors, "a file cannot be read or is no checkpoint"),
      ])
  }

  private struct Agreement {
    let old: Checkpoint
    let new: Checkpoint
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let key = try arguments.verifierKey()
    let (oldPath, newPath) = (try arguments.operand("OLD"), try arguments.operand("NEW"))
    let (oldNote, newNote) = (try SignedNote(file: oldPath), try SignedNote(file: newPath))
    let path = try arguments.operand("PROOF")
    let result: Result<Agreement, Refusal>
    do throws(Failure) {
      let old = try Checkpoint(oldNote, of: oldPath, by: key)
      let new = try Checkpoint(newNote, of: newPath, by: key)
      guard old.origin.utf8.elementsEqual(new.origin.utf8) else {
        throw Failure(.differs, "they are of two logs, \(old.origin) and \(new.origin)")
      }
      if SmallFile.isFolder(path) {
        try withLedgerToRead(at: path) { (ledger) throws(Failure) in
          _ = try ledger.treeHead(ProgressLine())
          _ = try ledger.proveConsistency(from: old.head, to: new.head)
        }
      } else {
        try check(try SmallFile.read(path), old, new, newNote)
      }
      result = .success(Agreement(old: old, new: new))
    } catch  where error.status == .differs {
      result = .failure(Refusal(reason: error.text))
    }
    return try output.verdict(result, isJSON: arguments.has("json"), of: path) { agreement in
      let checked = key == nil ? "; signatures were not checked: give --vkey" : ""
      return [
        "\(agreement.new.origin) only grew, from \(agreement.old.head.size) to "
          + counted(agreement.new.head.size, "record") + checked
      ]
    } json: { writer, agreement in
      writer.member("origin", agreement.new.origin)
      writer.member("oldSize", agreement.old.head.size)
      writer.member("newSize", agreement.new.head.size)
      writer.member("signaturesChecked", key != nil)
    }
  }

  private static func check(
    _ bytes: [UInt8], _ old: Checkpoint, _ new: Checkpoint, _ newNote: SignedNote
  ) throws(Failure) {
    do throws(ProofError) {
      let proof = try ConsistencyProof(parsing: bytes)
      guard proof.checkpoint.text == newNote.text else { throw ProofError(.checkpointsDiffer) }
      try proof.verify(old: old.head, new: new.head)
    } catch {
      throw Failure(.differs, "\(error)")
    }
  }
}

/// Why a check did not pass.
struct Refusal: Error {
  let reason: String
}

extension Output {
  /// Prints what a check gave.
  ///
  /// - Parameters:
  ///   - result: What was proved, or why nothing was.
  ///   - isJSON: Whether as JSON: `ok`, and `reason` or what `json` writes.
  ///   - path: What was checked, for the message.
  ///   - lines: What was proved, in words.
  ///   - json: Writes what was proved.
  /// - Returns: What the tool ends with.
  /// - Throws: ``Failure`` with the reason, unless it was printed as JSON.
  func verdict<Proved>(
    _ result: Result<Proved, Refusal>, isJSON: Bool, of path: String,
    lines: (Proved) -> [String], json: (inout JSONWriter, Proved) -> Void
  ) throws(Failure) -> ExitStatus {
    switch result {
    case .success(let proved):
      if isJSON {
        try object { writer in
          writer.member("ok", true)
          json(&writer, proved)
        }
      } else {
        for line in lines(proved) { try self.line(line.printable) }
      }
      return .done
    case .failure(let refusal):
      guard isJSON else { throw Failure(.differs, "\(path): not proved: \(refusal.reason)") }
      try object { writer in
        writer.member("ok", false)
        writer.member("reason", refusal.reason)
      }
      return .differs
    }
  }
}
