import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Checks a `.cube` file before libavfilter reads it, because libavfilter gives no reason for
/// rejecting one and misreads some.
///
/// Only the header and the number of lines are checked (Adobe, Cube LUT Specification 1.0).
struct CubeFile {
  /// What is wrong, with the line, and what to do; nil if nothing was found.
  private(set) var fault: String?

  private var size: Int?
  /// The number of lines of three numbers.
  private var count = 0
  /// The line of `LUT_1D_SIZE`; nil if there is none.
  private var curveLine: Int?
  private var number = 0

  /// The sizes that libavfilter reads.
  private static let sizes = 2...256
  private static let remedy = "export the table again"

  /// Reads a file. Files that cannot be opened, and those of other kinds, are left to libavfilter.
  init(_ path: String) {
    guard path.lowercased().hasSuffix(".cube"), let file = fopen(path, "re") else { return }
    var (line, room) = (UnsafeMutablePointer<CChar>?.none, 0)
    defer {
      free(line)
      fclose(file)
    }
    while fault == nil, getline(&line, &room, file) > 0, let line {
      number += 1
      take(line)
    }
    if fault == nil { fault = lack }
  }

  private mutating func take(_ line: UnsafeMutablePointer<CChar>) {
    if Self.isOfThreeNumbers(line) {
      guard size != nil else {
        return fail(
          curveLine == nil
            ? "numbers before LUT_3D_SIZE; \(Self.remedy)"
            : "a one-dimensional table; only three-dimensional ones are supported (LUT_3D_SIZE)")
      }
      count += 1
      return
    }
    let text = String(cString: line)
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let word = words.first, !word.hasPrefix("#"), word != "TITLE" else { return }
    let values = words.dropFirst().compactMap { Double($0) }
    switch word {
    case "LUT_3D_SIZE": takeSize(values)
    case "LUT_1D_SIZE": curveLine = number
    case "DOMAIN_MIN", "DOMAIN_MAX":
      let usual: [Double] = word == "DOMAIN_MIN" ? [0, 0, 0] : [1, 1, 1]
      if size == nil, values != usual {
        fail("\(word) before LUT_3D_SIZE, which libavfilter ignores; move it after that line")
      }
    case "LUT_3D_INPUT_RANGE" where size != nil || values != [0, 1]:
      fail(
        "LUT_3D_INPUT_RANGE, which libavfilter does not read; write it as DOMAIN_MIN and DOMAIN_MAX after LUT_3D_SIZE"
      )
    default: if size != nil { fail("not three numbers; \(Self.remedy)") }
    }
  }

  private mutating func takeSize(_ values: [Double]) {
    guard size == nil else { return fail("a second LUT_3D_SIZE; \(Self.remedy)") }
    guard let value = values.first, let side = Int(exactly: value), Self.sizes.contains(side) else {
      let said = values.first.map { $0.text(decimals: 3) } ?? "nothing"
      return fail(
        "LUT_3D_SIZE \(said); it must be from \(Self.sizes.lowerBound) to \(Self.sizes.upperBound)")
    }
    size = side
  }

  private mutating func fail(_ reason: String) { fault = "line \(number): \(reason)" }

  /// What is wrong with the file as a whole.
  private var lack: String? {
    guard let size else {
      return curveLine == nil
        ? "there is no LUT_3D_SIZE; name a .cube file with a three-dimensional table"
        : "a one-dimensional table; only three-dimensional ones are supported (LUT_3D_SIZE)"
    }
    let all = size * size * size
    if let curveLine {
      return
        "line \(curveLine): LUT_1D_SIZE beside LUT_3D_SIZE, which libavfilter takes for one table; export the "
        + "three-dimensional one alone"
    }
    guard count != all else { return nil }
    let lines = count == 1 ? "1 line" : "\(count) lines"
    return "\(lines) of numbers, but LUT_3D_SIZE \(size) needs \(all); "
      + (count < all ? "the file is cut short: copy it again, or \(Self.remedy)" : Self.remedy)
  }

  /// True for a line that begins with three numbers.
  private static func isOfThreeNumbers(_ line: UnsafeMutablePointer<CChar>) -> Bool {
    var place = line
    for _ in 0..<3 {
      var end: UnsafeMutablePointer<CChar>?
      _ = strtof(place, &end)
      guard let end, end != place else { return false }
      place = end
    }
    return true
  }
}
