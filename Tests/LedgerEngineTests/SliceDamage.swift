import LedgerEngine
import LedgerTestSupport
import ReactionCodec
import ReactionModel

/// Damages ledgers at random: bytes and pairs of every database, and records that are sealed but not
/// possible.
struct SliceDamage {
  private let sample: SliceSample
  private var generator: SeededGenerator
  private let sealer = Sealer()

  init(_ sample: SliceSample, seed: UInt64) {
    self.sample = sample
    generator = SeededGenerator(seed: seed)
  }

  private mutating func below(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

  /// Damages a copy of the sample in one to three places, and says how.
  mutating func damage(_ path: String) throws -> [String] {
    var done: [String] = []
    for _ in 0...below(3) {
      let database = sample.databases[below(sample.databases.count)]
      done.append(
        database == "events" || below(4) == 0
          ? try damageLog(path) : try damagePair(database, path))
    }
    return done
  }

  private mutating func damagePair(_ database: String, _ path: String) throws -> String {
    let pairs = sample.pairs(of: database)
    guard !pairs.isEmpty else {
      let (key, value) = (bytes(9), bytes(40))
      try RawLedger.put(value, for: key, in: database, at: path)
      return "\(database): put \(key)"
    }
    var (key, value) = pairs[below(pairs.count)]
    switch below(5) {
    case 0:
      try RawLedger.delete(key, in: database, at: path)
      return "\(database): deleted \(key)"
    case 1:
      key[below(key.count)] ^= 1 << UInt8(below(8))
    case 2:
      key.append(UInt8(below(256)))
    case 3 where !value.isEmpty:
      value[below(value.count)] ^= 1 << UInt8(below(8))
    default:
      value = below(2) == 0 ? Array(value.dropLast()) : value + [0]
    }
    if database == "meta", key == pairs[0].key { return "nothing" }
    try RawLedger.put(value, for: key, in: database, at: path)
    // The same bytes again are no damage.
    let isSame = pairs.contains { $0.key == key && $0.value == value }
    // Other keys of meta are not looked at.
    let isOther = database == "meta" && !pairs.contains { $0.key == key }
    return "\(isSame || isOther ? "nothing in " : "")\(database): put \(key), \(value)"
  }

  private mutating func damageLog(_ path: String) throws -> String {
    let events = sample.pairs(of: "events")
    let index = 1 + below(events.count - 1)
    var (key, value) = events[index]
    let other = events[1 + below(events.count - 1)].value
    switch below(7) {
    case 0: try RawLedger.delete(key, in: "events", at: path)
    case 1:
      value[below(value.count)] ^= 1 << UInt8(below(8))
      try RawLedger.put(value, for: key, in: "events", at: path)
    case 2:
      // Another record in its place, sealed as it is.
      try RawLedger.put(other, for: key, in: "events", at: path)
    case 3:
      // One more at the end.
      try RawLedger.put(
        other, for: Array(Keys.event(UInt64(events.count + 1 + below(2))).span), in: "events",
        at: path)
    case 4:
      key[0] = UInt8(below(2))
      if below(2) == 0 { key.append(7) }
      try RawLedger.put(value, for: key, in: "events", at: path)
    default:
      // A changed record under a new seal.
      var body = Array(value.dropLast(8))
      let place = below(3) == 0 ? 12 + below(4) : 16 + below(body.count - 16)
      body[place] ^= 1 << UInt8(below(4))
      body.append(u64: sealer.seal(body.span))
      try RawLedger.put(body, for: key, in: "events", at: path)
    }
    return "events: record \(index + 1)"
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<1 + below(count)).map { _ in UInt8(below(256)) }
  }
}
