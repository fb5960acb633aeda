import ReactionModel

/// What a record must say.
///
/// Records of one lane are numbered by themselves, from 1: other lanes' may come between them.
struct ExpectedRecord {
  var operation: Record.Operation
  var index: Int
  var count: Int
  var message: MessageKey
  var parent: MessageID?
  var reaction: String
  var user: UserID
  var actor: UserID?
  var cause: Cause
  var clientTime: Timestamp?
  var commandID: CommandID?
  /// Of a remove: the number of the add that it ends; `nil` for an add.
  var ends: Int?
  /// The number of the last record on the same message, 0 if there is none.
  var previous: Int
}

/// What a command must come to.
enum ExpectedOutcome {
  /// Recorded, with these numbers of the lane.
  case recorded(ClosedRange<Int>)
  /// Recorded before, with these.
  case repeated(ClosedRange<Int>)
  /// Anything else, in the words of ``Outcome/token``.
  case other(String)

  /// The numbers of the command's records.
  var numbers: ClosedRange<Int>? {
    switch self {
    case .recorded(let numbers), .repeated(let numbers): numbers
    case .other: nil
    }
  }

  /// The word for it, as ``Outcome/token`` has it.
  ///
  /// - Parameter sequence: The sequence of the lane's record of a number.
  /// - Returns: The word.
  func token(_ sequence: (Int) -> UInt64) -> String {
    switch self {
    case .recorded(let numbers):
      "recorded:\(sequence(numbers.lowerBound))-\(sequence(numbers.upperBound))"
    case .repeated(let numbers):
      "repeated:\(sequence(numbers.lowerBound))-\(sequence(numbers.upperBound))"
    case .other(let token): token
    }
  }
}

extension Outcome {
  /// One word that says all of it.
  var token: String {
    if let receipt {
      return "\(name):\(receipt.sequences.lowerBound)-\(receipt.sequences.upperBound)"
    }
    if case .unchanged(let reason) = self { return "unchanged:\(reason.rawValue)" }
    if case .refused(let reason) = self { return "refused:\(reason.name)" }
    return name
  }
}
