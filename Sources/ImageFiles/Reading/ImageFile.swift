import MediaCore
import TIFF

/// An image file of any supported kind.
package struct ImageFile: Sendable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case heic
    case heif
    case avif
    case png
    case tiff
    case jpegXL = "jxl"
  }

  package let kind: Kind
  /// The file's contents.
  package let bytes: [UInt8]
  /// Facts about its images, of which there is at least one.
  package let images: [ImageFacts]
  /// The index of the primary image.
  package let primary: Int

  /// The kind of file that begins with these bytes; nil if it is unsupported.
  package static func kind(of bytes: [UInt8]) -> Kind? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: PNGReader.mark) { return .png }
    if bytes.starts(with: JPEGXLReader.codestream) || bytes.starts(with: JPEGXLReader.container) {
      return .jpegXL
    }
    if [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]
      .contains(where: { bytes.starts(with: $0 as [UInt8]) })
    {
      return .tiff
    }
    guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let brands = HEIFReader.brands(bytes)
    // Movies begin the same way.
    guard
      brands.contains(where: {
        ["mif1", "msf1", "avif", "avis", "tmap"].contains($0) || $0.hasPrefix("hei")
      })
    else { return nil }
    return switch HEIFReader.kind(bytes) {
    case .avif: .avif
    case .heic: .heic
    case .heif, .jpeg: .heif
    }
  }

  /// Reads the facts about a file's images.
  ///
  /// - Throws: ``ImageFileError/Code/unsupported`` for an unsupported kind of file,
  ///   ``ImageFileError/Code/invalidFile`` for a damaged one.
  package init(_ bytes: [UInt8]) throws(ImageFileError) {
    guard let kind = Self.kind(of: bytes) else {
      let name = UnreadFormat.name(of: bytes).map { "it is \($0)" }
      throw ImageFileError(
        .unsupported,
        "the image cannot be read: \(name ?? "its format is unknown"); supported are JPEG, HEIC, "
          + "AVIF, PNG, TIFF, JPEG XL and DNG")
    }
    (self.kind, self.bytes) = (kind, bytes)
    switch kind {
    case .jpeg: (images, primary) = ([try JPEGReader.facts(bytes)], 0)
    case .png: (images, primary) = ([try PNGReader(bytes).facts], 0)
    case .jpegXL: (images, primary) = ([try JPEGXLReader.facts(bytes)], 0)
    case .avif: (images, primary) = ([try AVIFReader.facts(bytes)], 0)
    case .heic, .heif: (images, primary) = try HEIFReader.facts(bytes)
    case .tiff:
      let reader = try TIFFImageReader(bytes)
      var all: [ImageFacts] = []
      for directory in reader.directories { all.append(try reader.facts(directory)) }
      (images, primary) = (all, 0)
    }
  }

  /// Decodes an image, not turned.
  ///
  /// - Parameters:
  ///   - index: The index in ``images``.
  ///   - side: The least acceptable length of the longer side, if a smaller image is faster to decode; nil for
  ///     full size.
  /// - Throws: ``ImageFileError/Code/invalidFile``; ``ImageFileError/Code/unsupported`` for an unsupported
  ///   form, and if a library has no decoder for it.
  package func decoded(
    at index: Int, side: Int? = nil
  ) throws(ImageFileError) -> DecodedImage {
    switch kind {
    case .jpeg: try JPEGReader.decoded(bytes, images[index], side: side)
    case .png: try PNGDecoder(PNGReader(bytes), bytes).decoded()
    case .jpegXL: try JPEGXLReader.decoded(bytes)
    case .avif: try AVIFReader.decoded(bytes)
    case .heic, .heif: try HEIFReader.decoded(bytes, at: index)
    case .tiff:
      try TIFFImageReader(bytes).image(at: index)
    }
  }

  /// The thumbnail of an image, from EXIF or HEIF; nil if there is none.
  ///
  /// - Throws: As ``decoded(at:side:)``.
  package func thumbnail(at index: Int) throws(ImageFileError) -> DecodedImage? {
    if kind == .heic || kind == .heif,
      let thumbnail = try HEIFReader.thumbnail(bytes, at: index)
    {
      return thumbnail
    }
    guard kind != .tiff, let file = images[index].exifThumbnail else { return nil }
    return try JPEGReader.decoded(file, try JPEGReader.facts(file))
  }

  /// The gain map that follows a JPEG file's image; nil if there is none, and for other kinds of file.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile`` for a damaged map.
  package func gainMap() throws(ImageFileError) -> ImageGainMap? {
    kind == .jpeg ? try JPEGReader.gainMap(bytes) : nil
  }
}

extension TIFFImageReader {
  fileprivate func image(at index: Int) throws(ImageFileError) -> DecodedImage {
    try decoded(directories[index])
  }
}

extension ImageFacts {
  /// The JPEG file in EXIF's second directory; nil if there is none.
  fileprivate var exifThumbnail: [UInt8]? {
    guard let exif, let file = try? TIFFFile(exif), let first = try? file.firstDirectory(),
      let place = first.nextOffset, let second = try? file.directory(at: place),
      let offset = try? second.value(TIFFTag(rawValue: 513), byteLimit: 8)?.integers.first,
      let length = try? second.value(TIFFTag(rawValue: 514), byteLimit: 8)?.integers.first,
      offset >= 0, length > 0, offset <= exif.count, length <= exif.count - offset
    else { return nil }
    let bytes = Array(exif[offset..<offset + length])
    return bytes.starts(with: [0xFF, 0xD8]) ? bytes : nil
  }
}
