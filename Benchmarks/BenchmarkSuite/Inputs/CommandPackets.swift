import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Commands whose ids are bytes in one buffer, as packets from a network have them.
struct CommandPackets {
  private struct Packet {
    let kind: Command.Operation
    let time: Timestamp
    let id: CommandID?
    let conversation: Range<Int>
    let message: Range<Int>
    let user: Range<Int>
    let reaction: Range<Int>
  }

  private var packets: [Packet] = []
  private var bytes: [UInt8] = []

  /// Writes commands out.
  init(_ commands: some Sequence<Command>) {
    for command in commands {
      guard case .change(let kind, let reaction, let message, let user) = command.action else {
        preconditionFailure("a workload adds and removes")
      }
      packets.append(
        Packet(
          kind: kind, time: command.clientTime ?? Timestamp(microseconds: 0), id: command.id,
          conversation: append(message.conversation.id.text), message: append(message.message.text),
          user: append(user.text), reaction: append(reaction)))
    }
  }

  private mutating func append(_ text: String) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return start..<bytes.count
  }

  /// Reads all into a batch.
  func read(into batch: inout CommandBatch) throws(IdentifierError) {
    let bytes = bytes.span
    for packet in packets {
      let message = try MessageKeyView(
        .group, conversation: bytes.extracting(packet.conversation),
        message: bytes.extracting(packet.message))
      batch.append(
        try CommandView(
          packet.kind, bytes.extracting(packet.reaction), on: message,
          by: bytes.extracting(packet.user), at: packet.time, id: packet.id))
    }
  }
}
