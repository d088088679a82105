import Foundation
import Testing

/// Holds the folders below `Sources` to the table of modules in `docs/architecture.md`.
struct ModuleOrderTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// The modules of the table, from top to bottom.
  private static func documentedModules() throws -> [String] {
    let text = try String(contentsOf: root.appending(path: "docs/architecture.md"), encoding: .utf8)
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("| module |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    return rows.flatMap { row in
      // Names of modules stand between grave accents in the first cell.
      row.split(separator: "|")[0].split(separator: "`").enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }

  private static func folders() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
      .filter { !$0.hasPrefix(".") }
  }

  /// The modules that the files of a module import.
  private static func imports(of module: String) throws -> [(file: String, module: String)] {
    let folder = root.appending(path: "Sources/\(module)")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (files ?? []).filter { $0.hasSuffix(".swift") }.flatMap { file in
      try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        .split(separator: "\n").compactMap { line in
          let words = line.split(separator: " ")
          guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
            words[..<keyword].allSatisfy({ "publicpackageinternal@_exported@testable".contains($0) }
            )
          else { return nil }
          return ("\(module)/\(file)", String(words[keyword + 1]))
        }
    }
  }

  @Test func everyFolderIsInTheTable() throws {
    let documented = try Self.documentedModules()
    #expect(Set(documented) == Set(try Self.folders()))
    #expect(documented.count == Set(documented).count, "a module stands twice in the table")
  }

  @Test func aModuleImportsOnlyModulesAboveIt() throws {
    let documented = try Self.documentedModules()
    #expect(documented.count > 10)
    var seen = 0
    for (place, module) in documented.enumerated() {
      for (file, imported) in try Self.imports(of: module) {
        guard let above = documented.firstIndex(of: imported) else { continue }
        seen += 1
        #expect(above < place, "\(file) imports \(imported), which stands below \(module)")
      }
    }
    #expect(seen > 100, "the imports were not found")
  }
}
