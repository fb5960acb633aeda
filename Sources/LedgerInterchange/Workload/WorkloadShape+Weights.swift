import Glibc

extension WorkloadShape {
  /// How active the users are, by rank: Zipf's law with exponent 1.
  static var userWeights: some Sequence<Double> { (1...userCount).lazy.map { 1 / Double($0) } }

  /// How large the conversations are, by index: Zipf's law with exponent 0.9.
  static var conversationWeights: some Sequence<Double> {
    (1...conversationCount).lazy.map { pow(Double($0), -0.9) }
  }

  /// How popular the reactions are, by index.
  static var reactionWeights: some Sequence<Double> { reactions.lazy.map { Double($0.weight) } }
}
