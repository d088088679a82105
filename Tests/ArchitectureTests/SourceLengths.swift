import Glibc

/// The lengths of files, and of functions, initializers and computed properties in a file formatted by
/// swift-format: each ends with a brace indented like its first line.
enum SourceLengths {
  struct Found {
    /// Its first line, counted from 1.
    let line: Int
    /// Lines from its first to its last.
    let count: Int
  }

  /// The functions of a text that are longer than a limit, in any order. Searches with C functions, because
  /// unoptimized Swift would take minutes for all of the project.
  static func longer(than limit: Int, in text: String) -> [Found] {
    text.withCString { start in
      ["func ", "init(", "init?(", "init<", "subscript(", "var "].flatMap { word -> [Found] in
        var found: [Found] = []
        var rest = start
        while let hit = strstr(rest, word) {
          let line = firstByte(of: hit, start)
          let count = lines(from: line)
          if count > limit {
            found.append(Found(line: number(of: line, start), count: count))
          }
          rest = UnsafePointer(strchr(hit, 10) ?? hit + strlen(hit))
        }
        return found
      }
    }
  }

  private static func firstByte(
    of place: UnsafeMutablePointer<CChar>, _ start: UnsafePointer<CChar>
  ) -> UnsafePointer<CChar> {
    var first = UnsafePointer(place)
    while first > start, first[-1] != 10 { first -= 1 }
    return first
  }

  /// Lines from a declaration's first to its last; 0 for a comment, and for a declaration without a body or on
  /// one line.
  private static func lines(from first: UnsafePointer<CChar>) -> Int {
    let indentation = strspn(first, " ")
    guard first[indentation] != 47 else { return 0 }
    var (line, count) = (first, 1)
    while let end = strchr(line, 10) {
      line = UnsafePointer(end + 1)
      count += 1
      let depth = strspn(line, " ")
      // Blank lines, and lines indented further.
      guard line[depth] != 10, depth <= indentation else { continue }
      switch line[depth] {
      // The end of the parameters, or conditional compilation.
      case 41, 35: continue
      // The declaration's closing brace, or that of the surrounding code.
      case 125: return depth == indentation ? count : 0
      default: return 0
      }
    }
    return 0
  }

  private static func number(of line: UnsafePointer<CChar>, _ start: UnsafePointer<CChar>) -> Int {
    var (number, rest) = (1, start)
    while let end = strchr(rest, 10), end < line {
      number += 1
      rest = UnsafePointer(end + 1)
    }
    return number
  }

  /// The lines of a text.
  static func lineCount(of text: String) -> Int {
    text.withCString { start in
      var (count, rest) = (0, start)
      while let end = strchr(rest, 10) {
        count += 1
        rest = UnsafePointer(end + 1)
      }
      return count
    }
  }
}
