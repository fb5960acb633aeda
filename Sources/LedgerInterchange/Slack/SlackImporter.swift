public import ReactionModel

/// Makes commands of the reactions in a Slack export.
///
/// Each user of each reaction on a message becomes one command to add it, in the order of the
/// export, with the cause *imported*. The message's conversation is the group named like the
/// channel's folder; its id is Slack's `ts`, which is also the client time, since Slack does not say
/// when somebody reacted; its parent is `thread_ts`. A Slack export tells a state, so the commands
/// have no ids: a second import finds everything unchanged.
///
/// Inputs are packed files (`.jsonl`), files of one day (`.json`) and folders, which are read in the
/// order of the bytes of their paths. In memory are at most one file or line, its commands, and the
/// ids of the users seen. A file of one day and a line of a packed file have at most 64 MiB.
public struct SlackImporter: Sendable {
  /// The most commands that a sink gets at once.
  public static let batchCeiling = 1_000

  /// Where the export is.
  public let paths: [String]

  /// Makes an importer of the files and folders at some paths.
  public init(paths: [String]) { self.paths = paths }

  /// Reads the export and hands its commands on.
  ///
  /// What cannot be read is in the report; the rest is imported all the same.
  ///
  /// - Parameters:
  ///   - sink: Applies up to ``batchCeiling`` commands and gives one outcome for each, in order.
  ///   - progress: Is told after every file or line how far the import has come.
  /// - Returns: What was found and what became of it.
  /// - Throws: What the sink throws; earlier batches stay applied.
  public func run<E: Error>(
    into sink: ([Command]) throws(E) -> [Outcome],
    progress: (ImportProgress) -> Void = { _ in }
  ) throws(E) -> ImportReport {
    var reader = SlackExportReader(paths)
    var session = SlackImportSession()
    while let item = reader.next() {
      session.take(item)
      try Self.flush(&session, while: Self.batchCeiling, into: sink)
      progress(Self.progress(item, reader, session))
    }
    try Self.flush(&session, while: 1, into: sink)
    return session.report
  }

  /// Reads the export without applying anything.
  ///
  /// - Parameter progress: Is told after every file or line how far the reading has come.
  /// - Returns: What was found; nothing in it is recorded, unchanged, repeated or refused.
  public func dryRun(progress: (ImportProgress) -> Void = { _ in }) -> ImportReport {
    var reader = SlackExportReader(paths)
    var session = SlackImportSession()
    while let item = reader.next() {
      session.take(item)
      session.removeFirst(session.commands.count)
      progress(Self.progress(item, reader, session))
    }
    return session.report
  }

  /// Applies the commands that wait, as long as there are at least so many.
  private static func flush<E: Error>(
    _ session: inout SlackImportSession, while minimum: Int,
    into sink: ([Command]) throws(E) -> [Outcome]
  ) throws(E) {
    var start = 0
    while session.commands.count - start >= minimum {
      let range = start..<min(start + batchCeiling, session.commands.count)
      session.account(for: try sink(Array(session.commands[range])), of: range)
      start = range.upperBound
    }
    session.removeFirst(start)
  }

  private static func progress(
    _ item: SlackExportReader.Item, _ reader: SlackExportReader, _ session: SlackImportSession
  ) -> ImportProgress {
    let path =
      switch item {
      case .day(let day): day.place.path
      case .failure(let error): error.path
      }
    return ImportProgress(
      path: path, byteCount: reader.byteCount, messages: session.report.messages,
      reactions: session.report.reactions)
  }
}
