/// What an import found and what became of it.
///
/// Of a run with a sink ``reactions`` equals ``recorded`` + ``unchanged`` + ``repeated`` + the sum
/// of ``refused``; of a run without one these are 0. What is in ``skipped`` is no part of it.
public struct ImportReport: Hashable, Sendable {
  /// Messages of which at least one reaction became a command.
  ///
  /// A message that the export holds twice counts twice.
  public var messages = 0
  /// Commands made: one for each user of each reaction.
  public var reactions = 0
  /// Commands that were recorded.
  public var recorded = 0
  /// Commands that changed nothing.
  public var unchanged = 0
  /// Commands that were recorded before under their ids.
  public var repeated = 0
  /// Commands that were refused, by reason, in the order in which the reasons came first.
  public var refused: [ImportTally] = []
  /// Commands that repeat one of the same user on the same message under another name.
  ///
  /// The two names have one canonical form. The commands are part of ``reactions`` and end as
  /// unchanged.
  public var merged = 0
  /// Different users in the commands.
  public var users = 0
  /// Reactions that could not become commands, by reason, in the order in which the reasons came
  /// first.
  public var skipped: [ImportTally] = []
  /// Parts of the export that could not be read, in the order of reading: the first
  /// ``errorCeiling``.
  public private(set) var errors: [ImportError] = []
  /// How many further parts could not be read.
  public private(set) var furtherErrors = 0

  /// The most errors that are kept.
  public static let errorCeiling = 1_000

  /// Makes a report of nothing.
  public init() {}

  /// Whether parts of the export could not be read: what could be was imported all the same.
  public var hasErrors: Bool { !errors.isEmpty }

  /// Notes a part that could not be read.
  mutating func add(_ error: ImportError) {
    if errors.count < Self.errorCeiling { errors.append(error) } else { furtherErrors += 1 }
  }
}

/// How often something happened in an import, and where first.
public struct ImportTally: Hashable, Sendable {
  /// What happened: an ``ImportSkipReason`` or the name of a reason to refuse a command.
  public let reason: String
  /// How many reactions it concerns.
  public var count: Int
  /// In how many lists of users these reactions were.
  public var lists: Int
  /// Where it happened first.
  public let first: ImportPlace

  /// Makes a tally.
  public init(reason: String, count: Int, lists: Int, first: ImportPlace) {
    self.reason = reason
    self.count = count
    self.lists = lists
    self.first = first
  }
}

/// Why a reaction of an export could not become a command.
public enum ImportSkipReason: String, Sendable, CaseIterable {
  /// The export counts more reactions than it names users; none are invented.
  case countWithoutUsers
  /// The name is that of no emoji and cannot be a custom reaction's.
  case invalidReaction
  /// The user's id is none.
  case invalidUser
  /// The message has no id, or one of its ids cannot be one.
  case invalidMessage
  /// The reaction belongs to a file, not to a message.
  case reactionsOnFiles
  /// The entry has not the form of a list of users with a name.
  case malformedReaction
}

extension [ImportTally] {
  /// Counts reactions under a reason.
  ///
  /// Complexity: O(*n*) in the reasons, of which there are few.
  mutating func add(_ reason: String, _ count: Int, lists: Int = 1, at place: ImportPlace) {
    guard let index = firstIndex(where: { $0.reason == reason }) else {
      append(ImportTally(reason: reason, count: count, lists: lists, first: place))
      return
    }
    // Counts come from the export: one that is absurd must not overflow.
    let (sum, overflow) = self[index].count.addingReportingOverflow(count)
    self[index].count = overflow ? .max : sum
    self[index].lists += lists
  }
}
