extension ImportReport {
  /// Writes the report as an object with keys in a fixed order.
  ///
  /// The keys: `messages`, `reactions`, `recorded`, `unchanged`, `repeated`, `refused`
  /// (`reason`, `count`, `first`), `merged`, `users`, `skipped` (`reason`, `count`, `lists`,
  /// `first`), `errors` (`path`, `line`, `offset`, `text`), `furtherErrors`. A place `first` has `path`, `line` and
  /// `index`. `line`, `offset` and `index` are left out where there are none.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("messages", messages)
      writer.member("reactions", reactions)
      writer.member("recorded", recorded)
      writer.member("unchanged", unchanged)
      writer.member("repeated", repeated)
      writer.array("refused") { writer in
        for tally in refused { tally.write(to: &writer, withLists: false) }
      }
      writer.member("merged", merged)
      writer.member("users", users)
      writer.array("skipped") { writer in
        for tally in skipped { tally.write(to: &writer, withLists: true) }
      }
      writer.array("errors") { writer in
        for error in errors { error.write(to: &writer) }
      }
      writer.member("furtherErrors", furtherErrors)
    }
  }
}

extension ImportTally {
  fileprivate func write(to writer: inout JSONWriter, withLists: Bool) {
    writer.object { writer in
      writer.member("reason", reason)
      writer.member("count", count)
      if withLists { writer.member("lists", lists) }
      writer.object("first") { writer in
        writer.member("path", first.path)
        writer.member("line", ifPresent: first.line)
        writer.member("index", ifPresent: first.index)
      }
    }
  }
}

extension ImportError {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", path)
      writer.member("line", ifPresent: line)
      writer.member("offset", ifPresent: offset)
      writer.member("text", text)
    }
  }
}
