/// An image file format.
public enum ImageFileFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// Baseline JPEG, 8 bits.
  case jpeg
  /// JPEG with a gain map (ISO 21496-1), shown as HDR on displays that can do so.
  case gainMapJPEG = "jpeg-hdr"
  /// HEVC in a HEIF file, 8 or 10 bits.
  case heic
  /// AV1 in a HEIF file, 8, 10 or 12 bits.
  case avif
  /// JPEG XL: 8 or 16 bits, half floats or floats.
  case jpegXL = "jxl"
  /// TIFF: 8 or 16 bits, half floats or floats.
  case tiff
  /// PNG, 8 or 16 bits.
  case png
  /// OpenEXR, half floats of linear light.
  case openEXR = "exr"

  /// The usual file name extension, without the dot.
  public var fileExtension: String {
    switch self {
    case .jpeg, .gainMapJPEG: "jpg"
    case .heic, .avif, .jpegXL, .png, .openEXR: rawValue
    case .tiff: "tif"
    }
  }

  /// All file name extensions of the format, without the dot, the usual one first.
  package var fileExtensions: [String] {
    switch self {
    case .jpeg, .gainMapJPEG: ["jpg", "jpeg"]
    case .heic: ["heic", "heif", "hif"]
    case .tiff: ["tif", "tiff"]
    case .avif, .jpegXL, .png, .openEXR: [fileExtension]
    }
  }

  /// The bits per sample that the format supports, in ascending order; 16 stands for half floats and 32 for floats
  /// if the image has those.
  public var bitDepths: [Int] {
    switch self {
    case .jpeg, .gainMapJPEG: [8]
    case .heic: [8, 10]
    case .avif: [8, 10, 12]
    case .png: [8, 16]
    case .jpegXL, .tiff: [8, 16, 32]
    case .openEXR: [16]
    }
  }

  /// The greatest width or height in pixels; nil if the writer sets no limit.
  public var sideLimit: Int? {
    switch self {
    // libjpeg's own limit; the format allows 65,535.
    case .jpeg, .gainMapJPEG: 65_500
    case .avif: 65_536
    case .heic, .jpegXL, .tiff, .png, .openEXR: nil
    }
  }

  /// The dynamic ranges that the format supports.
  public var dynamicRanges: [ImageDynamicRange] {
    switch self {
    case .jpeg, .gainMapJPEG, .tiff, .openEXR: [.standard]
    case .heic, .avif, .jpegXL, .png: [.standard, .pq, .hlg]
    }
  }

  /// True if ``ImageFileSettings/quality`` affects the file.
  public var isLossy: Bool {
    switch self {
    case .jpeg, .gainMapJPEG, .heic, .avif, .jpegXL: true
    case .tiff, .png, .openEXR: false
    }
  }
}

/// How a file's values represent light.
public enum ImageDynamicRange: String, Sendable, Hashable, CaseIterable, Codable {
  /// As the image's color space defines.
  case standard
  /// BT.2100's perceptual quantizer (absolute luminance) with BT.2020's primaries; white is 203 nits (BT.2408).
  case pq
  /// BT.2100's hybrid log-gamma for a 1000-nit display, BT.2020's primaries; white is 203 nits.
  case hlg
}
