import ReactionCodec
import ReactionModel
import Testing

@Suite("A view of an event tells what decoding it tells, and of nothing else there is one (F4–F10)")
struct RecordViewTests {
  private struct Tally {
    var eventCount = 0
    var otherCount = 0
    /// The first bytes of which view and record differ.
    var broken: [UInt8]?

    mutating func compare(_ bytes: [UInt8]) {
      let decoded = decodeRecord(bytes)
      if case .success(let record) = decoded, record.isEvent {
        eventCount += 1
        let seal = RecordFormat.seal(of: bytes.span) ?? 0
        if Fields(bytes) != Fields(record, seal: seal) || encoded(record, seal: seal) != bytes {
          broken = broken ?? bytes
        }
      } else {
        otherCount += 1
        if Fields(bytes) != nil { broken = broken ?? bytes }
      }
    }
  }

  @Test("20,000 records") func validRecords() {
    var (sampler, tally) = (Sampler(seed: 77), Tally())
    for _ in 0..<20_000 { tally.compare(encoded(sampler.record(), seal: sampler.word())) }
    #expect(tally.broken == nil)
    #expect(tally.eventCount > 5_000 && tally.otherCount > 1_000)
  }

  @Test("200,000 damaged records, and as many of any bytes") func damagedRecords() {
    var (sampler, tally) = (Sampler(seed: 78), Tally())
    let samples = (0..<2_000).map { _ in encoded(sampler.record(), seal: sampler.word()) }
    for _ in 0..<200_000 {
      tally.compare(sampler.damaged(samples))
      tally.compare(sampler.anyBytes())
    }
    #expect(tally.broken == nil)
    #expect(tally.eventCount > 10_000 && tally.otherCount > 10_000)
  }

  /// Together with the lengths of the texts, these are all bytes that decide how a record is read.
  @Test("Every value of every byte of records with every flag, one byte at a time")
  func everyByte() {
    var (sampler, tally) = (Sampler(seed: 79), Tally())
    var seen: Set<UInt8> = []
    while seen.count < 40 {
      let record = sampler.record()
      var bytes = encoded(record, seal: sampler.word())
      guard record.isEvent, bytes.count < 200, seen.insert(bytes[3]).inserted else { continue }
      for index in bytes.indices {
        let before = bytes[index]
        for value in 0...UInt8.max {
          bytes[index] = value
          tally.compare(bytes)
        }
        bytes[index] = before
        tally.compare(Array(bytes[..<index]))
      }
    }
    #expect(tally.broken == nil)
    #expect(tally.eventCount > 10_000 && tally.otherCount > 10_000)
  }

  @Test("20,000 rows of users and as many damaged ones have a view if they have an id")
  func rowsOfUsers() {
    var sampler = Sampler(seed: 80)
    let samples = (0..<2_000).map { _ in
      var bytes: [UInt8] = []
      sampler.userRow().encode(into: &bytes)
      return bytes
    }
    for bytes in samples + (0..<20_000).map({ _ in sampler.damaged(samples) }) {
      let row = try? UserRow(decoding: bytes.span)
      guard let view = UserRowView(bytes.span) else {
        #expect(row?.id == nil)
        continue
      }
      #expect(row?.id.map { Array($0.text.utf8) } == [UInt8](view.id))
      #expect([UInt8](view.opening) == Array(bytes.dropFirst()))
      let isClosing = view.isClosing
      if case .closing = row { #expect(isClosing) } else { #expect(!isClosing) }
    }
  }

  @Test("5,000 rows of messages, written part by part") func rowsOfMessages() {
    var (sampler, writer) = (Sampler(seed: 81), RowWriter())
    for _ in 0..<5_000 {
      let row = sampler.row()
      writer.begin(eventCount: UInt32(row.eventCount), lastSequence: row.lastSequence)
      for block in row.blocks {
        writer.block(
          block.reaction.text.utf8Span.span, opened: block.opened, count: UInt32(block.count),
          isSpilled: block.isSpilled, entryCount: block.entries.count)
        for entry in block.entries { writer.entry(user: entry.user, sequence: entry.sequence) }
      }
      #expect([UInt8](writer.bytes) == row.encode())
    }
  }
}

/// What a view and a record both tell.
private struct Fields: Equatable {
  var record: Record
  var seal: UInt64

  init(_ record: Record, seal: UInt64) {
    self.record = record
    self.seal = seal
  }

  /// Reads a view, field by field; `nil` if there is none.
  init?(_ bytes: [UInt8]) {
    guard let view = RecordView(bytes.span) else { return nil }
    var key = [UInt8(view.messageHead >> 8), UInt8(view.messageHead & 0xFF)]
    key.append(view.messageIDs)
    do {
      let change = Record.Change(
        view.isAdded ? .added : .removed(ends: view.ends), message: try Keys.message(key.span),
        parent: view.parent.isEmpty ? nil : try MessageID(utf8: view.parent),
        reaction: try Reaction(canonical: view.reaction), previous: view.previous)
      record = Record(
        recordedAt: view.recordedAt, cause: view.cause,
        place: Record.Place(view.operation, index: view.index, count: view.count),
        clientTime: view.clientTime, user: view.user, actor: view.actor == 0 ? nil : view.actor,
        commandID: view.commandID, userCommitment: view.userCommitment,
        actorCommitment: view.actorCommitment, content: .change(change))
    } catch {
      Issue.record("a view of what is no record: \(error)")
      return nil
    }
    seal = view.seal
  }
}
