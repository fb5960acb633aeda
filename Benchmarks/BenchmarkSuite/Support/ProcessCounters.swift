/// What the program that runs the benchmarks can count and switch in its process.
///
/// The program hands it over, because counting replaces functions of the C library, which only a
/// program should do and no test runner.
public struct ProcessCounters: Sendable {
  /// How often memory was allocated so far, by all but LMDB and OpenSSL; `nil` where that cannot be
  /// told.
  public var allocationCount: @Sendable () -> UInt64?
  /// How often these two did so.
  public var libraryAllocationCount: @Sendable () -> UInt64?
  /// Lets files that are opened from now on, and flushes, not wait for the disk, or wait again;
  /// `nil` where that cannot be.
  public var skipFlushes: (@Sendable (Bool) -> Void)?

  /// Wraps what a program has.
  public init(
    allocationCount: @escaping @Sendable () -> UInt64?,
    libraryAllocationCount: @escaping @Sendable () -> UInt64? = { nil },
    skipFlushes: (@Sendable (Bool) -> Void)?
  ) {
    self.allocationCount = allocationCount
    self.libraryAllocationCount = libraryAllocationCount
    self.skipFlushes = skipFlushes
  }

  /// Of a process that counts nothing.
  public static let none = ProcessCounters(allocationCount: { nil }, skipFlushes: nil)
}
