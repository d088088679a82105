package import RawDevelop

/// The map that turns a standard-range image into an HDR one.
package struct ImageGainMap: Sendable {
  /// The map's form, by its origin.
  package var form: ImageFileSummary.GainMapForm
  /// The decoded map: its values are gains as its form defines them, not colors.
  package var image: RenderedImage
  /// True if there is one value per pixel; the image then repeats it three times.
  package var isGray: Bool
  /// The map's XMP packet; nil if there is none.
  package var xmp: [UInt8]?
}

extension JPEGReader {
  /// The gain map that follows a file's image; nil if there is none.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile`` for a damaged map.
  static func gainMap(_ bytes: [UInt8]) throws(ImageFileError) -> ImageGainMap? {
    for range in images(in: bytes).dropFirst() {
      let file = Array(bytes[range])
      guard let form = try form(of: file) else { continue }
      let facts = try facts(file)
      let image = try decoded(file, facts).image
      return ImageGainMap(
        form: form, image: image, isGray: facts.colorModel == .gray, xmp: facts.xmp)
    }
    return nil
  }

  /// The form that a map's metadata declare; nil if the image is not a gain map.
  private static func form(
    of bytes: [UInt8]
  ) throws(ImageFileError) -> ImageFileSummary.GainMapForm? {
    var segments = Segments(bytes: bytes)
    var text = ""
    while let (marker, content) = try segments.next() {
      if marker == 0xE2, content.starts(with: JPEGSegments.gainMapName) { return .iso }
      if marker == 0xE1, content.starts(with: JPEGSegments.xmpName) {
        text += String(decoding: content.dropFirst(JPEGSegments.xmpName.count), as: UTF8.self)
      }
    }
    if text.contains("hdrgm:Version") { return .xmp }
    return text.lowercased().contains("hdrgainmap") ? .apple : nil
  }
}
