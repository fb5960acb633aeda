import LedgerEngine

/// Why a subcommand ends before its work is done.
enum Failure: Error {
  /// The arguments are no good.
  case usage(String)
  /// The ledger threw.
  case ledger(LedgerError)
  /// The ledger did something that is wrong.
  case wrong(String)

  /// The status with which the process ends: the driver tells a typed error from everything else.
  var status: Int32 {
    switch self {
    case .usage: 64
    case .ledger: 3
    case .wrong: 4
    }
  }
}

extension Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .usage(let text): "wrong usage: \(text)"
    case .ledger(let error): "\(error)"
    case .wrong(let text): "WRONG: \(text)"
    }
  }
}

extension Failure {
  /// Runs what throws the ledger's error.
  static func converting<R>(_ body: () throws(LedgerError) -> R) throws(Failure) -> R {
    do throws(LedgerError) {
      return try body()
    } catch {
      throw .ledger(error)
    }
  }
}
