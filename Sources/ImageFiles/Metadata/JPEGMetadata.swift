import DNG
import MediaCore
import TIFF

/// Changes a JPEG file's metadata and leaves its pixels alone.
package enum JPEGMetadata {
  /// The file with another XMP packet or another orientation.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - xmp: The new packet; nil to keep the file's packet, empty to remove it.
  ///   - orientation: The new EXIF orientation; nil to keep the file's.
  /// - Throws: ``ImageFileError/Code/invalidFile`` for a damaged file; ``ImageFileError/Code/unsupported`` for
  ///   a file of several images, whose offsets would become wrong, and for a packet longer than 64 KiB.
  package static func changed(
    _ bytes: [UInt8], xmp: String?, orientation: Int?
  ) throws(ImageFileError) -> [UInt8] {
    guard JPEGReader.images(in: bytes).count < 2 else {
      throw ImageFileError(
        .unsupported, "the file has several images: its metadata cannot be changed in place")
    }
    var segments = JPEGReader.Segments(bytes: bytes)
    var (head, rest) = ([UInt8](), [UInt8]())
    var hasEXIF = false
    while let (marker, content) = try segments.next() {
      var kept = Array(content)
      if marker == 0xE1, content.starts(with: "Exif\0\0".utf8), !hasEXIF {
        hasEXIF = true
        if let orientation { kept = try turned(kept, orientation) }
        head += JPEGSegments.segment(marker, kept) ?? []
      } else if marker == 0xE0, rest.isEmpty {
        head += JPEGSegments.segment(marker, kept) ?? []
      } else if xmp == nil || marker != 0xE1 || !content.starts(with: JPEGSegments.xmpName) {
        rest += JPEGSegments.segment(marker, kept) ?? []
      }
    }
    if !hasEXIF, let orientation {
      var root = TIFFDirectory()
      root[.orientation] = .short(orientation)
      let exif = try? TIFFWriter.serialize(root)
      head += exif.flatMap(JPEGSegments.exif) ?? []
    }
    if let xmp, !xmp.isEmpty {
      guard let segment = JPEGSegments.xmp(XMPPacket.whole(xmp)) else {
        throw ImageFileError(.unsupported, "the XMP packet is longer than a JPEG segment can be")
      }
      head += segment
    }
    return [0xFF, 0xD8] + head + rest + bytes[segments.place...]
  }

  /// An EXIF segment with another orientation in its first directory.
  ///
  /// - Throws: ``ImageFileError/Code/unsupported`` if it has no orientation yet, because there is no room to add
  ///   one.
  private static func turned(
    _ content: [UInt8], _ orientation: Int
  ) throws(ImageFileError) -> [UInt8] {
    let exif = Array(content.dropFirst(6))
    let isLittle = exif.first == 0x49
    let numbers = ByteNumbers(exif, isLittleEndian: isLittle)
    let start = Int(numbers.unsigned(4, size: 4))
    for index in 0..<Int(numbers.unsigned(start, size: 2)) {
      let place = start + 2 + 12 * index
      guard place + 12 <= exif.count else { break }
      guard numbers.unsigned(place, size: 2) == UInt64(TIFFTag.orientation.rawValue),
        numbers.unsigned(place + 2, size: 2) == 3
      else { continue }
      var changed = content
      changed[6 + place + 8] = isLittle ? UInt8(orientation) : 0
      changed[6 + place + 9] = isLittle ? 0 : UInt8(orientation)
      return changed
    }
    throw ImageFileError(.unsupported, "EXIF states no orientation that could be changed")
  }
}
