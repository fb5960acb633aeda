/// The part of a replay's work that one run over the log does: the messages and the command ids whose
/// hashes fall into a range.
///
/// One slice of a replay is the primary. It has besides what concerns the log as a whole: order,
/// times, commands, users, notices, records that cannot be read, seals and the tree.
package struct ReplaySlice: Hashable, Sendable {
  /// The range of the low halves of hashes.
  let range: ClosedRange<UInt32>
  /// Whether it is the primary.
  let isPrimary: Bool

  /// Everything.
  static let whole = ReplaySlice(range: 0...UInt32.max, isPrimary: true)

  /// Whether nothing is left to others.
  var isWhole: Bool { isPrimary && range == 0...UInt32.max }

  /// Whether a hash is of this slice.
  @inline(__always)
  func owns(_ half: UInt32) -> Bool {
    half &- range.lowerBound <= range.upperBound &- range.lowerBound
  }

  /// The slice as two, or `nil` if it is too narrow for that.
  var halves: [ReplaySlice]? {
    let width = range.upperBound - range.lowerBound
    guard width >= Self.leastWidth else { return nil }
    let middle = range.lowerBound + width / 2
    return [
      ReplaySlice(range: range.lowerBound...middle, isPrimary: isPrimary),
      ReplaySlice(range: middle + 1...range.upperBound, isPrimary: false),
    ]
  }

  /// What is not divided again: there would be more than 65,536 passes.
  private static let leastWidth: UInt32 = 1 << 16

  /// Everything, in so many slices; the first one is the primary.
  ///
  /// - Parameters:
  ///   - count: How many, 1 to 65,536.
  ///   - primaryShare: How wide the primary is, where another slice is 1.
  /// - Returns: Slices that have every hash once.
  static func divided(into count: Int, primaryShare: Double = 1) -> [ReplaySlice] {
    let count = max(1, min(count, 1 << 16))
    guard count > 1 else { return [.whole] }
    let unit = 4_294_967_296 / (Double(count - 1) + primaryShare)
    var (slices, start): ([ReplaySlice], UInt64) = ([], 0)
    for index in 0..<count {
      let end =
        index == count - 1
        ? 1 << 32 : max(start + 1, UInt64((Double(index) + primaryShare) * unit))
      slices.append(
        ReplaySlice(range: UInt32(start)...UInt32(end - 1), isPrimary: index == 0))
      start = end
    }
    return slices
  }
}
