/// The arguments of the process as the system gave them.
///
/// `CommandLine.arguments` repairs what is not UTF-8, and so would record another id than was
/// meant; here it is an error.
enum RawArguments {
  /// Reads the arguments after the tool's name.
  ///
  /// - Throws: ``Failure`` with the status *usage* if one of them is not UTF-8.
  static func read() throws(Failure) -> [String] {
    var texts: [String] = []
    for index in stride(from: 1, to: Int(CommandLine.argc), by: 1) {
      // Sound: the system ends every argument with a zero byte; the bytes are copied here.
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { break }
      var bytes: [UInt8] = []
      var offset = 0
      while case let byte = unsafe UInt8(bitPattern: argument[offset]), byte != 0 {
        bytes.append(byte)
        offset += 1
      }
      texts.append(try text(of: bytes, index: index))
    }
    return texts
  }

  /// The text that an argument's bytes are.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - index: The argument's place, 1 for the one after the tool's name.
  /// - Returns: The text.
  /// - Throws: ``Failure`` with the status *usage* if they are not UTF-8.
  static func text(of bytes: [UInt8], index: Int) throws(Failure) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      throw .usage(
        "argument \(index) is not valid UTF-8 at byte \(error.byteOffsets.lowerBound): "
          + "give ids, reactions and paths as UTF-8")
    }
  }
}
