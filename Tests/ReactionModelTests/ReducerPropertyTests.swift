import LedgerTestSupport
import ReactionModel
import Testing

@Suite("The reducer against lists, over random commands (P1, P3–P6, P9)")
struct ReducerPropertyTests {
  /// One live reaction of the model: a line in a list.
  private struct Live: Hashable {
    let reaction: String
    let user: Int
  }

  /// What must be shown, from a list of live adds in order and a list of reactions in order.
  private struct Lists {
    var live: [Live] = []
    var order: [String] = []
    var peaks: [String: Int] = [:]

    mutating func run(isAdd: Bool, _ entry: Live) {
      let isLive = live.contains(entry)
      if isAdd, !isLive {
        live.append(entry)
        if !order.contains(entry.reaction) { order.append(entry.reaction) }
      } else if !isAdd, isLive {
        live.removeAll { $0 == entry }
        if !live.contains(where: { $0.reaction == entry.reaction }) {
          order.removeAll { $0 == entry.reaction }
          peaks[entry.reaction] = nil
        }
      }
      for reaction in order {
        peaks[reaction] = max(peaks[reaction] ?? 0, live.count { $0.reaction == reaction })
      }
    }

    var shown: String {
      let parts = order.map { reaction in
        let users = live.filter { $0.reaction == reaction }.map { "u\($0.user)" }
        return "\(reaction)=\(users.count)[\(users.joined(separator: ","))]"
      }
      return parts.isEmpty ? "-" : parts.joined(separator: " ")
    }
  }

  /// 60 users: more than the reducer looks through one by one.
  @Test("2,000 commands of 60 users on 3 reactions", arguments: [1, 2, 3] as [UInt64])
  func randomCommands(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var script = CommandScript()
    var lists = Lists()
    var records = 1
    for step in 0..<2_000 {
      // Tides, so that reactions both grow popular and fall to nothing.
      let isAdd = Int.random(in: 0..<10, using: &generator) < (step / 250 % 2 == 0 ? 7 : 1)
      let entry = Live(
        reaction: ["A", "B", "C"][Int.random(in: 0..<3, using: &generator)],
        user: Int.random(in: 1...60, using: &generator))
      records += try script.run("\(isAdd ? "+" : "-")u\(entry.user) \(entry.reaction)")
      lists.run(isAdd: isAdd, entry)
      let message = script.reducer.messages[try MessageKey(.group("g1"), "m1")]
      try #require(
        try script.shown(userLimit: .max) == lists.shown, "seed \(seed), step \(step)")
      for live in message?.reactions ?? [] {
        try #require(live.peak == lists.peaks[live.reaction.text], "seed \(seed), step \(step)")
        try #require(live.opened <= live.reactors[0].sequence)
      }
    }
    #expect(script.findings == [])
    #expect(script.reducer.finish() == [])
    #expect(Int(script.reducer.head) == records)
    let liveCount = script.reducer.users.reduce(0) { $0 + $1.liveCount }
    #expect(liveCount == lists.live.count)
  }
}
