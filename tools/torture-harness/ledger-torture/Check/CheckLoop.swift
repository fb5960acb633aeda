import Glibc

/// Answers requests, a line each: `ok LANES…` with the number of steps that each lane has now, or
/// `FAILED REASON`.
///
/// Many ledgers for one process; if it dies, the ledger that it was at has failed.
struct CheckLoop {
  func run() {
    var (name, expectation): (String, Expectation?) = ("", nil)
    while let line = readLine() {
      guard let request = Request(line) else {
        Lines.output.write("FAILED the request is none: \(line)")
        continue
      }
      if request.expectation != name {
        name = request.expectation
        expectation = Self.text(of: name).flatMap { Expectation($0) }
      }
      guard let expectation else {
        Lines.output.write("FAILED the expectation is none: \(name)")
        continue
      }
      Lines.output.write(Check(request, expectation).verdict())
    }
  }

  private static func text(of file: String) -> String? {
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (bytes, part): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65_536))
    while case let count = unsafe read(descriptor, &part, part.count), count > 0 {
      bytes += part.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
