internal import CLMDB
internal import Glibc

extension Cursor {
  /// Copies pairs whose keys have one size and whose values have one, the first at `key` or after it.
  ///
  /// A pair of another size ends the copy and is left out; where the cursor stands then is
  /// unspecified. Complexity: O(log *n* + pairs), less for each pair than ``next()``.
  ///
  /// - Parameters:
  ///   - key: Where to begin; all keys have its size.
  ///   - valueByteCount: The size of all values.
  ///   - limit: The most pairs.
  ///   - bytes: Where key and value of each pair are appended, nothing between them.
  /// - Returns: How many pairs were copied.
  /// - Throws: ``LMDBError``.
  public mutating func copyPairs(
    from key: Span<UInt8>, valueByteCount: Int, limit: Int, to bytes: inout [UInt8]
  ) throws(LMDBError) -> Int {
    Environment.verifyThread(thread)
    let size = key.count + valueByteCount
    var (count, code): (Int, Int32) = (0, 0)
    bytes.append(addingCapacity: limit * size) { room in
      // Sound: as many bytes were written as are told.
      unsafe room.withUnsafeMutableBufferPointer { room, initializedCount in
        let pairs = UnsafeMutableRawBufferPointer(room)
        // With sizes that are known, to copy is an instruction or two.
        (count, code) =
          switch (key.count, valueByteCount) {
          case (12, 4): unsafe copy(from: key, 12, 4, to: pairs)
          case (let keyByteCount, _):
            unsafe copy(from: key, keyByteCount, valueByteCount, to: pairs)
          }
        initializedCount = count * size
      }
    }
    if code != MDB_NOTFOUND { try check(code, "mdb_cursor_get") }
    return count
  }

  /// Copies pairs until the room is full; returns how many, and what the last call said.
  @inline(__always)
  private mutating func copy(
    from key: Span<UInt8>, _ keyByteCount: Int, _ valueByteCount: Int,
    to room: UnsafeMutableRawBufferPointer
  ) -> (count: Int, code: Int32) {
    let size = keyByteCount + valueByteCount
    guard var target = room.baseAddress, room.count >= size else { return (0, 0) }
    var (name, data, count) = unsafe (MDB_val(), MDB_val(), 0)
    var code = unsafe key.withUnsafeBytes { first in
      unsafe name = MDB_val(first)
      return unsafe mdb_cursor_get(raw, &name, &data, MDB_SET_RANGE)
    }
    // Sound: LMDB's pointers are into the map, and used before the cursor moves; both sizes were
    // looked at, and a full room ends the loop.
    while code == 0, unsafe name.mv_size == keyByteCount, unsafe data.mv_size == valueByteCount {
      unsafe memcpy(target, name.mv_data, keyByteCount)
      unsafe memcpy(target + keyByteCount, data.mv_data, valueByteCount)
      unsafe target += size
      count += 1
      if (count + 1) * size > room.count { break }
      code = unsafe mdb_cursor_get(raw, &name, &data, MDB_NEXT)
    }
    return (count, code)
  }
}
