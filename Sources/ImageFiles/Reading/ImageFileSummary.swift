import DNG
import MediaCore
import TIFF

/// What a photographer looks for in a JPEG, HEIC or AVIF file, read without decoding pixels.
public struct ImageFileSummary: Sendable, Hashable, Codable {
  /// The file's kind.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// JPEG.
    case jpeg = "JPEG"
    /// HEVC in a HEIF file.
    case heic = "HEIC"
    /// AV1 in a HEIF file.
    case avif = "AVIF"
    /// A HEIF file with another codec.
    case heif = "HEIF"
  }

  /// The form of a gain map, by its origin.
  public enum GainMapForm: String, Sendable, Hashable, CaseIterable, Codable {
    /// ISO 21496-1.
    case iso = "ISO 21496-1"
    /// Adobe's and Android's, in XMP.
    case xmp = "XMP"
    /// Apple's auxiliary image.
    case apple = "Apple"
  }

  /// The file's kind.
  public var kind: Kind
  /// Width in pixels, as stored.
  public var width: Int
  /// Height in pixels, as stored.
  public var height: Int
  /// The EXIF orientation, taken from a HEIF file's transforms or else from EXIF; 1 if not stated.
  public var orientation: Int
  /// Bits per sample.
  public var bitDepth: Int
  /// Samples per pixel, without alpha.
  public var components: Int
  /// Chroma subsampling: `4:4:4`, `4:2:2` or `4:2:0`; nil for gray images and if the file does not state it.
  public var chroma: String?
  /// The name of the ICC profile; nil if there is none.
  public var profile: String?
  /// Code points of primaries, transfer function and matrix (ITU-T H.273), such as `1-13-6`; nil if there are none.
  public var colors: String?
  /// True if the code points state full range; nil if there are none.
  public var isFullRange: Bool?
  /// EXIF's color space: 1 for sRGB, 65535 for any other; nil if not stated.
  public var colorSpace: Int?
  /// The form of the gain map; nil if there is none.
  public var gainMap: GainMapForm?
  public var hasEXIF = false
  public var hasXMP = false
  /// False for a JPEG file that ends before its image does, or before the one that follows; nil for other kinds.
  public var isWhole: Bool?
  /// The file's size in bytes.
  public var byteCount: Int
  /// The camera.
  public var camera: String?
  /// The maker of the camera.
  public var make: String?
  /// The lens.
  public var lens: String?
  /// The program that wrote the file.
  public var software: String?
  /// The time of exposure, in EXIF's notation.
  public var date: String?
  /// Exposure time in seconds.
  public var exposureTime: Double?
  /// The ISO speed.
  public var isoSpeed: Double?
  /// The lens's f-number.
  public var fNumber: Double?
  /// Focal length in millimetres.
  public var focalLength: Double?
  /// Exposure bias in EV, such as within a bracket.
  public var exposureBias: Double?

  init(kind: Kind, width: Int, height: Int, bitDepth: Int, components: Int, byteCount: Int) {
    self.kind = kind
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.components = components
    self.byteCount = byteCount
    orientation = 1
  }

  /// True if the first bytes of a file are those of JPEG or HEIF.
  public static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xD8, 0xFF])
      || bytes.count >= 12 && bytes[4..<8].elementsEqual("ftyp".utf8)
  }

  /// Reads a file.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile`` for a damaged file, or one that is neither JPEG nor HEIF.
  public init(_ bytes: [UInt8]) throws(ImageFileError) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = try JPEGReader.summary(bytes)
    } else if Self.recognizes(bytes) {
      self = try HEIFReader.summary(bytes)
    } else {
      throw .invalidFile("it is neither JPEG nor HEIF")
    }
  }

  /// Takes over EXIF; damaged EXIF is ignored.
  mutating func take(exif bytes: [UInt8]) {
    guard let root = (try? TIFFDirectory.all(in: bytes))?.first else { return }
    hasEXIF = true
    let exif = root.linked[.exifIFD] ?? TIFFDirectory()
    func number(_ tag: TIFFTag) -> Double? { exif[tag]?.firstNumber }
    camera = root.entries[.model]?.text
    make = root.entries[.make]?.text
    software = root.entries[.software]?.text
    lens = exif.entries[.lensModel]?.text
    date = exif.entries[.dateTimeOriginal]?.text ?? root.entries[.dateTime]?.text
    exposureTime = number(.exposureTime)
    isoSpeed = number(.isoSpeed)
    // 65535 is the greatest 16-bit value: the true speed may be higher.
    if isoSpeed == 65_535 { isoSpeed = number(.recommendedExposureIndex) ?? isoSpeed }
    fNumber = number(.fNumber)
    focalLength = number(.focalLength)
    exposureBias = number(.exposureBias)
    colorSpace = exif.integer(.colorSpace)
    if let turn = root.integer(.orientation), (1...8).contains(turn) { orientation = turn }
  }

  /// Takes over an ICC profile.
  mutating func take(profile bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    profile = ICCProfile.name(of: bytes) ?? "unnamed"
  }
}

extension ImageFileError {
  /// An error for a file that cannot be read.
  static func invalidFile(_ reason: String) -> ImageFileError {
    ImageFileError(.invalidFile, "the image cannot be read: \(reason)")
  }
}
