internal import CLMDB

/// A call of LMDB, or of the operating system on its behalf, that failed.
public struct LMDBError: Error, Sendable {
  /// What went wrong, one value per code of LMDB and of `errno`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as C has it.
    public let rawValue: Int32

    /// Wraps a code of LMDB or of `errno`.
    public init(rawValue: Int32) { self.rawValue = rawValue }
  }

  /// What went wrong.
  public let code: Code
  /// The C function that said so.
  public let call: String

  /// Makes an error.
  public init(_ code: Code, call: String) {
    self.code = code
    self.call = call
  }
}

extension LMDBError: Equatable {
  /// Errors are equal if their codes are, whichever call gave them.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

extension LMDBError: CustomStringConvertible {
  /// The call, and what LMDB says of the code.
  public var description: String { "\(call): \(code)" }
}

extension LMDBError.Code: CustomStringConvertible {
  /// What LMDB, or the operating system, says of the code.
  public var description: String {
    if self == .alreadyOpenInProcess { return "this path is already open in this process" }
    if self == .closed { return "the environment was closed" }
    if self == .truncated { return "the data file is shorter than the pages in use" }
    return unsafe String(cString: mdb_strerror(rawValue))
  }
}

extension LMDBError.Code {
  /// A key is there already. `MDB_KEYEXIST`
  public static let keyExists = Self(rawValue: -30799)
  /// No such key. `MDB_NOTFOUND`
  public static let notFound = Self(rawValue: -30798)
  /// A requested page is missing: the file is damaged. `MDB_PAGE_NOTFOUND`
  public static let pageNotFound = Self(rawValue: -30797)
  /// A page is of the wrong kind: the file is damaged. `MDB_CORRUPTED`
  public static let corrupted = Self(rawValue: -30796)
  /// An update of the meta page failed; the environment must be closed. `MDB_PANIC`
  public static let panic = Self(rawValue: -30795)
  /// The file is of another version of LMDB. `MDB_VERSION_MISMATCH`
  public static let versionMismatch = Self(rawValue: -30794)
  /// The file is no LMDB file. `MDB_INVALID`
  public static let invalid = Self(rawValue: -30793)
  /// The map is full. `MDB_MAP_FULL`
  public static let mapFull = Self(rawValue: -30792)
  /// The environment holds as many databases as it was opened for. `MDB_DBS_FULL`
  public static let databasesFull = Self(rawValue: -30791)
  /// All reader slots are taken. `MDB_READERS_FULL`
  public static let readersFull = Self(rawValue: -30790)
  /// Too many keys in thread-local storage. `MDB_TLS_FULL`
  public static let tlsFull = Self(rawValue: -30789)
  /// The transaction changed too many pages. `MDB_TXN_FULL`
  public static let transactionFull = Self(rawValue: -30788)
  /// The cursor stack is too deep. `MDB_CURSOR_FULL`
  public static let cursorFull = Self(rawValue: -30787)
  /// A page has no room. `MDB_PAGE_FULL`
  public static let pageFull = Self(rawValue: -30786)
  /// Another process grew the map. `MDB_MAP_RESIZED`
  public static let mapResized = Self(rawValue: -30785)
  /// Operation and database do not fit together. `MDB_INCOMPATIBLE`
  public static let incompatible = Self(rawValue: -30784)
  /// A reader slot was used again before it was free. `MDB_BAD_RSLOT`
  public static let badReaderSlot = Self(rawValue: -30783)
  /// The transaction must be aborted. `MDB_BAD_TXN`
  public static let badTransaction = Self(rawValue: -30782)
  /// A key or value has a size that LMDB does not take. `MDB_BAD_VALSIZE`
  public static let badValueSize = Self(rawValue: -30781)
  /// The database handle was closed or changed. `MDB_BAD_DBI`
  public static let badDatabase = Self(rawValue: -30780)

  /// The path is open in this process already, which LMDB forbids: ours, not a code of C.
  public static let alreadyOpenInProcess = Self(rawValue: -1)
  /// The data file ends before a page that is in use: ours, not a code of C.
  public static let truncated = Self(rawValue: -2)
  /// The environment was closed: ours, not a code of C.
  public static let closed = Self(rawValue: -3)

  /// No such file or folder. `ENOENT`
  public static let noSuchFile = Self(rawValue: 2)
  /// Reading or writing failed. `EIO`
  public static let inputOutput = Self(rawValue: 5)
  /// It would have to wait, and was told not to. `EAGAIN`
  public static let wouldBlock = Self(rawValue: 11)
  /// There is not enough memory or address space. `ENOMEM`
  public static let outOfMemory = Self(rawValue: 12)
  /// Permission denied. `EACCES`
  public static let permissionDenied = Self(rawValue: 13)
  /// Not a folder. `ENOTDIR`
  public static let notADirectory = Self(rawValue: 20)
  /// An argument is not valid. `EINVAL`
  public static let invalidArgument = Self(rawValue: 22)
  /// The disk is full. `ENOSPC`
  public static let diskFull = Self(rawValue: 28)
  /// The file system is mounted for reading only. `EROFS`
  public static let readOnlyFileSystem = Self(rawValue: 30)
}

/// An error type that can carry an ``LMDBError``, so that a transaction throws one type only.
public protocol LMDBErrorConvertible: Error {
  /// Wraps an error of LMDB.
  init(_ error: LMDBError)
}

extension LMDBError: LMDBErrorConvertible {
  /// The error itself.
  public init(_ error: LMDBError) { self = error }
}

/// Turns the return code of a C call into an error; the only place that does.
func check(_ code: Int32, _ call: StaticString) throws(LMDBError) {
  guard code == 0 else { throw LMDBError(.init(rawValue: code), call: "\(call)") }
}
