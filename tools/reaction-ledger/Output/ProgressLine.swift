/// A line on standard error that says how far a command is; only on a terminal.
final class ProgressLine {
  private let isShown: Bool
  private var lastTime: ContinuousClock.Instant?
  private var isOpen = false

  /// The shortest time between two changes of the line.
  static let interval = Duration.milliseconds(100)

  /// Makes the line.
  init(isShown: Bool = StandardStreams.isErrorTerminal) { self.isShown = isShown }

  /// Changes the line, unless it was changed just before.
  func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let lastTime, now - lastTime < Self.interval { return }
    lastTime = now
    isOpen = true
    // Back to the beginning, and the rest of the line erased.
    StandardStreams.writeError("\r\(text().printable)\u{1b}[K")
  }

  /// Takes the line away.
  func clear() {
    guard isOpen else { return }
    isOpen = false
    StandardStreams.writeError("\r\u{1b}[K")
  }
}
