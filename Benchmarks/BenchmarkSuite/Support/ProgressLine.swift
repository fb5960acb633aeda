import Foundation

/// A line on standard error that says what is being measured; only on a terminal.
final class ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1

  func show(_ text: String) { if isShown { write("\r\(text)\u{1b}[K") } }

  func clear() { if isShown { write("\r\u{1b}[K") } }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
