import LedgerEngine
import LedgerHash
import LedgerInterchange
import LedgerProofs
import ReactionModel

/// `prove`: proofs for those who have no ledger.
enum ProveCommand: ToolCommand {
  private enum Format { case bundle, tlogProof }

  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "prove", summary: "Proves a record, or that the log only grew, to others",
      details: """
        With --sequence, that the record is in the log of the checkpoint and whose reaction it is; \
        check-proof checks it. With --consistent-with, that the log of the checkpoint only grew from \
        an older one; check-consistency checks it. Neither needs the ledger. A proof of a record \
        tells the users' ids to whoever gets it, and goes on to tell them after an erasure.
        """,
      operands: [.ledger],
      options: [
        .value(
          "checkpoint", "FILE", "the signed checkpoint that the proof ends in", isRequired: true),
        .value("sequence", "N", "the record to prove"),
        .value("consistent-with", "FILE", "the older checkpoint to prove consistency with"),
        .value(
          "format", "FORMAT",
          "bundle: JSON, with the users' ids (default); "
            + "tlog-proof: only the inclusion, users as numbers (C2SP)"),
        .out,
      ],
      statuses: [
        (.done, "proved"),
        (
          .differs,
          "refused: the checkpoint is not of this history, or the record not in it, or the file "
            + "to write is there already"
        ),
        (.inputErrors, "a file that was given is no checkpoint"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let sequence = try arguments.integer("sequence", in: 1...UInt64(1) << 48 - 1)
    let oldPath = arguments.text("consistent-with")
    let format: Format? = try arguments.choice(
      "format", ["bundle": .bundle, "tlog-proof": .tlogProof])
    guard (sequence == nil) != (oldPath == nil) else {
      throw .usage("give --sequence N or --consistent-with FILE, one of them")
    }
    guard format == nil || sequence != nil else { throw .usage("--format is for --sequence") }
    let path = try arguments.required("checkpoint")
    let note = try SignedNote(file: path)
    let checkpoint = try Checkpoint(note, of: path, by: nil)
    let bytes = try withLedgerToRead(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      _ = try ledger.treeHead(ProgressLine())
      try require(checkpoint, of: path, in: ledger)
      if let oldPath {
        let old = try Checkpoint(try SignedNote(file: oldPath), of: oldPath, by: nil)
        let hashes = try ledger.proveConsistency(from: old.head, to: checkpoint.head)
        return ConsistencyProof(oldSize: old.head.size, hashes: hashes, checkpoint: note).bytes
      }
      let proof = try ledger.proof(
        of: try found(sequence, in: checkpoint, of: path), checkpoint, note)
      if format == .tlogProof { return proof.proofs[0].bytes }
      var writer = JSONWriter()
      writer.document(of: proof)
      return writer.bytes
    }
    try output.give(bytes, arguments)
    return .done
  }

  /// The sequence, which the log of the checkpoint must reach.
  private static func found(
    _ sequence: UInt64?, in checkpoint: Checkpoint, of path: String
  ) throws(Failure) -> UInt64 {
    guard let sequence, sequence <= checkpoint.head.size else {
      throw Failure(
        .differs,
        "\(path) is of \(checkpoint.head.size) records, before record "
          + "\(sequence ?? 0): give a newer checkpoint")
    }
    return sequence
  }

  /// Throws unless a checkpoint is of this ledger's history.
  private static func require(
    _ checkpoint: Checkpoint, of path: String, in ledger: Ledger
  ) throws(Failure) {
    let size = checkpoint.head.size
    let (head, own) = try ledger.look { (snapshot) throws(LedgerError) in
      let head = try snapshot.head
      return (head, size <= head ? try snapshot.treeHead(at: size) : nil)
    }
    guard let own else {
      throw Failure(
        .differs,
        "\(path) is of \(size) records, but \(ledger.path) has only \(head): records are "
          + "gone, or it is another ledger's")
    }
    guard own == checkpoint.head else {
      throw Failure(
        .differs,
        "\(path) is of another history: the first \(size) records of \(ledger.path) have "
          + "another root")
    }
  }
}

extension Ledger {
  /// The proof of a record, which must hold for the checkpoint.
  fileprivate func proof(
    of sequence: UInt64, _ checkpoint: Checkpoint, _ note: SignedNote
  ) throws(Failure) -> ReactionProof {
    let evidence = try look { (snapshot) throws(LedgerError) in
      try snapshot.evidence(of: sequence, size: checkpoint.head.size)
    }
    var proofs: [InclusionProof] = []
    for leaf in [evidence.record] + evidence.introductions {
      try require(leaf, in: checkpoint.head)
      proofs.append(
        InclusionProof(
          index: leaf.sequence - 1, hashes: leaf.path, checkpoint: note, extra: leaf.entry))
    }
    return ReactionProof(proofs: proofs, users: evidence.users)
  }

  /// Throws unless a record is the one that the checkpoint's tree has.
  private func require(_ leaf: RecordEvidence.Leaf, in head: TreeHead) throws(Failure) {
    do throws(ProofFault) {
      try MerkleProof.verifyInclusion(
        leaf: SHA256().leaf(leaf.entry.span), index: leaf.sequence - 1, size: head.size,
        proof: leaf.path, root: head.root, using: SHA256())
    } catch {
      throw Failure(
        .differs,
        "record \(leaf.sequence) of \(path) is not the one that the checkpoint's log has: "
          + "it was changed since; \"reaction-ledger replay\" says more")
    }
  }
}
