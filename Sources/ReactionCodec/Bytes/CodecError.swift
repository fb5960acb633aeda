/// Why bytes are not what they should be.
public enum CodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes end inside this field.
  case endsInside(String)
  /// This field has a value that the format does not allow.
  case badValue(String)
  /// Bytes follow after the last field.
  case trailingBytes(count: Int)
  /// The format version is not the one that this code reads.
  case unknownVersion(Int)
  /// The record has a field of this tag, which only a newer format knows.
  case newerField(tag: Int)

  /// The reason in words.
  public var description: String {
    switch self {
    case .endsInside(let field): "the bytes end inside \(field)"
    case .badValue(let field): "\(field) has a value that the format does not allow"
    case .trailingBytes(let count): "\(count) bytes follow after the last field"
    case .unknownVersion(let version): "format version \(version) is not known"
    case .newerField(let tag): "field \(tag) belongs to a newer format"
    }
  }
}
