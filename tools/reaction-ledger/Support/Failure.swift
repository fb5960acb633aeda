import LMDB
import LedgerEngine
import ReactionModel

/// Why a command of the tool ended early: one line of text, and the exit status that goes with it.
///
/// The text says what is wrong, where, and what to do.
struct Failure: Error, Hashable, Sendable {
  /// What the tool ends with.
  let status: ExitStatus
  /// What is said on standard error, without the tool's name.
  let text: String

  /// Makes a failure; characters that would spoil a terminal's line are written as escapes.
  init(_ status: ExitStatus, _ text: String) {
    self.status = status
    self.text = text.printable
  }

  /// Wrong usage.
  static func usage(_ text: String) -> Failure { Failure(.usage, text) }
}

extension Failure {
  /// What an error of the storage means to the caller of the tool.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - path: The ledger's folder.
  ///   - isCreating: Whether a ledger was to be made if there was none.
  init(_ error: LedgerError, at path: String, isCreating: Bool = false) {
    let text =
      switch error {
      case .notFound where isCreating:
        "no ledger can be made at \(path): the folder that is to hold it is not there; make it first"
      case .notFound:
        "there is no ledger at \(path): make one with \"reaction-ledger create\""
      case .alreadyExists: "there is a ledger at \(path) already: nothing was created"
      case .notALedger(_, let reason):
        "\(path) is no ledger: \(reason); name the folder of a ledger"
      case .newerFormat(let version):
        "the ledger at \(path) has format version \(version): use a newer reaction-ledger to read it"
      case .cannotOpen(_, let reason) where reason.code == .permissionDenied:
        "the ledger at \(path) cannot be opened (\(reason)): "
          + "reading needs the permission to read its files, changing it to write all in its folder"
      case .cannotOpen(_, let reason):
        "the ledger at \(path) cannot be opened (\(reason)): check the folder and its file system"
      case .damaged(let finding): Self.text(finding, at: path)
      case .storage(let reason) where reason.code == .diskFull:
        "the disk with \(path) is full (\(reason)): make room and try again; nothing was recorded"
      case .storage(let reason) where [.corrupted, .pageNotFound, .truncated].contains(reason.code):
        "the ledger at \(path) is damaged (\(reason)): use a backup"
      case .storage(let reason):
        "the storage at \(path) failed (\(reason)): nothing of the last command was recorded"
      case .invalidCursor: "--cursor: \(error); give one as it was printed, or none to begin"
      case .invalidLimit: "--limit: \(error)"
      case .memoryLimitTooSmall: "--memory: \(error)"
      case .rebuildReplaced: "\(path): \(error); nothing was switched"
      case .rebuildRefused: "\(path): \(error); restore a backup, or keep the ledger as it is"
      case .illegalRecord, .incompleteLog: "\(error); nothing was restored"
      case .notInThisHistory, .aheadOfThisCopy: "\(path): \(error)"
      case .noSuchRecord: "\(path): \(error)"
      case .inUse, .readOnly: "\(error)"
      case .alreadyOpen, .closed, .cancelled, .commitUnknown: "\(path): \(error)"
      }
    self.init(Self.status(of: error), text)
  }

  private static func status(of error: LedgerError) -> ExitStatus {
    switch error {
    case .alreadyExists, .rebuildReplaced, .rebuildRefused, .noSuchRecord: .differs
    case .invalidCursor, .invalidLimit, .memoryLimitTooSmall: .usage
    case .illegalRecord, .incompleteLog: .inputErrors
    case .cancelled: CancelSignal.received.flatMap { ExitStatus(signal: $0) } ?? .unusable
    default: .unusable
    }
  }

  private static func text(_ finding: Finding, at path: String) -> String {
    let advice =
      finding.rule == .treeNode || finding.rule.rawValue.hasPrefix("J") && finding.rule != .meta
      ? "\"reaction-ledger rebuild\" mends it"
      : "\"reaction-ledger replay\" says what else is, where it can be opened; else use a backup"
    return "the ledger at \(path) is damaged: \(finding); \(advice)"
  }
}
