public import ReactionModel

/// Commands that are to be appended together, taken in as bytes.
///
/// Of a command that comes as bytes anyway, from a line of JSON or a packet, nothing is made a
/// `String`. Its memory can be used again. Memory: about 130 bytes for each command.
public struct CommandBatch: Sendable {
  private(set) var prepared = PreparedBatch()

  /// Makes one that holds no command yet.
  public init() {}

  /// How many commands there are.
  public var count: Int { prepared.commands.count }

  /// Takes in a command, after the others.
  ///
  /// - Parameter command: The command; its bytes are copied.
  public mutating func append(_ command: borrowing CommandView) { prepared.append(command) }

  /// Forgets the commands, and keeps the memory.
  public mutating func removeAll() { prepared.removeAll() }
}
