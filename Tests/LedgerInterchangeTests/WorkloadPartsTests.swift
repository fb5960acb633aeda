import LedgerInterchange
import LedgerTestSupport
import Testing

@Suite("Workload: choices, heap, live set, tallies")
struct WorkloadPartsTests {
  @Test("Random numbers are those of the published functions")
  func randomNumbers() {
    // The first outputs of SplitMix64's sequence under the finaliser of MurmurHash3, by hand.
    #expect(WorkloadRandom.mix(0) == 0)
    #expect(WorkloadRandom.mix(1) == 0xb456_bcfc_34c2_cb2c)
    var random = WorkloadRandom(seed: 3)
    let first = random.next()
    #expect(first == WorkloadRandom.mix(0x9e37_79b9_7f4a_7c15 &+ 3))
    for _ in 0..<10_000 {
      #expect((0..<1).contains(random.uniform()))
      #expect((0..<3).contains(random.index(below: 3)))
      #expect(random.exponential(mean: 2) >= 0)
      #expect(random.logNormal(median: 2, spread: 1) > 0)
    }
  }

  @Test("A choice finds the first index whose sum exceeds the fraction", arguments: 1...12)
  func choiceAgainstLinearSearch(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = seed == 1 ? 1 : Int.random(in: 2...9_000, using: &random)
    var weights = (0..<count).map { _ in Double(Int.random(in: 0...3, using: &random)) }
    weights[Int.random(in: 0..<count, using: &random)] = seed % 2 == 0 ? 100_000 : 1
    let choice = WeightedChoice(weights: weights)
    #expect(choice.count == count)
    var sums: [Double] = []
    for weight in weights { sums.append((sums.last ?? 0) + weight) }

    var fractions = (0..<200).map { _ in Double.random(in: 0..<1, using: &random) }
    for part in stride(from: 0, through: 4096, by: 37) {
      let fraction = Double(part) / 4096
      fractions += [fraction, fraction.nextUp, fraction.nextDown].filter { (0..<1).contains($0) }
    }
    fractions += [0, 1.0.nextDown]
    let total = sums[count - 1]
    for fraction in fractions {
      let expected = sums.firstIndex { $0 > fraction * total } ?? count - 1
      #expect(choice.index(at: fraction) == expected, "seed \(seed), fraction \(fraction)")
    }
  }

  @Test("The heap gives the soonest, whatever is added in between", arguments: 1...8)
  func heapAgainstSortedArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var heap = PendingActions()
    var model: [Double] = []
    #expect(heap.popFirst() == nil)
    for step in 0..<3_000 {
      if Int.random(in: 0..<5, using: &random) < (step < 1_500 ? 3 : 2) {
        let time = Double(Int.random(in: 0..<500, using: &random))
        heap.insert(PendingAction(at: time, message: 0, .add))
        model.append(time)
      } else {
        let soonest = model.min()
        #expect(heap.first?.time == soonest)
        #expect(heap.popFirst()?.time == soonest, "seed \(seed), step \(step)")
        if let place = model.firstIndex(where: { $0 == soonest }) { model.remove(at: place) }
      }
      #expect(heap.count == model.count)
    }
    let rest = (0..<heap.count).compactMap { _ in heap.popFirst()?.time }
    #expect(rest == model.sorted())
    #expect(heap.first == nil)
  }

  @Test("The live set behaves as a set while it grows and shrinks", arguments: 1...8)
  func liveSetAgainstSet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var live = LiveSet()
    var model: Set<LiveKey> = []
    for step in 0..<20_000 {
      let key = LiveKey(
        message: .random(in: 0..<(seed < 5 ? 40 : 4_000), using: &random),
        user: .random(in: 0..<10, using: &random), reaction: .random(in: 0..<4, using: &random))
      if Bool.random(using: &random) || step < 4_000 {
        #expect(live.insert(key) == model.insert(key).inserted, "seed \(seed), step \(step)")
      } else {
        #expect(live.remove(key) == (model.remove(key) != nil), "seed \(seed), step \(step)")
      }
      #expect(live.count == model.count)
    }
    #expect(model.allSatisfy { live.contains($0) })
    for key in model {
      let wasMember = live.remove(key)
      #expect(wasMember)
      #expect(!live.contains(key))
    }
    #expect(live.count == 0)
  }

  @Test("Keys keep message, user and reaction apart, and none is 0")
  func liveKeys() {
    #expect(LiveKey(message: 0, user: 0, reaction: 0).bits == 1)
    var keys: Set<UInt64> = []
    for message in [0, 1, UInt32.max] {
      for user in [0, 1, UInt32(1 << 18 - 1)] {
        for reaction in [0, 1, UInt8(63)] {
          keys.insert(LiveKey(message: message, user: user, reaction: reaction).bits)
        }
      }
    }
    #expect(keys.count == 27)
    #expect(WorkloadShape.userCount < 1 << 18)
    #expect(WorkloadShape.reactions.count <= 64)
  }

  @Test("Tallies count by message, in order of appearance", arguments: 1...8)
  func talliesAgainstArrays(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var tallies = MessageTallies()
    var model: [[(reaction: UInt8, count: Int)]] = []
    for step in 0..<3_000 {
      if step % 100 == 0 {
        tallies.appendMessage()
        model.append([])
      }
      let message = Int.random(in: 0..<model.count, using: &random)
      let reaction = UInt8.random(in: 0..<6, using: &random)
      let place = model[message].firstIndex { $0.reaction == reaction }
      if let place, Bool.random(using: &random) {
        tallies.decrement(reaction, of: UInt32(message))
        model[message][place].count -= 1
        model[message].removeAll { $0.count == 0 }
      } else {
        tallies.increment(reaction, of: UInt32(message))
        if let place {
          model[message][place].count += 1
        } else {
          model[message].append((reaction, 1))
        }
      }
      let flat = model[message].flatMap { Array(repeating: $0.reaction, count: $0.count) }
      let totals = tallies.totals(of: UInt32(message))
      #expect(totals.distinct == model[message].count && totals.total == flat.count)
      for position in [0, flat.count / 2, flat.count - 1, flat.count] where position >= 0 {
        let expected = position < flat.count ? flat[position] : nil
        #expect(
          tallies.reaction(at: position, of: UInt32(message)) == expected,
          "seed \(seed), step \(step)")
      }
    }
    #expect(tallies.messageCount == model.count)
  }

  @Test("Misuse traps")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = WeightedChoice(weights: [0, 0]) }
    await #expect(processExitsWith: .failure) { _ = WeightedChoice(weights: [1, -1, 3]) }
    await #expect(processExitsWith: .failure) { _ = WeightedChoice(weights: [1]).index(at: 1) }
    await #expect(processExitsWith: .failure) { _ = LiveKey(message: 0, user: 0, reaction: 64) }
    await #expect(processExitsWith: .failure) {
      _ = LiveKey(message: 0, user: 1 << 18, reaction: 0)
    }
    await #expect(processExitsWith: .failure) {
      var tallies = MessageTallies()
      tallies.appendMessage()
      tallies.decrement(0, of: 0)
    }
    await #expect(processExitsWith: .failure) { _ = WorkloadGenerator(events: -1) }
  }
}
