import DNG
import MediaCore
import TIFF

/// What a photographer looks for in a JPEG, HEIC or AVIF file. Its pixels are not decoded.
public struct PictureFileSummary: Sendable, Hashable, Codable {
  /// The file's kind.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// JPEG.
    case jpeg = "JPEG"
    /// HEVC in a HEIF file.
    case heic = "HEIC"
    /// AV1 in a HEIF file.
    case avif = "AVIF"
    /// A HEIF file of another codec.
    case heif = "HEIF"
  }

  /// A gain map, by who defined its form.
  public enum GainMapForm: String, Sendable, Hashable, CaseIterable, Codable {
    /// ISO 21496-1.
    case iso = "ISO 21496-1"
    /// Adobe's and Android's, in XMP.
    case xmp = "XMP"
    /// Apple's auxiliary picture.
    case apple = "Apple"
  }

  /// The file's kind.
  public var kind: Kind
  /// Pixels in a row, as the picture is stored.
  public var width: Int
  /// Rows, as the picture is stored.
  public var height: Int
  /// EXIF's number of the way in which the picture is to be turned, by what a HEIF file does to it, or else by EXIF; 1
  /// where nothing says.
  public var orientation: Int
  /// Bits of a sample.
  public var bitDepth: Int
  /// Samples of a pixel, without transparency.
  public var components: Int
  /// How colors are sampled: `4:4:4`, `4:2:2`, `4:2:0`; nil for gray pictures, and where the file does
  /// not say it.
  public var chroma: String?
  /// The name of the ICC profile; nil where there is none.
  public var profile: String?
  /// Code points of primaries, transfer function and matrix (ITU-T H.273): `1-13-6`; nil where there are
  /// none.
  public var colors: String?
  /// True where the code points are of full range; nil where there are none.
  public var isFullRange: Bool?
  /// EXIF's color space: 1 for sRGB, 65535 for any other; nil where nothing says.
  public var colorSpace: Int?
  /// The form of the gain map; nil where there is none.
  public var gainMap: GainMapForm?
  /// True where the file has EXIF.
  public var hasEXIF = false
  /// True where the file has XMP.
  public var hasXMP = false
  /// False for a JPEG file that ends before its picture, or the one behind it; nil for others.
  public var isWhole: Bool?
  /// Bytes of the file.
  public var byteCount: Int
  /// The camera.
  public var camera: String?
  /// The maker of the camera.
  public var make: String?
  /// The lens.
  public var lens: String?
  /// The program that wrote the file.
  public var software: String?
  /// When the photo was taken, as EXIF writes it.
  public var date: String?
  /// Seconds.
  public var exposureTime: Double?
  /// The sensitivity.
  public var isoSpeed: Double?
  /// The lens's f-number.
  public var fNumber: Double?
  /// Millimetres.
  public var focalLength: Double?
  /// The place in a bracket, EV.
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

  /// True where the first bytes of a file are those of JPEG or HEIF.
  public static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xD8, 0xFF])
      || bytes.count >= 12 && bytes[4..<8].elementsEqual("ftyp".utf8)
  }

  /// Reads a file.
  ///
  /// - Throws: ``PictureFileError/Code/invalidFile`` for what is damaged, or neither JPEG nor HEIF.
  public init(_ bytes: [UInt8]) throws(PictureFileError) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = try JPEGReader.summary(bytes)
    } else if Self.recognizes(bytes) {
      self = try HEIFReader.summary(bytes)
    } else {
      throw .invalidFile("it begins neither as JPEG nor as HEIF")
    }
  }

  /// Takes over what EXIF says; damaged EXIF says nothing.
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
    // 16 bits hold no more.
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

extension PictureFileError {
  /// A file that cannot be read.
  static func invalidFile(_ reason: String) -> PictureFileError {
    PictureFileError(.invalidFile, "the picture cannot be read: \(reason)")
  }
}
