import CLMDB
import Glibc
import LMDB
import Testing

@Suite("Constants equal those of C")
struct ConstantTests {
  static let codes: [(LMDBError.Code, Int32)] = [
    (.keyExists, MDB_KEYEXIST), (.notFound, MDB_NOTFOUND), (.pageNotFound, MDB_PAGE_NOTFOUND),
    (.corrupted, MDB_CORRUPTED), (.panic, MDB_PANIC), (.versionMismatch, MDB_VERSION_MISMATCH),
    (.invalid, MDB_INVALID), (.mapFull, MDB_MAP_FULL), (.databasesFull, MDB_DBS_FULL),
    (.readersFull, MDB_READERS_FULL), (.tlsFull, MDB_TLS_FULL), (.transactionFull, MDB_TXN_FULL),
    (.cursorFull, MDB_CURSOR_FULL), (.pageFull, MDB_PAGE_FULL), (.mapResized, MDB_MAP_RESIZED),
    (.incompatible, MDB_INCOMPATIBLE), (.badReaderSlot, MDB_BAD_RSLOT),
    (.badTransaction, MDB_BAD_TXN), (.badValueSize, MDB_BAD_VALSIZE), (.badDatabase, MDB_BAD_DBI),
  ]

  static let systemCodes: [(LMDBError.Code, Int32)] = [
    (.noSuchFile, ENOENT), (.inputOutput, EIO), (.wouldBlock, EAGAIN),
    (.outOfMemory, ENOMEM),
    (.permissionDenied, EACCES), (.notADirectory, ENOTDIR), (.invalidArgument, EINVAL),
    (.diskFull, ENOSPC), (.readOnlyFileSystem, EROFS),
  ]

  static let ownCodes: [LMDBError.Code] = [.alreadyOpenInProcess, .truncated, .closed]

  @Test("Error codes", arguments: codes + systemCodes)
  func code(_ code: LMDBError.Code, _ value: Int32) {
    #expect(code.rawValue == value)
    let text = unsafe String(cString: mdb_strerror(value))
    #expect(code.description == text)
    #expect(LMDBError(code, call: "call").description == "call: \(text)")
  }

  @Test("Every code of lmdb.h has a name, and none has two")
  func complete() {
    #expect(Self.codes.map(\.1) == Array(MDB_KEYEXIST...MDB_LAST_ERRCODE))
    let all = (Self.codes + Self.systemCodes).map(\.0) + Self.ownCodes
    #expect(Set(all).count == all.count)
  }

  @Test("Codes of our own stand outside those of C")
  func own() {
    for code in Self.ownCodes {
      #expect((-99 ... -1).contains(code.rawValue))
      let text = unsafe String(cString: mdb_strerror(code.rawValue))
      #expect(code.description != text)
    }
    #expect(LMDBError.Code.truncated.description.contains("shorter"))
    #expect(LMDBError.Code.alreadyOpenInProcess.description.contains("already open"))
    #expect(LMDBError.Code.closed.description.contains("closed"))
  }

  @Test("Errors are equal by code, whichever call gave them")
  func equality() {
    #expect(LMDBError(.mapFull, call: "a") == LMDBError(.mapFull, call: "b"))
    #expect(LMDBError(.mapFull, call: "a") != LMDBError(.notFound, call: "a"))
    #expect(LMDBError(LMDBError(.notFound, call: "c")).call == "c")
  }

  @Test("Flags")
  func flags() {
    #expect(EnvironmentFlags.noMetaSync.rawValue == UInt32(MDB_NOMETASYNC))
    #expect(EnvironmentFlags.noSync.rawValue == UInt32(MDB_NOSYNC))
    #expect(EnvironmentFlags.noReadAhead.rawValue == UInt32(MDB_NORDAHEAD))
    #expect(DatabaseFlags.create.rawValue == UInt32(MDB_CREATE))
    #expect(PutFlags.noOverwrite.rawValue == UInt32(MDB_NOOVERWRITE))
    #expect(PutFlags.append.rawValue == UInt32(MDB_APPEND))
  }

  @Test("The library is of the line whose header was compiled")
  func version() {
    let header = "\(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR)."
    #expect(Environment.libraryVersion.hasPrefix(header))
  }
}
