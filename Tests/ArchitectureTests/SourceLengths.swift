import Glibc

/// The lengths of files, and of functions, initializers and computed properties in a file that swift-format has laid
/// out: each ends with a brace that is as far in as it began.
enum SourceLengths {
  /// A function that was found.
  struct Found {
    /// Its first line, counted from 1.
    let line: Int
    /// Lines from its first to its last.
    let count: Int
  }

  /// The functions of a text that are longer than a limit, in any order. Words are found in C, since unoptimized Swift
  /// takes minutes over all that the project has.
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

  /// Lines from a declaration's first to its last; 0 for a comment, and for what has no body or has it on the same line.
  private static func lines(from first: UnsafePointer<CChar>) -> Int {
    let indentation = strspn(first, " ")
    guard first[indentation] != 47 else { return 0 }
    var (line, count) = (first, 1)
    while let end = strchr(line, 10) {
      line = UnsafePointer(end + 1)
      count += 1
      let depth = strspn(line, " ")
      // Blank lines, and those that are further in.
      guard line[depth] != 10, depth <= indentation else { continue }
      switch line[depth] {
      // The end of parameters, and conditions of compilation.
      case 41, 35: continue
      // The end, if it is not that of what is around.
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
