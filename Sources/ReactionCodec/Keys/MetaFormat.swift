package import ReactionModel

/// The keys and values of `meta`; nothing in it changes with every commit.
package enum MetaFormat {
  /// u16: the version of the format.
  package static let formatKey = "format"
  /// 16 bytes: the ledger id.
  package static let ledgerKey = "ledger"
  /// The policy in force.
  package static let policyKey = "policy"
  /// What every transaction reads anew, see ``State``.
  package static let stateKey = "state"
  /// Text: the version of the emoji tables.
  package static let tablesKey = "tables"

  /// Which slot is live, and what invalidates caches.
  package struct State: Hashable, Sendable {
    /// The slot of the projections that is read and written: 0 or 1.
    package var slot: Int
    /// Whether `byUser` of that slot is kept.
    package var indexesByUser: Bool
    /// Grows with every erasure, so that caches of names forget.
    package var eraseEpoch: UInt64
    /// How many records of the log are notices, so that events can be counted without a scan.
    package var noticeCount: UInt64
    /// How many users are being erased.
    package var closingCount: UInt32
    /// The token of the rebuild under way; `nil` if there is none.
    package var rebuild: SixteenBytes?

    package init(
      slot: Int = 0, indexesByUser: Bool = false, eraseEpoch: UInt64 = 0,
      noticeCount: UInt64 = 0, closingCount: UInt32 = 0, rebuild: SixteenBytes? = nil
    ) {
      self.slot = slot
      self.indexesByUser = indexesByUser
      self.eraseEpoch = eraseEpoch
      self.noticeCount = noticeCount
      self.closingCount = closingCount
      self.rebuild = rebuild
    }

    /// u8 slot, u8 whether `byUser` is kept, u64 erase epoch, u64 notices, u32 users being erased,
    /// then the token if there is one.
    package func encode() -> [UInt8] {
      var bytes: [UInt8] = [UInt8(slot), indexesByUser ? 1 : 0]
      bytes.append(u64: eraseEpoch)
      bytes.append(u64: noticeCount)
      bytes.append(u32: closingCount)
      if let rebuild {
        bytes.append(u64: rebuild.high)
        bytes.append(u64: rebuild.low)
      }
      return bytes
    }

    package init(decoding bytes: Span<UInt8>) throws(CodecError) {
      var reader = ByteReader(bytes)
      slot = Int(try reader.u8("slot"))
      guard slot < 2 else { throw .badValue("slot") }
      let flag = try reader.u8("whether byUser is kept")
      guard flag < 2 else { throw .badValue("whether byUser is kept") }
      indexesByUser = flag == 1
      eraseEpoch = try reader.u64("erase epoch")
      noticeCount = try reader.u64("number of notices")
      closingCount = try reader.u32("number of users being erased")
      rebuild = nil
      if reader.remainingCount > 0 {
        let high = try reader.u64("rebuild token")
        rebuild = SixteenBytes(high: high, low: try reader.u64("rebuild token"))
      }
      try reader.requireEnd()
    }
  }

  /// The bytes of the format version.
  package static func encodeFormat() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u16: UInt16(RecordFormat.version))
    return bytes
  }

  /// The format version in `meta`.
  package static func decodeFormat(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    var reader = ByteReader(bytes)
    let version = Int(try reader.u16("format version"))
    try reader.requireEnd()
    return version
  }

  /// The bytes of a ledger id.
  package static func encode(_ id: LedgerID) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u64: id.high)
    bytes.append(u64: id.low)
    return bytes
  }

  /// The ledger id in `meta`.
  package static func decodeLedger(_ bytes: Span<UInt8>) throws(CodecError) -> LedgerID {
    var reader = ByteReader(bytes)
    let high = try reader.u64("ledger id")
    let id = LedgerID(high: high, low: try reader.u64("ledger id"))
    try reader.requireEnd()
    return id
  }
}
