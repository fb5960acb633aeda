import LedgerEngine
import ReactionModel

/// Why a benchmark has no result.
enum BenchError: Error, CustomStringConvertible, Equatable {
  /// The command line makes no sense.
  case usage(String)
  /// Not every event of the workload was recorded.
  case notAllRecorded(Int, of: Int)
  /// So many counts are worse than stored.
  case worse(Int)
  /// A replay found something.
  case unsound([Finding])
  /// Two results that must be equal are not.
  case differs(String, UInt64, UInt64)
  /// Another program failed, or answered what is not understood.
  case program(String)
  /// A peer's library failed.
  case peer(String)

  /// Whether it says that counts failed, and not that there are none.
  var isOfCounts: Bool { if case .worse = self { true } else { false } }

  var description: String {
    switch self {
    case .usage(let text): text
    case .notAllRecorded(let count, let all): "only \(count) of \(all) events were recorded"
    case .worse(let count): "\(count) of the counts failed"
    case .unsound(let findings): "the replay has findings: \(findings)"
    case .differs(let what, let one, let other):
      "\(what): digest \(String(one, radix: 16)) is not \(String(other, radix: 16))"
    case .program(let text), .peer(let text): text
    }
  }
}
