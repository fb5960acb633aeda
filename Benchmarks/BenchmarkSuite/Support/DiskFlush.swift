import Foundation

/// Measures what a flush of a disk takes: every durable figure rests on it.
enum DiskFlush {
  /// The median duration of writing a page of 4 KiB in place and flushing it, in nanoseconds.
  static func nanoseconds(in folder: String, count: Int) throws -> Double {
    let path = "\(folder)/flush"
    let page = [UInt8](repeating: 1, count: 4096)
    // Sound: the system copies the path.
    let file = unsafe open(path, O_CREAT | O_RDWR, 0o600)
    guard file >= 0 else { throw BenchError.program("\(path) cannot be written") }
    defer {
      close(file)
      _ = unsafe unlink(path)
    }
    var durations: [Double] = []
    for _ in 0..<count {
      let start = Meter.now
      // Sound: the system reads only bytes of the array, during the call.
      let written = unsafe page.withUnsafeBytes { bytes in
        unsafe pwrite(file, bytes.baseAddress, bytes.count, 0)
      }
      guard written == page.count, fdatasync(file) == 0 else {
        throw BenchError.program("\(path) cannot be flushed")
      }
      durations.append(Double(Meter.now - start))
    }
    return median(durations)
  }
}
