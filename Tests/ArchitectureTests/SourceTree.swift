import Foundation
import Glibc

/// The project's folders and what their files import.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// The modules in the table of `docs/architecture.md`, from top to bottom.
  static func documentedModules() throws -> [String] {
    let text = try String(contentsOf: root.appending(path: "docs/architecture.md"), encoding: .utf8)
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("| module |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    return rows.flatMap { row in
      // The first cell has module names in backticks.
      row.split(separator: "|")[0].split(separator: "`").enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }

  /// The folders in one of the project's folders.
  static func folders(of place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: place).path)
      .filter { !$0.hasPrefix(".") }
  }

  /// The Swift files below a folder, with their paths relative to it.
  static func texts(below place: String) throws -> [(file: String, text: String)] {
    let folder = root.appending(path: place)
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (files ?? []).filter { $0.hasSuffix(".swift") }.map { file in
      (file, try String(contentsOf: folder.appending(path: file), encoding: .utf8))
    }
  }

  /// The lines of a text that contain a word. Searches with C functions, because unoptimized Swift would take
  /// minutes for all of the project.
  static func lines(of text: String, holding word: String) -> [String] {
    var lines: [String] = []
    text.withCString { start in
      var rest = start
      while let hit = strstr(rest, word) {
        var first = UnsafePointer(hit)
        while first > start, first[-1] != 10 { first -= 1 }
        let end = UnsafePointer(strchr(hit, 10) ?? hit + strlen(hit))
        lines.append(
          String(decoding: UnsafeRawBufferPointer(start: first, count: end - first), as: UTF8.self))
        rest = end
      }
    }
    return lines
  }

  static func holds(_ text: String, _ word: String) -> Bool { strstr(text, word) != nil }

  /// The modules that the Swift files below a folder import, with the files' paths.
  static func imports(below place: String) throws -> [(file: String, module: String)] {
    try texts(below: place).flatMap { file, text in
      lines(of: text, holding: "import ").compactMap { line in
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
          words[..<keyword].allSatisfy({ "publicpackageinternal@_exported@testable".contains($0) })
        else { return nil }
        return ("\(place)/\(file)", String(words[keyword + 1]))
      }
    }
  }
}
