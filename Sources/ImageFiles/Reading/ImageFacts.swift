package import TIFF

/// Facts about one image in a file, read without decoding pixels.
package struct ImageFacts: Sendable {
  /// What a pixel's samples represent.
  package enum ColorModel: String, Sendable, Hashable {
    case gray = "Gray"
    case rgb = "RGB"
    case cmyk = "CMYK"
  }

  /// The JFIF header of a JPEG file.
  package struct JFIF: Sendable, Hashable {
    /// The version, such as 1 and 2 for 1.02.
    package var version: [Int]
    /// 0 for an aspect ratio, 1 for pixels per inch, 2 for pixels per centimetre.
    package var densityUnit: Int
    /// Horizontal and vertical.
    package var density: [Int]
  }

  /// Width in pixels, as stored.
  package var width: Int
  /// Height in pixels, as stored.
  package var height: Int
  /// The EXIF orientation; 1 if not stated.
  package var orientation = 1
  /// Bits per sample.
  package var bitDepth: Int
  /// True if samples are floats.
  package var isFloat = false
  /// True if pixels are indices into a palette.
  package var isIndexed = false
  /// True if pixels may be transparent.
  package var hasAlpha = false
  /// What a pixel's samples represent.
  package var colorModel = ColorModel.rgb
  /// Pixels per inch, horizontal and vertical; nil if not stated.
  package var resolution: SIMD2<Double>?
  /// The ICC profile; nil if there is none.
  package var profile: [UInt8]?
  /// Primaries, transfer function and matrix by ITU-T H.273; nil if not stated.
  package var codePoints: [Int]?
  /// EXIF as a TIFF file without pixels, or the TIFF file itself; nil if there is none.
  package var exif: [UInt8]?
  /// The EXIF directory, or the image's directory in a TIFF file; nil if there is none or it cannot be read.
  package var directory: TIFFDirectory?
  /// The XMP packet; nil if there is none.
  package var xmp: [UInt8]?
  /// The JFIF header; nil if there is none.
  package var jfif: JFIF?
  /// True for a JPEG image in several scans or an interlaced PNG image.
  package var isProgressive = false
  /// The encoding gamma in a PNG file; nil if not stated.
  package var gamma: Double?
  /// Texts of a PNG file by their keywords.
  package var texts: [String: String] = [:]
  /// False for a JPEG file that ends before its image does; nil if unknown.
  package var isWhole: Bool?
  /// Contents that were not read, and guesses, one line each.
  package var notes: [String] = []

  init(width: Int, height: Int, bitDepth: Int) {
    (self.width, self.height, self.bitDepth) = (width, height, bitDepth)
  }

  /// The profile's name; nil if there is no profile.
  package var profileName: String? {
    profile.map { ICCProfile.name(of: $0) ?? "unnamed" }
  }

  /// Takes over EXIF; damaged EXIF is noted.
  mutating func take(exif block: [UInt8]) {
    // In some files JPEG's name for the block precedes it.
    let bytes = block.starts(with: "Exif\0\0".utf8) ? Array(block.dropFirst(6)) : block
    guard let root = (try? TIFFDirectory.all(in: bytes))?.first else {
      notes.append("EXIF is damaged and ignored")
      return
    }
    exif = bytes
    directory = root
    if let turn = root.integer(.orientation), (1...8).contains(turn) { orientation = turn }
    if resolution == nil { resolution = Self.resolution(of: root) }
  }

  /// A directory's resolution in pixels per inch; nil if it states only an aspect ratio, or nothing.
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
