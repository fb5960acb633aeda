#if RocksDBPeer
  import ReactionCodec
  import ReactionModel

  /// The keys and values of the RocksDB peer: a letter for each kind, then what the ledger has.
  enum RocksKeys {
    static func message(_ key: MessageKey) -> [UInt8] {
      var bytes: [UInt8] = []
      Keys.message(key, into: &bytes)
      return [UInt8(ascii: "m")] + bytes
    }

    static func event(_ sequence: UInt64) -> [UInt8] { [UInt8(ascii: "e")] + bytes(sequence) }
    static func user(_ number: UInt32) -> [UInt8] { [UInt8(ascii: "u")] + bytes(number) }
    static func reactors(_ opened: UInt64) -> [UInt8] { [UInt8(ascii: "r")] + bytes(opened) }

    static func reactor(_ opened: UInt64, _ sequence: UInt64) -> [UInt8] {
      reactors(opened) + bytes(sequence)
    }

    static func member(_ opened: UInt64, _ user: UInt32) -> [UInt8] {
      [UInt8(ascii: "b")] + bytes(opened) + bytes(user)
    }

    /// An event's record, without a seal.
    static func event(_ change: PeerChange, _ user: UInt32, _ previous: UInt64) -> [UInt8] {
      var record: [UInt8] = [change.isAdd ? 0 : 1]
      record += bytes(UInt64(bitPattern: change.time?.microseconds ?? 0))
      record += bytes(user)
      record += bytes(previous)
      for text in [
        change.message.conversation.id.text, change.message.message.text, change.reaction,
      ] {
        record.append(UInt8(truncatingIfNeeded: text.utf8.count))
        record += text.utf8
      }
      return record
    }

    /// Big-endian, so that keys are in order of their numbers.
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      stride(from: number.bitWidth - 8, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: number >> $0)
      }
    }

    static func number(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
  }
#endif
