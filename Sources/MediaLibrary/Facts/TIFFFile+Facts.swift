import TIFF

/// The values that the library needs; invalid ones are ignored.
extension TIFFFile.Directory {
  /// The maximum size of a value in bytes; no value that the library needs is larger.
  private static var byteLimit: Int { 1 << 16 }

  /// The size of the image; zero if the directory has none.
  var size: (width: Int, height: Int) {
    guard let width = numbers(.imageWidth).first, let height = numbers(.imageLength).first,
      (1...1 << 24).contains(width), (1...1 << 24).contains(height)
    else { return (0, 0) }
    return (width, height)
  }

  /// The unsigned integers of a tag.
  func numbers(_ tag: TIFFTag) -> [Int] {
    (try? value(tag, byteLimit: Self.byteLimit))?.integers ?? []
  }

  /// The fractions of a tag; none if any has a zero denominator.
  func rationals(_ tag: TIFFTag) -> [Double] {
    guard case .rationals(let fractions)? = try? value(tag, byteLimit: Self.byteLimit),
      fractions.allSatisfy({ $0.denominator != 0 })
    else { return [] }
    return fractions.map(\.value)
  }

  /// The text of a tag, without trailing spaces; nil if there is none.
  func text(_ tag: TIFFTag) -> String? {
    guard let text = (try? value(tag, byteLimit: Self.byteLimit))?.text, !text.isEmpty else {
      return nil
    }
    let beginning = text.prefix(256)
    return String(beginning.dropLast(beginning.reversed().prefix { $0 == " " }.count))
  }
}
