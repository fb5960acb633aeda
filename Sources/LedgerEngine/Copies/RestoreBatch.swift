internal import ReactionCodec
internal import ReactionModel

/// Records that wait to be written in one transaction, which may be done again in a larger map.
struct RestoreBatch {
  /// A record of the batch, with what it introduces.
  struct Item: ~Escapable {
    let sequence: UInt64
    /// The record and its seal.
    let bytes: Span<UInt8>
    let introductions: Span<RecordBytes.Introduction>
    /// What the introductions have ranges of.
    let openings: Span<UInt8>

    @_lifetime(copy bytes, copy introductions, copy openings)
    init(
      _ sequence: UInt64, _ bytes: Span<UInt8>,
      _ introductions: Span<RecordBytes.Introduction>, _ openings: Span<UInt8>
    ) {
      self.sequence = sequence
      self.bytes = bytes
      self.introductions = introductions
      self.openings = openings
    }
  }

  /// Where the parts of a record end; they begin where those of the record before it end.
  private struct Ends {
    var sequence: UInt64 = 0
    var bytes = 0
    var introductions = 0
  }

  private var ends: [Ends] = []
  private var bytes: [UInt8] = []
  private var introductions: [RecordBytes.Introduction] = []
  private var openings: [UInt8] = []

  /// How many records there are.
  var count: Int { ends.count }

  /// A record, by its place.
  subscript(index: Int) -> Item {
    @_lifetime(borrow self)
    get {
      let (start, end) = (index == 0 ? Ends() : ends[index - 1], ends[index])
      return Item(
        end.sequence, bytes.span.extracting(start.bytes..<end.bytes),
        introductions.span.extracting(start.introductions..<end.introductions), openings.span)
    }
  }

  /// Takes a record in.
  mutating func append(_ record: borrowing RecordBytes) {
    bytes.append(record.bytes.span)
    let offset = openings.count
    openings.append(record.openings.span)
    for introduction in record.introductions {
      let opening = introduction.opening
      introductions.append(
        .init(
          number: introduction.number,
          opening: opening.lowerBound + offset..<opening.upperBound + offset,
          isClosing: introduction.isClosing))
    }
    ends.append(
      Ends(
        sequence: record.sequence, bytes: bytes.count, introductions: introductions.count))
  }

  /// Forgets the records, and keeps the memory.
  mutating func removeAll() {
    ends.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    introductions.removeAll(keepingCapacity: true)
    openings.removeAll(keepingCapacity: true)
  }
}

extension RecordBytes {
  /// The bytes of a record that ``RecordFormat/verify(_:)`` has passed.
  init(_ logged: LoggedRecord) {
    self.init()
    sequence = logged.entry.sequence
    RecordFormat.encode(logged.entry.record, into: &bytes)
    bytes.append(u64: logged.seal)
    for introduction in logged.introductions {
      let start = openings.count
      if let opening = introduction.opening {
        openings.append(
          UserRow.opening(salt: opening.salt, id: opening.id.text.utf8Span.span).span)
      }
      introductions.append(
        .init(
          number: introduction.number, opening: start..<openings.count,
          isClosing: introduction.opening?.isClosing ?? false))
    }
  }
}
