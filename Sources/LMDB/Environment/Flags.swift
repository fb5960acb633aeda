/// How an environment flushes and reads ahead; a subset of LMDB's flags that keeps the file safe.
public struct EnvironmentFlags: OptionSet, Hashable, Sendable {
  /// The bits as C has them.
  public let rawValue: UInt32

  /// Wraps bits as C has them.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Do not flush after the meta page: a power cut may take the last commit. `MDB_NOMETASYNC`
  public static let noMetaSync = Self(rawValue: 0x40000)
  /// Do not flush at all: only for a file that is thrown away if the load fails. `MDB_NOSYNC`
  public static let noSync = Self(rawValue: 0x10000)
  /// Do not read ahead: quicker where the file exceeds memory. `MDB_NORDAHEAD`
  public static let noReadAhead = Self(rawValue: 0x800000)
  /// Reader slots belong to transactions, not to threads; always set. `MDB_NOTLS`
  static let noThreadLocalStorage = Self(rawValue: 0x200000)
  /// For reading only; asked for by ``Environment/Access``. `MDB_RDONLY`
  static let readOnly = Self(rawValue: 0x20000)
  /// Without a lock file; asked for by ``Environment/Access``. `MDB_NOLOCK`
  static let noLock = Self(rawValue: 0x400000)
  /// Those that may be asked for; all others of LMDB endanger the file or this wrapper.
  static let all: Self = [.noMetaSync, .noSync, .noReadAhead]
}

/// How a database is opened.
public struct DatabaseFlags: OptionSet, Hashable, Sendable {
  /// The bits as C has them.
  public let rawValue: UInt32

  /// Wraps bits as C has them.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Make the database if it is not there. `MDB_CREATE`
  public static let create = Self(rawValue: 0x40000)
  /// Those that may be asked for: no repeated keys and no other orders of keys.
  static let all: Self = [.create]
}

/// How a pair is put.
public struct PutFlags: OptionSet, Hashable, Sendable {
  /// The bits as C has them.
  public let rawValue: UInt32

  /// Wraps bits as C has them.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The key must not be there yet. `MDB_NOOVERWRITE`
  public static let noOverwrite = Self(rawValue: 0x10)
  /// The key comes after all others; pages are filled fully. `MDB_APPEND`
  public static let append = Self(rawValue: 0x20000)
  /// Only make room for the value. `MDB_RESERVE`
  static let reserve = Self(rawValue: 0x10000)
  /// Those that may be asked for; others of LMDB take another layout of the value.
  static let all: Self = [.noOverwrite, .append]
}
