package import RawDevelop

/// What makes a picture of high dynamic range of another one.
package struct PictureGainMap: Sendable {
  /// Who defined its form.
  package var form: PictureFileSummary.GainMapForm
  /// The map, decoded: its numbers are what its form says, and no colors.
  package var picture: RenderedPicture
  /// True for one number a pixel, which the picture has three times.
  package var isGray: Bool
  /// The XMP packet that belongs to it; nil where there is none.
  package var xmp: [UInt8]?
}

extension JPEGReader {
  /// The gain map that lies right behind a file's picture; nil where there is none.
  ///
  /// - Throws: ``PictureFileError/Code/invalidFile`` for one that is damaged.
  static func gainMap(_ bytes: [UInt8]) throws(PictureFileError) -> PictureGainMap? {
    for range in pictures(in: bytes).dropFirst() {
      let file = Array(bytes[range])
      guard let form = try form(of: file) else { continue }
      let facts = try facts(file)
      let picture = try decoded(file, facts).picture
      return PictureGainMap(
        form: form, picture: picture, isGray: facts.colorModel == .gray, xmp: facts.xmp)
    }
    return nil
  }

  /// How a map says of itself that it is one; nil for another picture.
  private static func form(
    of bytes: [UInt8]
  ) throws(PictureFileError) -> PictureFileSummary.GainMapForm? {
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
