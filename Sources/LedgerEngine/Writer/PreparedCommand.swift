internal import ReactionModel

/// A command whose reaction was brought into canonical form, on the caller's thread.
struct PreparedCommand: Sendable {
  let command: Command
  let reaction: Result<Reaction, InvalidReaction>

  init(_ command: Command) {
    self.command = command
    do throws(InvalidReaction) {
      reaction = .success(try Reaction(command.reaction))
    } catch {
      reaction = .failure(error)
    }
  }

  /// Who asked for it, if not the user.
  var actor: UserID? { command.actor == command.user ? nil : command.actor }
}
