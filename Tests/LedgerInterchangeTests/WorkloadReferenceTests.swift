import Foundation
import LedgerInterchange
import LedgerTestSupport
import Testing

/// The C program that defines the workload, where it is there and can be built.
private enum ReferenceProgram {
  static let source = SharedData.folder?.appending(path: "floor/gen.c")
  static let compiler = ["/usr/bin/gcc", "/usr/bin/cc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static var isAvailable: Bool {
    guard let source, compiler != nil else { return false }
    return FileManager.default.fileExists(atPath: source.path(percentEncoded: false))
  }

  /// Runs a program to its end; what it prints goes to a file, for a pipe could fill up.
  static func run(_ path: String, _ arguments: [String], output: URL? = nil) throws {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    if let output {
      try Data().write(to: output)
      process.standardOutput = try FileHandle(forWritingTo: output)
    }
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(path) failed")
  }

  /// What the program prints of a workload as text.
  static func lines(count: Int, seed: UInt64) throws -> [UInt8] {
    let source = try #require(source)
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "workload-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appending(path: "gen").path(percentEncoded: false)
    let file = folder.appending(path: "w.bin").path(percentEncoded: false)
    let text = folder.appending(path: "w.tsv")
    try run(
      try #require(compiler),
      ["-std=gnu11", "-O2", "-o", program, source.path(percentEncoded: false), "-lm"])
    try run(program, ["\(count)", file, "\(seed)"])
    try run(program, ["--tsv", file], output: text)
    return Array(try Data(contentsOf: text))
  }
}

@Suite("Workload: the same as the reference")
struct WorkloadReferenceTests {
  private static func lines(count: Int, seed: UInt64) -> [UInt8] {
    var generator = WorkloadGenerator(events: count, seed: seed)
    let names = WorkloadNames()
    var bytes: [UInt8] = []
    while let event = generator.next() {
      names.appendLine(for: event, on: generator.messages[Int(event.message)], to: &bytes)
    }
    return bytes
  }

  /// FNV-1a of 64 bits.
  private static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  @Test(
    "Byte for byte what the C program prints",
    .enabled(if: ReferenceProgram.isAvailable, "needs shared/floor/gen.c and a C compiler"),
    arguments: [42, 7, UInt64.max])
  func comparison(seed: UInt64) throws {
    let expected = try ReferenceProgram.lines(count: 20_000, seed: seed)
    let lines = Self.lines(count: 20_000, seed: seed)
    #expect(expected.count { $0 == UInt8(ascii: "\n") } == 20_000)
    let difference = zip(lines, expected).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(difference == nil, "the first byte that differs")
    #expect(lines.count == expected.count)
  }

  @Test("The first 10,000 events of seed 42 have the digest that the C program's have")
  func digest() {
    #expect(Self.digest(Array("a".utf8)) == 0xaf63_dc4c_8601_ec8c)
    #expect(Self.digest(Self.lines(count: 10_000, seed: 42)) == 0xe8e9_e93d_c76a_bdcc)
  }

  @Test("The first lines read as they should")
  func firstLines() {
    let text = String(decoding: Self.lines(count: 3, seed: 42), as: UTF8.self)
    #expect(
      text == """
        add\t1750000004054808\tgroup:vhp4kjzm4zm7js5533fx\t1384120324336910384\t\
        48n0zp82jrcnpap8w7fw\t😂
        add\t1750000005568844\tgroup:vhp4kjzm4zm7js5533fx\t1384120324336910384\t\
        pwyrd49nece677sdfqca\t😂
        add\t1750000005710704\tgroup:zcqmd3jzd762evjfxj4b\t1384120336299065529\t\
        5cr68z2rqwh38wn1qjre\t🎉

        """)
  }
}
