import AVFoundationCompat
import Testing

/// Checks the table in docs/avfoundation.md against the module.
@Suite struct NamesTests {
  /// A row: some names and what it says about them.
  private struct Row {
    var names: [String]
    var verdict: String
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  private func rows() throws -> [Row] {
    let page = Self.folder.appending(path: "../../docs/avfoundation.md")
    return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| `"), cells.count >= 2 else { return nil }
      return Row(
        names: cells[0].split(separator: "`").map(String.init).filter { $0 != " " },
        verdict: cells[1])
    }
  }

  /// The words in the test sources of the three modules, without comments and strings: the names known
  /// to compile.
  private func words() throws -> Set<String> {
    let comment = try Regex("//[^\n]*")
    let text = try Regex("\"[^\"\n]*\"")
    var code = ""
    for folder in ["AVFoundationCompatTests", "AVFoundationAssetTests", "CoreMediaTests"]
      .map({ Self.folder.appending(path: "../\($0)") })
    {
      let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      for case let path as String in files where path.hasSuffix(".swift") {
        code +=
          try String(contentsOf: folder.appending(path: path), encoding: .utf8)
          .replacing(text, with: "").replacing(comment, with: "") + "\n"
      }
    }
    return Set(
      code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
  }

  @Test func every_supported_name_of_the_table_is_used_in_tests() throws {
    let words = try words()
    let rows = try rows()
    #expect(
      rows.count > 50
        && rows.allSatisfy { ["supported", "differs", "absent"].contains($0.verdict) })
    for row in rows {
      for name in row.names {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        if row.verdict == "absent" {
          #expect(!words.contains(last), "\(name) is listed as absent but used")
        } else {
          #expect(words.contains(last), "\(name) is listed as present, but no test uses it")
        }
      }
    }
  }

  @Test func every_global_name_of_the_module_is_in_the_table() throws {
    let table = Set(try rows().flatMap(\.names))
    let sources = Self.folder.appending(path: "../../Sources/AVFoundationCompat")
    let declaration = try Regex(
      "(?m)^public (?:final )?(?:typealias|let|func|struct|class|enum|protocol) (\\w+)")
    let files = FileManager.default.enumerator(atPath: sources.path)
    for case let path as String in try #require(files) where path.hasSuffix(".swift") {
      let code = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for match in code.matches(of: declaration) {
        let name = String(match.output[1].substring ?? "")
        #expect(table.contains(name), "\(name) of \(path) is not in docs/avfoundation.md")
      }
    }
  }
}
