internal import Glibc
internal import LMDB
public import ReactionModel

/// The clock and the random numbers of the system.
enum SystemSources {
  /// The wall clock, in whole microseconds.
  @Sendable static func now() -> Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// Random bytes from the system's generator (`getrandom`).
  static func randomBytes() -> SixteenBytes {
    var generator = SystemRandomNumberGenerator()
    return SixteenBytes(high: generator.next(), low: generator.next())
  }

  /// A source of random bytes that asks the system for 4 KiB at a time: a call for each salt would be
  /// a hundredth of the cost of writing.
  static func entropy() -> @Sendable () -> SixteenBytes {
    let pool = Monitor(EntropyPool())
    return { pool.withLock { $0.next() } }
  }
}

/// Random bytes of the system (`arc4random_buf`), drawn in advance; each is given once.
private struct EntropyPool {
  private var words = [UInt64](repeating: 0, count: 512)
  private var index = 512

  mutating func next() -> SixteenBytes {
    if index == words.count {
      // Sound: the call writes exactly the bytes that the array has.
      unsafe words.withUnsafeMutableBytes {
        if let start = $0.baseAddress { unsafe arc4random_buf(start, $0.count) }
      }
      index = 0
    }
    defer {
      (words[index], words[index + 1]) = (0, 0)
      index += 2
    }
    return SixteenBytes(high: words[index], low: words[index + 1])
  }
}

extension SixteenBytes {
  /// A new command id: a UUID of version 7 (RFC 9562), ordered by time.
  ///
  /// Within one process ids rise strictly. May be called from any thread.
  public init() {
    let milliseconds = UInt64(max(0, SystemSources.now().microseconds)) / 1000
    let random = SystemSources.randomBytes()
    self.init(
      high: Self.lastHigh.withLock { last in
        // 48 bits of time, 4 of version, 12 that start at random and count within a millisecond.
        last = max(milliseconds << 12 | random.high & 0x7ff, last + 1)
        return (last >> 12) << 16 | 0x7000 | last & 0xfff
      },
      low: random.low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
  }

  private static let lastHigh = Monitor<UInt64>(0)
}
