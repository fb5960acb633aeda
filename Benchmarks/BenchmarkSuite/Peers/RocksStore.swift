#if RocksDBPeer
  import CRocksDB

  /// A RocksDB database, and one batch at a time that sees what is in it already.
  @safe final class RocksStore {
    private let database: OpaquePointer
    private let options: OpaquePointer
    private let writeOptions: OpaquePointer
    private let batch: OpaquePointer

    /// Its own defaults, but 64 MiB more of memory for what was just written and a filter that
    /// spares reads of what is not there.
    init(at path: String, isDurable: Bool) throws {
      guard let options = unsafe rocksdb_options_create(),
        let table = unsafe rocksdb_block_based_options_create(),
        let writeOptions = unsafe rocksdb_writeoptions_create(),
        let batch = unsafe rocksdb_writebatch_wi_create(0, 1)
      else { throw BenchError.peer("RocksDB gave no options") }
      unsafe rocksdb_options_set_create_if_missing(options, 1)
      unsafe rocksdb_options_set_compression(options, 0)
      unsafe rocksdb_options_set_write_buffer_size(options, 128 << 20)
      unsafe rocksdb_options_increase_parallelism(options, 2)
      unsafe rocksdb_block_based_options_set_filter_policy(
        table, rocksdb_filterpolicy_create_bloom_full(10))
      unsafe rocksdb_block_based_options_set_block_cache(
        table, rocksdb_cache_create_lru(1 << 30))
      unsafe rocksdb_options_set_block_based_table_factory(options, table)
      unsafe rocksdb_writeoptions_set_sync(writeOptions, isDurable ? 1 : 0)
      var message: UnsafeMutablePointer<CChar>?
      let opened = unsafe rocksdb_open(options, "\(path)/store", &message)
      unsafe try Self.check(message)
      guard let opened = unsafe opened else { throw BenchError.peer("RocksDB cannot open \(path)") }
      unsafe database = opened
      unsafe self.options = options
      unsafe self.writeOptions = writeOptions
      unsafe self.batch = batch
    }

    /// Throws what the library says, if it says something.
    static func check(_ message: UnsafeMutablePointer<CChar>?) throws {
      guard let message = unsafe message else { return }
      defer { unsafe rocksdb_free(message) }
      throw unsafe BenchError.peer("RocksDB: \(String(cString: message))")
    }

    func put(_ key: [UInt8], _ value: [UInt8]) {
      // Sound: the library copies both during the call; so it does in all calls below.
      unsafe key.withChars { key, keyCount in
        unsafe value.withChars { value, valueCount in
          unsafe rocksdb_writebatch_wi_put(batch, key, keyCount, value, valueCount)
        }
      }
    }

    func delete(_ key: [UInt8]) {
      unsafe key.withChars { unsafe rocksdb_writebatch_wi_delete(batch, $0, $1) }
    }

    func commit() throws {
      var message: UnsafeMutablePointer<CChar>?
      unsafe rocksdb_write_writebatch_wi(database, writeOptions, batch, &message)
      unsafe rocksdb_writebatch_wi_clear(batch)
      unsafe try Self.check(message)
    }

    /// A value as the batch makes it; of it, of the database, or `nil`.
    func value(_ key: [UInt8], _ read: RocksRead) throws -> [UInt8]? {
      var (count, message): (Int, UnsafeMutablePointer<CChar>?) = (0, nil)
      let found = unsafe key.withChars { key, keyCount in
        unsafe rocksdb_writebatch_wi_get_from_batch_and_db(
          batch, database, read.options, key, keyCount, &count, &message)
      }
      unsafe try Self.check(message)
      guard let found = unsafe found else { return nil }
      defer { unsafe rocksdb_free(found) }
      return unsafe Array(
        UnsafeRawBufferPointer(start: UnsafeRawPointer(found), count: count))
    }

    /// A committed value as of a read.
    func committed(_ key: [UInt8], _ read: RocksRead) throws -> [UInt8]? {
      var message: UnsafeMutablePointer<CChar>?
      let slice = unsafe key.withChars { key, keyCount in
        unsafe rocksdb_get_pinned(database, read.options, key, keyCount, &message)
      }
      unsafe try Self.check(message)
      guard let slice = unsafe slice else { return nil }
      defer { unsafe rocksdb_pinnableslice_destroy(slice) }
      var count = 0
      guard let bytes = unsafe rocksdb_pinnableslice_value(slice, &count) else { return [] }
      return unsafe Array(
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bytes), count: count))
    }

    /// The first values of keys with a prefix, in order, with the batch's own.
    func values(prefix: [UInt8], limit: Int, _ read: RocksRead) -> [(key: [UInt8], value: [UInt8])]
    {
      guard
        let iterator = unsafe rocksdb_writebatch_wi_create_iterator_with_base(
          batch, rocksdb_create_iterator(database, read.options))
      else { return [] }
      defer { unsafe rocksdb_iter_destroy(iterator) }
      unsafe prefix.withChars { unsafe rocksdb_iter_seek(iterator, $0, $1) }
      var found: [(key: [UInt8], value: [UInt8])] = []
      while found.count < limit, unsafe rocksdb_iter_valid(iterator) != 0 {
        let key = unsafe Self.bytes { unsafe rocksdb_iter_key(iterator, $0) }
        guard key.starts(with: prefix) else { break }
        found.append((key, unsafe Self.bytes { unsafe rocksdb_iter_value(iterator, $0) }))
        unsafe rocksdb_iter_next(iterator)
      }
      return found
    }

    private static func bytes(
      _ get: (UnsafeMutablePointer<Int>) -> UnsafePointer<CChar>?
    ) -> [UInt8] {
      var count = 0
      guard let start = unsafe get(&count) else { return [] }
      return unsafe Array(
        UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: count))
    }

    /// A read of now; while it lives, what it sees stays.
    func read(isSnapshot: Bool) -> RocksRead? { unsafe RocksRead(database, isSnapshot: isSnapshot) }

    /// Writes what is in memory to files and lets the library tidy up.
    func settle() throws {
      guard let options = unsafe rocksdb_flushoptions_create() else { return }
      defer { unsafe rocksdb_flushoptions_destroy(options) }
      var message: UnsafeMutablePointer<CChar>?
      unsafe rocksdb_flush(database, options, &message)
      unsafe try Self.check(message)
      unsafe rocksdb_compact_range(database, nil, 0, nil, 0)
    }

    func close() {
      unsafe rocksdb_writebatch_wi_destroy(batch)
      unsafe rocksdb_writeoptions_destroy(writeOptions)
      unsafe rocksdb_close(database)
      unsafe rocksdb_options_destroy(options)
    }
  }

  /// The options of a read, with a snapshot if it has one.
  @safe final class RocksRead {
    fileprivate let options: OpaquePointer
    private let database: OpaquePointer
    private let snapshot: OpaquePointer?

    fileprivate init?(_ database: OpaquePointer, isSnapshot: Bool) {
      guard let options = unsafe rocksdb_readoptions_create() else { return nil }
      unsafe snapshot = isSnapshot ? rocksdb_create_snapshot(database) : nil
      if let snapshot = unsafe snapshot {
        unsafe rocksdb_readoptions_set_snapshot(options, snapshot)
      }
      unsafe self.options = options
      unsafe self.database = database
    }

    deinit {
      if let snapshot = unsafe snapshot { unsafe rocksdb_release_snapshot(database, snapshot) }
      unsafe rocksdb_readoptions_destroy(options)
    }
  }

  extension [UInt8] {
    fileprivate func withChars<R>(_ body: (UnsafePointer<CChar>?, Int) throws -> R) rethrows -> R {
      try unsafe withUnsafeBytes { bytes in
        unsafe try body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
      }
    }
  }
#endif
