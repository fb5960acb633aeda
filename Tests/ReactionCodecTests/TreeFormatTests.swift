import ReactionCodec
import Testing

@Suite("Keys and values of tree (F24)")
struct TreeFormatTests {
  @Test("Golden bytes")
  func golden() throws {
    let key = TreeFormat.key(level: 16, index: 0x0102_0304)
    #expect(hexadecimal(key.indices.map { key[$0] }) == "100000000001020304")
    let value = TreeFormat.value(hash: (1, 2, 3, 0xff00_0000_0000_0004), check: 5)
    let text =
      "000000000000000100000000000000020000000000000003ff000000000000040000000000000005"
    #expect(hexadecimal(value.indices.map { value[$0] }) == text)
    let checked = TreeFormat.checked(
      level: 16, index: 0x0102_0304, hash: (1, 2, 3, 0xff00_0000_0000_0004))
    #expect(
      hexadecimal(checked.indices.map { checked[$0] }) == "100000000001020304" + text.prefix(64))
    let (hash, check) = try TreeFormat.value(bytes(text).span)
    #expect(hash == (1, 2, 3, 0xff00_0000_0000_0004) && check == 5)
  }

  @Test("Every level, and what is no key")
  func keys() throws {
    for level in [8, 16, 24, 32, 40] {
      for index in [0, 1, UInt64(1) << UInt64(48 - level) - 1] {
        let key = TreeFormat.key(level: level, index: index)
        #expect(try TreeFormat.place(key.span) == (level, index))
      }
      let beyond = TreeFormat.key(level: level, index: UInt64(1) << UInt64(48 - level))
      #expect(throws: CodecError.self) { try TreeFormat.place(beyond.span) }
    }
    for text in [
      "", "080000000000000000".dropLast(2).description, "08000000000000000000",
      "000000000000000000", "010000000000000000", "090000000000000000", "300000000000000000",
      "ff0000000000000000", "080100000000000000",
    ] {
      let key = bytes(text)
      #expect(throws: CodecError.self, "\(text)") { try TreeFormat.place(key.span) }
    }
  }

  @Test("What is no value", arguments: [0, 1, 32, 39, 41])
  func values(byteCount: Int) {
    let value = [UInt8](repeating: 7, count: byteCount)
    #expect(throws: CodecError.self) { try TreeFormat.value(value.span) }
  }
}
