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
  @Sendable static func randomBytes() -> SixteenBytes {
    var generator = SystemRandomNumberGenerator()
    return SixteenBytes(high: generator.next(), low: generator.next())
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
