/// Where in an export something is.
public struct ImportPlace: Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The line in the file, counted from 1, if the file is read by lines.
  public let line: Int?
  /// The message's index in the file or line, counted from 0.
  public let index: Int?

  /// Makes a place.
  public init(path: String, line: Int? = nil, index: Int? = nil) {
    self.path = path
    self.line = line
    self.index = index
  }

  /// The path, the line if there is one, and the message's index.
  public var description: String {
    let file = line.map { "\(path):\($0)" } ?? path
    return index.map { "\(file), message \($0)" } ?? file
  }
}

/// A part of an export that could not be read.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder.
  public let path: String
  /// The line in the file, counted from 1, if the file is read by lines.
  public let line: Int?
  /// Where in the line, or else in the file, in bytes, where that is known.
  public let offset: Int?
  /// What is wrong.
  public let text: String

  /// Makes an error.
  public init(path: String, line: Int? = nil, offset: Int? = nil, text: String) {
    self.path = path
    self.line = line
    self.offset = offset
    self.text = text
  }

  /// The place and what is wrong there.
  public var description: String {
    let file = line.map { "\(path):\($0)" } ?? path
    return offset.map { "\(file), byte \($0): \(text)" } ?? "\(file): \(text)"
  }
}

/// How far an import has come.
public struct ImportProgress: Hashable, Sendable {
  /// The file that was read last.
  public var path: String
  /// How many bytes were read of all files together.
  public var byteCount: Int64
  /// How many messages with reactions were read.
  public var messages: Int
  /// How many commands were made.
  public var reactions: Int

  /// Makes a report of progress.
  public init(path: String = "", byteCount: Int64 = 0, messages: Int = 0, reactions: Int = 0) {
    self.path = path
    self.byteCount = byteCount
    self.messages = messages
    self.reactions = reactions
  }
}
