/// The JSON values on the lines of a file, one after the other.
///
/// Memory: the longest line and its value. Empty lines are passed over. For one thread at a time.
public struct JSONLines {
  /// A line that was read.
  public struct Line {
    /// Its number, counted from 1.
    public let number: Int
    /// The value on it, or what is wrong with it.
    public let value: Result<JSONValue, ImportError>
  }

  private let path: String
  private var lines: ImportLines

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

  /// The next line; `nil` at the end of the file.
  ///
  /// - Throws: ``ImportError`` if the file cannot be read on.
  public mutating func next() throws(ImportError) -> Line? {
    while true {
      let line: ImportLines.Line?
      do throws(FileError) {
        line = try lines.next()
      } catch {
        throw ImportError(path: path, text: "\(error)")
      }
      switch line {
      case nil: return nil
      case .tooLong(let number):
        let text = "the line is longer than \(ImportLines.maximumByteCount) bytes"
        return failure(number, text)
      case .bytes(let bytes, let number):
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
        do throws(JSONError) {
          return Line(number: number, value: .success(try JSONParser.parse(bytes)))
        } catch {
          return failure(number, "\(error)", offset: error.offset)
        }
      }
    }
  }

  private func failure(_ number: Int, _ text: String, offset: Int? = nil) -> Line {
    Line(
      number: number,
      value: .failure(ImportError(path: path, line: number, offset: offset, text: text)))
  }
}
