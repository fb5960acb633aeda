import LedgerInterchange
import Testing

/// A script of runs of the tool with what each gives, in one text.
///
/// `$ add L …` runs the tool; the lines that follow are its standard output, those that begin with
/// `! ` its standard error, and `=> N` its exit status if that is not 0. Words of a command are
/// separated by spaces; 'single quotes' hold one together. What changes from run to run is masked:
/// see ``mask(_:)``.
enum Transcript {
  /// Runs a script in a folder and compares what comes with what it says.
  static func expect(
    _ expected: String, in folder: WorkFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var actual: [String] = []
    for line in expected.split(separator: "\n") where line.hasPrefix("$ ") {
      let run = try folder.run(String(line.dropFirst(2)))
      actual.append(String(line))
      actual += run.lines.map(mask)
      for line in run.lines where line.hasPrefix("{") {
        #expect(throws: Never.self, sourceLocation: sourceLocation) {
          try JSONParser.parse(Array(line.utf8))
        }
      }
      actual += run.errors.split(separator: "\n").map { "! " + mask(String($0)) }
      if run.status != 0 { actual.append("=> \(run.status)") }
    }
    #expect(actual.joined(separator: "\n") == expected, sourceLocation: sourceLocation)
  }

  /// Replaces times from 2021 on by TIME, ids made at random by UUID, roots of the tree by ROOT, and
  /// what depends on the system (sizes, versions) by N.
  static func mask(_ line: String) -> String {
    line
      .replacing(/20(2[1-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/, with: "TIME")
      .replacing(/ledger("?:?"? ?)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) { match in
        "ledger\(match.output.1)UUID"
      }
      .replacing(/"(fileBytes|mapBytes|freePages|format|tableBytes)":\d+/) { match in
        "\"\(match.output.1)\":N"
      }
      .replacing(/root("?:?"? ?)[A-Za-z0-9+\/]{43}=/) { "root\($0.output.1)ROOT" }
      .replacing(/"lmdb":"[0-9.]+"/, with: #""lmdb":"N""#)
      .replacing(/^(file|map|free pages|format|LMDB):( +)[0-9.]+/) { match in
        "\(match.output.1):\(match.output.2)N"
      }
  }

  /// The words of a command line.
  static func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for scalar in line.unicodeScalars {
      switch scalar {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default:
        word = word ?? ""
        word?.unicodeScalars.append(scalar)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
