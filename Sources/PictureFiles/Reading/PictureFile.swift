import MediaCore
import TIFF

/// A file of pictures, of any kind that is read here.
package struct PictureFile: Sendable {
  /// What kind of file it is.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case heic
    case heif
    case avif
    case png
    case tiff
    case jpegXL = "jxl"
  }

  /// What kind of file it is.
  package let kind: Kind
  /// The file.
  package let bytes: [UInt8]
  /// What it says of its pictures: one at least.
  package let pictures: [PictureFacts]
  /// The picture that stands for the file.
  package let primary: Int

  /// The kind that some first bytes are those of; nil for none that is read.
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
    // Movies begin alike.
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

  /// Reads what a file says of its pictures.
  ///
  /// - Throws: ``PictureFileError/Code/unsupported`` for a file of no kind that is read,
  ///   ``PictureFileError/Code/invalidFile`` for one that is damaged.
  package init(_ bytes: [UInt8]) throws(PictureFileError) {
    guard let kind = Self.kind(of: bytes) else {
      let name = UnreadFormat.name(of: bytes).map { "it is \($0)" }
      throw PictureFileError(
        .unsupported,
        "the picture is not read: \(name ?? "its format is not known"); what is read is JPEG, HEIC, "
          + "AVIF, PNG, TIFF, JPEG XL and DNG")
    }
    (self.kind, self.bytes) = (kind, bytes)
    switch kind {
    case .jpeg: (pictures, primary) = ([try JPEGReader.facts(bytes)], 0)
    case .png: (pictures, primary) = ([try PNGReader(bytes).facts], 0)
    case .jpegXL: (pictures, primary) = ([try JPEGXLReader.facts(bytes)], 0)
    case .avif: (pictures, primary) = ([try AVIFReader.facts(bytes)], 0)
    case .heic, .heif: (pictures, primary) = try HEIFReader.facts(bytes)
    case .tiff:
      let reader = try TIFFPictureReader(bytes)
      var all: [PictureFacts] = []
      for directory in reader.directories { all.append(try reader.facts(directory)) }
      (pictures, primary) = (all, 0)
    }
  }

  /// A picture decoded: not turned.
  ///
  /// - Parameters:
  ///   - index: Which of ``pictures``.
  ///   - side: The least that the longer side may have, where a smaller picture is made faster; nil for its own size.
  /// - Throws: ``PictureFileError/Code/invalidFile``; ``PictureFileError/Code/unsupported`` for a form that is not read, and
  ///   where a library has no decoder.
  package func decoded(
    at index: Int, side: Int? = nil
  ) throws(PictureFileError) -> DecodedPicture {
    switch kind {
    case .jpeg: try JPEGReader.decoded(bytes, pictures[index], side: side)
    case .png: try PNGDecoder(PNGReader(bytes), bytes).decoded()
    case .jpegXL: try JPEGXLReader.decoded(bytes)
    case .avif: try AVIFReader.decoded(bytes)
    case .heic, .heif: try HEIFReader.decoded(bytes, at: index)
    case .tiff:
      try TIFFPictureReader(bytes).picture(at: index)
    }
  }

  /// The small picture that the file has beside one: EXIF's, or a HEIF file's own. Nil where there is none.
  ///
  /// - Throws: As ``decoded(at:side:)``.
  package func thumbnail(at index: Int) throws(PictureFileError) -> DecodedPicture? {
    if kind == .heic || kind == .heif,
      let thumbnail = try HEIFReader.thumbnail(bytes, at: index)
    {
      return thumbnail
    }
    guard kind != .tiff, let file = pictures[index].exifThumbnail else { return nil }
    return try JPEGReader.decoded(file, try JPEGReader.facts(file))
  }

  /// The gain map behind a JPEG file's picture; nil where there is none, and for files of other kinds.
  ///
  /// - Throws: ``PictureFileError/Code/invalidFile`` for one that is damaged.
  package func gainMap() throws(PictureFileError) -> PictureGainMap? {
    kind == .jpeg ? try JPEGReader.gainMap(bytes) : nil
  }
}

extension TIFFPictureReader {
  fileprivate func picture(at index: Int) throws(PictureFileError) -> DecodedPicture {
    try decoded(directories[index])
  }
}

extension PictureFacts {
  /// The JPEG file of EXIF's second directory; nil where there is none.
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
