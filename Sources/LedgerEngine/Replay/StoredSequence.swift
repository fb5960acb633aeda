internal import LMDB
internal import ReactionCodec

/// What stands where a sequence should.
enum StoredSequence: Hashable, CustomStringConvertible {
  case value(UInt64)
  case nothing
  case otherBytes

  init(
    _ key: Span<UInt8>, _ database: Database, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    guard let bytes = try reads.get(key, in: database) else {
      self = .nothing
      return
    }
    self.init(bytes)
  }

  /// Reads it from a value.
  init(_ bytes: Span<UInt8>) {
    do throws(CodecError) {
      self = .value(try Keys.sequence(bytes))
    } catch {
      self = .otherBytes
    }
  }

  var description: String {
    switch self {
    case .value(let sequence): "\(sequence)"
    case .nothing: "nothing"
    case .otherBytes: "other bytes"
    }
  }
}
