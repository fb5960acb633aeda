internal import LMDB
internal import ReactionCodec
internal import ReactionModel

// The one small interface through which the engine reaches the store: get, put, delete, scan, all
// with the engine's own error.

extension ReadTransaction {
  /// The value of a key, or `nil`.
  @_lifetime(borrow self)
  borrowing func get(
    _ key: Span<UInt8>, in database: Database
  ) throws(LedgerError) -> Span<UInt8>? {
    do throws(LMDBError) {
      return try value(for: key, in: database)
    } catch {
      throw LedgerError(error)
    }
  }

  /// A cursor before the first pair.
  @_lifetime(borrow self)
  borrowing func scan(_ database: Database) throws(LedgerError) -> Cursor {
    do throws(LMDBError) {
      return try Cursor(self, in: database)
    } catch {
      throw LedgerError(error)
    }
  }

  /// How many pairs a database has.
  borrowing func count(of database: Database) throws(LedgerError) -> Int {
    do throws(LMDBError) {
      return try statistics(of: database).entryCount
    } catch {
      throw LedgerError(error)
    }
  }
}

extension Cursor {
  /// Copies pairs of one size, the first at `key` or after it.
  mutating func copy(
    from key: Span<UInt8>, valueByteCount: Int, limit: Int, to bytes: inout [UInt8]
  ) throws(LedgerError) -> Int {
    do throws(LMDBError) {
      return try copyPairs(
        from: key, valueByteCount: valueByteCount, limit: limit, to: &bytes)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Moves to the next pair.
  @_lifetime(&self)
  mutating func step() throws(LedgerError) -> Row? {
    do throws(LMDBError) {
      return try next()
    } catch {
      throw LedgerError(error)
    }
  }

  /// Moves to the previous pair.
  @_lifetime(&self)
  mutating func stepBack() throws(LedgerError) -> Row? {
    do throws(LMDBError) {
      return try previous()
    } catch {
      throw LedgerError(error)
    }
  }

  /// Moves to the first pair at or after a key.
  @_lifetime(&self)
  mutating func move(to key: Span<UInt8>) throws(LedgerError) -> Row? {
    do throws(LMDBError) {
      return try seek(key)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Moves to the pair of a key and gives its value, or `nil`.
  @_lifetime(&self)
  mutating func get(_ key: Span<UInt8>) throws(LedgerError) -> Span<UInt8>? {
    do throws(LMDBError) {
      return try value(for: key)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Moves to the last pair.
  @_lifetime(&self)
  mutating func end() throws(LedgerError) -> Row? {
    do throws(LMDBError) {
      return try last()
    } catch {
      throw LedgerError(error)
    }
  }
}

extension WriteTransaction {
  /// Puts a pair, whatever was there.
  mutating func set(
    _ value: Span<UInt8>, for key: Span<UInt8>, in database: Database, _ flags: PutFlags = []
  ) throws(LedgerError) {
    do throws(LMDBError) {
      try put(value, for: key, in: database, flags)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Puts a pair whose key must be new; whether it was.
  mutating func insert(
    _ value: Span<UInt8>, for key: Span<UInt8>, in database: Database
  ) throws(LedgerError) -> Bool {
    do throws(LMDBError) {
      return try put(value, for: key, in: database, .noOverwrite)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Deletes a pair; whether it was there.
  @discardableResult
  mutating func remove(
    _ key: Span<UInt8>, in database: Database
  ) throws(LedgerError) -> Bool {
    do throws(LMDBError) {
      return try delete(key, in: database)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Empties a database.
  mutating func clear(_ database: Database) throws(LedgerError) {
    do throws(LMDBError) {
      try empty(database)
    } catch {
      throw LedgerError(error)
    }
  }
}

extension Environment {
  /// Runs a transaction, and again with a larger map if this one is full.
  func writeGrowing<R>(
    _ body: (inout WriteTransaction) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    while true {
      do throws(LedgerError) {
        return try write(body)
      } catch .storage(let error) where error.code == .mapFull {
        do throws(LMDBError) {
          try growMap()
        } catch {
          throw LedgerError(error)
        }
      }
    }
  }
}

/// Decodes bytes of the store; what they should be and are not becomes a finding.
func decoding<R>(
  _ rule: Rule, _ place: @autoclosure () -> String, sequence: UInt64? = nil,
  _ body: () throws(CodecError) -> R
) throws(LedgerError) -> R {
  do throws(CodecError) {
    return try body()
  } catch {
    throw .damaged(
      Finding(
        rule, place: place(), expected: "bytes of the format", found: "\(error)",
        sequence: sequence))
  }
}

/// The error for something that must be in the store and is not.
func missing(_ rule: Rule, _ place: String, _ expected: String) -> LedgerError {
  .damaged(Finding(rule, place: place, expected: expected, found: "nothing"))
}
