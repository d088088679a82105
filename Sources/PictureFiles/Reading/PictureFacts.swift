package import TIFF

/// What a picture file says of one of its pictures. No pixel is decoded for it.
package struct PictureFacts: Sendable {
  /// What a pixel's samples are.
  package enum ColorModel: String, Sendable, Hashable {
    case gray = "Gray"
    case rgb = "RGB"
    case cmyk = "CMYK"
  }

  /// The header by which a JPEG file says of what kind it is.
  package struct JFIF: Sendable, Hashable {
    /// 1 and 2 for version 1.02.
    package var version: [Int]
    /// 0 for a ratio of sides, 1 for pixels an inch, 2 for pixels a centimetre.
    package var densityUnit: Int
    /// Across and down.
    package var density: [Int]
  }

  /// Pixels in a row, as the picture is stored.
  package var width: Int
  /// Rows, as the picture is stored.
  package var height: Int
  /// EXIF's number of the way in which the picture is to be turned; 1 where nothing says.
  package var orientation = 1
  /// Bits of a sample.
  package var bitDepth: Int
  /// True for samples that are floats.
  package var isFloat = false
  /// True for pixels that are numbers of colors in a table.
  package var isIndexed = false
  /// True where pixels may be transparent.
  package var hasAlpha = false
  /// What a pixel's samples are.
  package var colorModel = ColorModel.rgb
  /// Pixels an inch, across and down; nil where nothing says.
  package var resolution: SIMD2<Double>?
  /// The ICC profile; nil where there is none.
  package var profile: [UInt8]?
  /// Primaries, transfer function and matrix by ITU-T H.273; nil where there are none.
  package var codePoints: [Int]?
  /// EXIF as a TIFF file without pixels, or the TIFF file itself; nil where there is none.
  package var exif: [UInt8]?
  /// The directory of EXIF, or of the picture in a TIFF file; nil where there is none that can be read.
  package var directory: TIFFDirectory?
  /// The XMP packet; nil where there is none.
  package var xmp: [UInt8]?
  /// Of a JPEG file; nil where it has no such header.
  package var jfif: JFIF?
  /// True for a JPEG picture in several scans, a PNG one in several passes.
  package var isProgressive = false
  /// The exponent that a PNG file says its numbers were made with; nil where there is none.
  package var gamma: Double?
  /// Texts of a PNG file by their keywords.
  package var texts: [String: String] = [:]
  /// False for a JPEG file that ends before its picture; nil where it is not known.
  package var isWhole: Bool?
  /// What the file has and is not read, or was guessed, a line each.
  package var notes: [String] = []

  init(width: Int, height: Int, bitDepth: Int) {
    (self.width, self.height, self.bitDepth) = (width, height, bitDepth)
  }

  /// What the profile calls itself; nil where there is none.
  package var profileName: String? {
    profile.map { ICCProfile.name(of: $0) ?? "unnamed" }
  }

  /// Takes over EXIF; damaged EXIF is noted.
  mutating func take(exif block: [UInt8]) {
    // Some files have JPEG's name of the block before it.
    let bytes = block.starts(with: "Exif\0\0".utf8) ? Array(block.dropFirst(6)) : block
    guard let root = (try? TIFFDirectory.all(in: bytes))?.first else {
      notes.append("EXIF is damaged, and left out")
      return
    }
    exif = bytes
    directory = root
    if let turn = root.integer(.orientation), (1...8).contains(turn) { orientation = turn }
    if resolution == nil { resolution = Self.resolution(of: root) }
  }

  /// What a directory says of pixels an inch; nil where it tells a ratio of sides alone, or nothing.
  static func resolution(of directory: TIFFDirectory) -> SIMD2<Double>? {
    guard let across = directory[.xResolution]?.firstNumber,
      let down = directory[.yResolution]?.firstNumber, across > 0, down > 0
    else { return nil }
    return switch directory.integer(.resolutionUnit) ?? 2 {
    case 2: SIMD2(across, down)
    case 3: SIMD2(across, down) * 2.54
    default: nil
    }
  }
}
