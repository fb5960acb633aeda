import ReactionModel

/// One line that the driver sends: `FOLDER EXPECTED ACKS REQUIRED`.
///
/// The file `EXPECTED` holds the shape of the workload, `SEED STEPS LANES`, and then lines of
/// acknowledgement. The first `ACKS` of them were given when the ledger was interrupted; what the
/// first `REQUIRED` of them acknowledge must be there.
struct Request {
  let folder: String
  let expectation: String
  let ackCount: Int
  let requiredCount: Int

  init?(_ line: String) {
    let words = line.split(separator: " ")
    guard words.count == 4, let acks = Int(words[2]), let required = Int(words[3]) else {
      return nil
    }
    folder = String(words[0])
    expectation = String(words[1])
    ackCount = acks
    requiredCount = required
  }
}

/// What the driver knows of a run: its workload, and what it acknowledged.
struct Expectation {
  /// An acknowledged step.
  struct Ack {
    let lane: Int
    let step: Int
    let words: [String]
  }

  let workload: Workload
  /// One entry for each line; `nil` for the one that says that the ledger is open.
  let acks: [Ack?]

  /// Reads the text of an expectation; `nil` if it is none.
  init?(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: true)[...]
    guard let head = lines.popFirst()?.split(separator: " "), head.count == 3,
      let seed = UInt64(head[0]), let steps = Int(head[1]), let lanes = Int(head[2])
    else { return nil }
    workload = Workload(Workload.Shape(seed: seed, stepCount: steps, laneCount: lanes))
    var acks: [Ack?] = []
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      if words == ["C"] {
        acks.append(nil)
        continue
      }
      guard words.count >= 3, words[0] == "S", let lane = Int(words[1]), let step = Int(words[2]),
        lane < lanes, step < steps
      else { return nil }
      acks.append(Ack(lane: lane, step: step, words: Array(words[3...])))
    }
    self.acks = acks
  }
}
