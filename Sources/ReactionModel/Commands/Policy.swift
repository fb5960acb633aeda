/// The rules for adding reactions; kept in the ledger, changed only by a notice in its log.
///
/// A policy concerns adds only: it never stops a removal, nor a further user on a reaction that
/// a message already has. Setting a policy changes no reaction.
public struct Policy: Hashable, Sendable {
  /// How many reactions one user may have on one message.
  public enum Selection: UInt8, Sendable, CaseIterable {
    /// Several.
    case multiple = 0
    /// One: adding another takes the first away, in the same command.
    case single = 1
  }

  /// Which reactions are valid.
  public enum Validity: Hashable, Sendable {
    /// Emoji.
    case emoji
    /// Emoji and custom reactions.
    case emojiAndCustom
    /// These and no others: at most 1,000, in order of their bytes, at most 48 KiB together.
    case allowed([Reaction])
    /// Any text.
    case anyText
  }

  /// How many reactions one user may have on one message.
  public let selection: Selection
  /// The most distinct reactions on one message, 1 to 100.
  public let maximumDistinctPerMessage: Int
  /// The most reactions of one user on one message, 1 to 100; `nil`: no limit.
  public let maximumPerUserAndMessage: Int?
  /// Which reactions are valid.
  public let validity: Validity

  /// The most distinct reactions on a message, whatever the policy.
  public static let distinctCeiling = 100
  /// The most reactions in an allow-list.
  public static let allowedCountCeiling = 1_000
  /// The most bytes in an allow-list, the reactions' own and two for each.
  public static let allowedByteCountCeiling = 48 * 1024

  /// The defaults: several reactions per user, 20 distinct per message, emoji and custom ones.
  public static let standard = Policy()

  private init() {
    selection = .multiple
    maximumDistinctPerMessage = 20
    maximumPerUserAndMessage = nil
    validity = .emojiAndCustom
  }

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - selection: How many reactions one user may have on one message.
  ///   - maximumDistinctPerMessage: 1 to 100.
  ///   - maximumPerUserAndMessage: 1 to 100, or `nil` for no limit.
  ///   - validity: Which reactions are valid; an allow-list is sorted and freed of duplicates.
  /// - Throws: ``PolicyError`` if a number or the allow-list is out of range.
  public init(
    selection: Selection = .multiple, maximumDistinctPerMessage: Int = 20,
    maximumPerUserAndMessage: Int? = nil, validity: Validity = .emojiAndCustom
  ) throws(PolicyError) {
    let range = 1...Self.distinctCeiling
    guard range.contains(maximumDistinctPerMessage) else {
      throw .distinctOutOfRange(maximumDistinctPerMessage)
    }
    if let limit = maximumPerUserAndMessage, !range.contains(limit) {
      throw .perUserOutOfRange(limit)
    }
    self.selection = selection
    self.maximumDistinctPerMessage = maximumDistinctPerMessage
    self.maximumPerUserAndMessage = maximumPerUserAndMessage
    guard case .allowed(let reactions) = validity else {
      self.validity = validity
      return
    }
    let sorted = Set(reactions).sorted()
    guard sorted.count <= Self.allowedCountCeiling else {
      throw .tooManyAllowed(count: sorted.count)
    }
    let byteCount = sorted.reduce(0) { $0 + 2 + $1.text.utf8.count }
    guard byteCount <= Self.allowedByteCountCeiling else {
      throw .allowedTooLong(byteCount: byteCount)
    }
    self.validity = .allowed(sorted)
  }

  /// Whether adding reactions of this form is valid whichever they are; `nil`: it depends on the
  /// reaction.
  package func allows(_ form: Reaction.Form) -> Bool? {
    switch validity {
    case .emoji: form == .emoji
    case .emojiAndCustom: form != .text
    case .anyText: true
    case .allowed: nil
    }
  }

  /// Whether adding this reaction is valid.
  ///
  /// - Complexity: O(log *n*) in the allow-list.
  public func allows(_ reaction: Reaction) -> Bool {
    guard case .allowed(let reactions) = validity else { return allows(reaction.form) ?? false }
    return Self.contains(reaction, in: reactions)
  }

  private static func contains(_ reaction: Reaction, in sorted: [Reaction]) -> Bool {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < reaction { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == reaction
  }
}

/// Why numbers or lists make no policy.
public enum PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The most distinct reactions per message must be 1 to 100.
  case distinctOutOfRange(Int)
  /// The most reactions per user and message must be 1 to 100.
  case perUserOutOfRange(Int)
  /// An allow-list holds at most 1,000 reactions.
  case tooManyAllowed(count: Int)
  /// An allow-list holds at most 48 KiB.
  case allowedTooLong(byteCount: Int)

  /// The reason in words.
  public var description: String {
    switch self {
    case .distinctOutOfRange(let value):
      "distinct reactions per message must be 1 to 100, not \(value)"
    case .perUserOutOfRange(let value):
      "reactions per user and message must be 1 to 100, not \(value)"
    case .tooManyAllowed(let count): "an allow-list has at most 1,000 reactions, not \(count)"
    case .allowedTooLong(let byteCount):
      "an allow-list has at most 49,152 bytes, this one has \(byteCount)"
    }
  }
}
