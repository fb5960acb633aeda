internal import ReactionModel

/// A command whose reaction was brought into canonical form, on the caller's thread.
struct PreparedCommand: Sendable {
  let command: Command
  /// The reaction that the command concerns; `nil` where it concerns all or none.
  let reaction: Result<Reaction, InvalidReaction>?

  init(_ command: Command) {
    self.command = command
    guard let text = command.reaction else {
      reaction = nil
      return
    }
    do throws(InvalidReaction) {
      reaction = .success(try Reaction(text))
    } catch {
      reaction = .failure(error)
    }
  }

  /// Who asked for it, if not the user.
  var actor: UserID? { command.actor == command.user ? nil : command.actor }
}
