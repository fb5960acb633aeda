/// The JSON documents on the lines of a file, one after the other.
///
/// Memory: the longest line, used again for the next. Empty lines are passed over. For one thread at
/// a time.
public struct JSONLines {
  /// A line that was read.
  public struct Line {
    /// Its number, counted from 1.
    public let number: Int
    /// What is wrong with it, if anything is.
    public let error: ImportError?
  }

  private let path: String
  private var lines: ImportLines
  private var tape = JSONTape()

  /// Opens a file.
  ///
  /// - Parameter path: The file; "-" is standard input.
  /// - Throws: ``ImportError`` if it cannot be opened.
  public init(path: String) throws(ImportError) {
    self.path = path
    do throws(FileError) {
      lines = ImportLines(path == "-" ? FileReader.standardInput : try FileReader(path))
    } catch {
      throw ImportError(path: path, text: "\(error)")
    }
  }

  /// How many bytes were read.
  public var byteCount: Int64 { lines.byteCount }

  /// Whether the next line was read already, so that it can be had without waiting.
  public var hasLineAtHand: Bool { lines.hasWholeLine }

  /// The document on the line that was read last; `null` if something is wrong with it.
  public var document: JSONView {
    @_lifetime(borrow self)
    get { tape.root }
  }

  /// Reads the next line, whose ``document`` can then be had; `nil` at the end of the file.
  ///
  /// - Throws: ``ImportError`` if the file cannot be read on.
  public mutating func next() throws(ImportError) -> Line? {
    while true {
      let line: ImportLines.Line?
      do throws(FileError) {
        line = try lines.next(into: &tape.text)
      } catch {
        throw ImportError(path: path, text: "\(error)")
      }
      guard let line else { return nil }
      if line.isTooLong {
        tape.clear()
        return failure(
          line.number, "the line is longer than \(ImportLines.maximumByteCount) bytes")
      }
      if tape.text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
      do throws(JSONError) {
        try tape.takeApart()
        return Line(number: line.number, error: nil)
      } catch {
        return failure(line.number, "\(error)", offset: error.offset)
      }
    }
  }

  private func failure(_ number: Int, _ text: String, offset: Int? = nil) -> Line {
    Line(
      number: number, error: ImportError(path: path, line: number, offset: offset, text: text))
  }
}
