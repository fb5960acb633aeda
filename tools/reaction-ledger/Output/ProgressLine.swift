/// A line on standard error that says how far a command is; only on a terminal.
final class ProgressLine {
  private let isShown: Bool
  private var lastTime: ContinuousClock.Instant?
  private var isOpen = false
  /// The first step of the work that is shown, and when that was.
  private var first: (step: ProgressStep, time: ContinuousClock.Instant)?

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

  /// Changes the line to a step of some work, with its rate and the time that is left.
  func show(_ step: ProgressStep) {
    guard isShown else { return }
    let now = ContinuousClock.now
    var begin = (step: step, time: now)
    if let first, first.step.work == step.work { begin = first }
    first = begin
    show(step.line(since: begin.step, now - begin.time))
  }

  /// Takes the line away.
  func clear() {
    guard isOpen else { return }
    isOpen = false
    StandardStreams.writeError("\r\u{1b}[K")
  }
}
