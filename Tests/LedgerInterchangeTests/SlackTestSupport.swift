import Foundation
import LedgerInterchange
import ReactionModel

/// A folder with files, removed when the value goes away.
final class TemporaryExport {
  let path: String

  /// Makes the folder and files in it by their paths.
  init(_ files: [String: String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    path = folder.path(percentEncoded: false)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws {
    let file = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Makes a symbolic link.
  func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: destination)
  }

  static func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }
}

/// The plainest ledger there can be: the set of live reactions.
struct NaiveLedger {
  struct Live: Hashable {
    let message: MessageKey
    let reaction: Reaction
    let user: UserID
  }

  var live: Set<Live> = []
  var commands: [Command] = []
  var batchCounts: [Int] = []

  mutating func apply(_ batch: [Command]) -> [Outcome] {
    batchCounts.append(batch.count)
    commands += batch
    return batch.map { command in
      guard case .change(.add, let reaction, let message, let user) = command.action else {
        preconditionFailure("an import adds")
      }
      do throws(InvalidReaction) {
        let live = Live(message: message, reaction: try Reaction(reaction), user: user)
        guard self.live.insert(live).inserted else { return .unchanged(.alreadyReacted) }
        let sequence = UInt64(self.live.count)
        return .recorded(
          Receipt(
            sequences: sequence...sequence, recordedAt: Timestamp(microseconds: 0),
            durability: .durable))
      } catch {
        return .refused(.invalidReaction(error))
      }
    }
  }

  /// Imports into this ledger.
  mutating func run(_ paths: String...) -> ImportReport {
    SlackImporter(paths: paths).run(into: { apply($0) })
  }
}

extension ImportReport {
  /// The report as JSON.
  var json: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Whether the outcomes add up to the commands.
  var addsUp: Bool {
    reactions == recorded + unchanged + repeated + refused.reduce(0) { $0 + $1.count }
  }

  /// How many reactions were skipped for a reason.
  func skippedCount(_ reason: ImportSkipReason) -> Int {
    skipped.first { $0.reason == reason.rawValue }?.count ?? 0
  }
}
