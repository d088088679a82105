/// The kind of a file according to its first bytes, whatever its name.
enum ContentKind: Sendable, Hashable {
  /// An image, with a short name for its format.
  case image(String)
  /// Sensor data in a camera maker's format.
  case rawImage(String)
  /// TIFF: an image, or RAW data in a TIFF container; its tags tell which.
  case tiff
  /// Anything else: a movie, audio, or neither.
  case other

  private static let signatures: [([UInt8], ContentKind)] = [
    ([0xFF, 0xD8, 0xFF], .image("jpeg")),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .image("png")),
    ([0x49, 0x49, 0x2A, 0x00], .tiff),
    ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
    ([0x49, 0x49, 0x2B, 0x00], .tiff),
    ([0x4D, 0x4D, 0x00, 0x2B], .tiff),
    ([0xFF, 0x0A], .image("jxl")),
    ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20], .image("jxl")),
    ([UInt8]("FUJIFILMCCD-RAW".utf8), .rawImage("raf")),
    ([UInt8]("IIRO".utf8), .rawImage("orf")),
    ([0x49, 0x49, 0x55, 0x00], .rawImage("rw2")),
  ]
  private static let heifBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "mif1", "msf1", "avif", "avis", "hevc", "hevx",
  ]

  /// The kind of a file that begins with these bytes; 16 suffice.
  init(_ bytes: [UInt8]) {
    if let known = Self.signatures.first(where: { bytes.starts(with: $0.0) }) {
      self = known.1
      return
    }
    let brand = bytes.count >= 12 ? String(decoding: bytes[8..<12], as: UTF8.self) : ""
    let isFileType = bytes.count >= 12 && bytes[4..<8].elementsEqual("ftyp".utf8)
    if isFileType, brand == "crx " {
      self = .rawImage("cr3")
    } else if isFileType, Self.heifBrands.contains(brand) {
      self = .image("heif")
    } else if bytes.starts(with: "RIFF".utf8), brand == "WEBP" {
      self = .image("webp")
    } else {
      self = .other
    }
  }
}
