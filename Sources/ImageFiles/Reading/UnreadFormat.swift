/// File formats that are recognized by their first bytes but not read as images.
enum UnreadFormat {
  /// The format that begins with these bytes, as in "is a GIF file"; nil if it is not recognized.
  static func name(of bytes: [UInt8]) -> String? {
    if let name = marks.first(where: { bytes.starts(with: $0.mark) })?.name { return name }
    guard bytes.count >= 12 else { return nil }
    if bytes.starts(with: "RIFF".utf8) {
      return bytes[8..<12].elementsEqual("WEBP".utf8) ? "a WebP file" : "a RIFF file"
    }
    guard bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let brand = String(decoding: bytes[8..<12], as: UTF8.self)
    return brand == "crx "
      ? "a Canon RAW file (CR3)" : "a movie, or another file of the brand \(brand)"
  }

  private static let marks: [(mark: [UInt8], name: String)] =
    [
      ("GIF87a", "a GIF file"), ("GIF89a", "a GIF file"), ("BM", "a BMP file"),
      ("8BPS", "a Photoshop file"), ("%PDF-", "a PDF file"),
      ("FUJIFILMCCD-RAW", "a Fujifilm RAW file"),
      ("#?RADIANCE", "a Radiance HDR file"), ("DDS ", "a DDS file"), ("qoif", "a QOI file"),
      ("icns", "an icon file"), ("SDPX", "a DPX file"), ("XPDS", "a DPX file"),
      ("gimp xcf", "a GIMP file"), ("<svg", "an SVG file"), ("<?xml", "an XML file, perhaps SVG"),
    ].map { (Array($0.0.utf8), $0.1) } + [
      ([0x76, 0x2F, 0x31, 0x01], "an OpenEXR file"),
      ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], "a JPEG 2000 file"),
      ([0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 codestream"), ([0, 0, 1, 0], "an icon file"),
      ([0x1A, 0x45, 0xDF, 0xA3], "a Matroska file"), ([0x50, 0x4B, 3, 4], "a ZIP archive"),
    ]
}
