/// Stops the process with a message, in release builds too, where `precondition` is silent.
///
/// For misuse that the compiler cannot see; what comes from outside never ends here.
@inline(__always)
func require(_ isMet: Bool, _ message: @autoclosure () -> String) {
  if !isMet { misuse(message()) }
}

@inline(never)
private func misuse(_ message: String) -> Never { fatalError(message) }
