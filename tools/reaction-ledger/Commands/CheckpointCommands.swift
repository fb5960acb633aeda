import LedgerEngine
import LedgerHash
import LedgerInterchange
import LedgerProofs
import ReactionModel

/// `keygen`: a key to sign checkpoints with.
enum KeygenCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "keygen", summary: "Makes a key to sign checkpoints with",
      details: """
        The private key goes to a new file that only its owner may read; the public key, which \
        everybody may know, is printed. Keep the file apart from the ledger: who has both can sign \
        a history of their own.
        """,
      operands: [],
      options: [
        .value(
          "name", "NAME",
          "the key's name, which is the origin of its checkpoints: like example.com/reactions",
          isRequired: true),
        .value(
          "out", "FILE", "the file of the private key; it must not be there", isRequired: true),
        .json,
      ],
      statuses: [(.done, "made"), (.differs, "there is such a file already; it stays as it is")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let key: SignerKey
    do throws(ProofError) {
      var generator = SystemRandomNumberGenerator()
      key = try SignerKey(
        name: KeyName(try arguments.name()), using: &generator)
    } catch {
      throw .usage("--name: \(error)")
    }
    let path = try arguments.required("out")
    try SmallFile.create(path, Array((key.secretText + "\n").utf8), mode: 0o600)
    if arguments.has("json") {
      try output.object { writer in
        writer.member("vkey", "\(key.verifier)")
        writer.member("file", path)
      }
    } else {
      try output.line("\(key.verifier)".printable)
    }
    return .done
  }
}

extension Arguments {
  /// The name of a key; an empty one is refused as a name.
  fileprivate func name() throws(ProofError) -> String { text("name") ?? "" }
}

/// `checkpoint`: the signed size and root of the log.
enum CheckpointCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "checkpoint", summary: "Signs the size and the root of the log as it is now",
      details: """
        The checkpoint is a signed note (C2SP tlog-checkpoint). Kept where the ledger's keeper cannot \
        change it, it shows whether history was rewritten. Give the one before with --previous: then \
        nothing is signed unless the log has only grown since. Others may write meanwhile.
        """,
      operands: [.ledger],
      options: [
        .value("key", "FILE", "the file of the private key, made by keygen", isRequired: true),
        .value("origin", "NAME", "the name of the log; it must be the key's (default)"),
        .value(
          "previous", "FILE", "an older checkpoint by this key, which must be of this history"),
        .out,
      ],
      statuses: [
        (.done, "signed"),
        (.differs, "refused: the log has not grown from --previous, or the file is there already"),
        (.inputErrors, "a file that was given is no key, or no checkpoint"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let key = try SignerKey(file: try arguments.required("key"))
    let name = key.verifier.name
    if let origin = arguments.text("origin"), !origin.utf8.elementsEqual(name.text.utf8) {
      throw .usage("--origin is \"\(origin)\", but the key's name is \"\(name)\": give that")
    }
    let previous = try arguments.text("previous").map { (path) throws(Failure) in
      try Checkpoint(try SignedNote(file: path), of: path, by: key.verifier)
    }
    let head = try withLedger(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      let head = try ledger.treeHead(ProgressLine())
      if let previous { _ = try ledger.proveConsistency(from: previous.head, to: head) }
      return head
    }
    let note: SignedNote
    do throws(ProofError) {
      note = try Checkpoint(origin: name, head: head).signed(by: key)
    } catch {
      throw Failure(.unusable, "the checkpoint cannot be signed: \(error)")
    }
    try output.give(note.bytes, arguments)
    return .done
  }
}
