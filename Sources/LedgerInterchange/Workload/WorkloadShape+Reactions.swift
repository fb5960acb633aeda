extension WorkloadShape {
  /// A reaction and how popular it is.
  public struct PopularReaction: Sendable {
    /// The reaction in its canonical form.
    public let text: String
    /// Its weight among the others, about parts of a thousand.
    public let weight: Int

    fileprivate init(_ text: String, _ weight: Int) {
      self.text = text
      self.weight = weight
    }
  }

  /// The 40 reactions of the workload, the most popular first; at most 64 fit `LiveKey`.
  ///
  /// Short names between colons stand for custom reactions.
  public static let reactions: [PopularReaction] = [
    .init("👍", 330), .init("❤️", 160), .init("🔥", 85), .init("😂", 70),
    .init("💯", 50), .init("🤣", 42), .init("🙌", 36), .init("🎉", 26),
    .init("✅", 22), .init("👀", 20), .init("🚀", 18), .init("😁", 16),
    .init("👍🏻", 14), .init("🙏", 12), .init("😢", 10), .init("👏", 10),
    .init("😎", 8), .init("💪", 8), .init("🤔", 7), .init("😮", 6),
    .init("👎", 6), .init("🫡", 5), .init("👌", 5), .init("🤯", 4),
    .init("🥳", 4), .init("💀", 3), .init("🤡", 3), .init("❤️‍🔥", 3),
    .init("⚡", 3), .init("🙌🏽", 3), .init("😍", 2), .init("🌚", 2),
    .init(":partyr:", 2), .init(":noice:", 2), .init(":thispink:", 1), .init(":this:", 1),
    .init("💩", 1), .init("🐳", 1), .init("🍾", 1), .init("🎄", 1),
  ]
}
