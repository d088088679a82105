import MediaCore
import RawDevelop

extension ImageJob {
  /// A JPEG file followed by a second one that is its gain map, with metadata in the form of ISO 21496-1 and in the
  /// older XMP form, and a Multi-Picture index (CIPA DC-007).
  mutating func writeGainMapJPEG() throws(ImageFileError) {
    let high = try highRangeImage()
    let map = GainMap(base: rows, high: high, reduction: settings.gainMapReduction)
    try checkCancellation()
    let pixels = rows.integers(0..<height, maximum: 255, as: UInt8.self)
    noteClipping(map.clipped)
    let base = try JPEGCompressor(
      width: width, quality: settings.percentage, fullChroma: settings.samplesChromaFully
    ).compress(pixels, height: height)
    try checkCancellation()
    let mapFile = try mapJPEG(map)
    let directory = GainMapMetadata.directoryXMP(mapLength: mapFile.count)
    var xmp = XMPPacket.adding(directory, to: content.xmp)
    if xmp.map({ $0.utf8.count + JPEGSegments.xmpName.count > JPEGSegments.limit }) ?? true {
      note(
        .metadataOmitted,
        "XMP has no rdf:RDF, or leaves no room in JPEG's 64 KiB, for the gain map's metadata: left out"
      )
      xmp = XMPPacket.wrap(directory)
    }
    var head = [0xFF, 0xD8] + (try jpegHead(xmp: xmp))
    head +=
      JPEGSegments.segment(0xE2, JPEGSegments.gainMapName + GainMapMetadata.versions) ?? []
    let body = JPEGSegments.body(base)
    head += MultiPictureIndex.segment(
      at: head.count, sizes: (head.count + MultiPictureIndex.length + body.count, mapFile.count))
    try output.append(head)
    try output.append(Array(body))
    try output.append(mapFile)
  }

  private func highRangeImage() throws(ImageFileError) -> RenderedImage {
    guard let high = content.highRange else {
      throw ImageFileError(
        .invalidArgument, "a gain map also needs the HDR image: provide one in linear light")
    }
    guard (high.width, high.height) == (width, height), high.isWhole, high.isFloat else {
      throw ImageFileError(
        .invalidArgument,
        "the HDR image must be floats of \(width)x\(height), not \(high.width)x\(high.height)")
    }
    guard [1, 2, 4].contains(settings.gainMapReduction) else {
      throw ImageFileError(
        .invalidArgument, "a gain map's reduction is 1, 2 or 4, not \(settings.gainMapReduction)")
    }
    return high
  }

  private func mapJPEG(_ map: GainMap) throws(ImageFileError) -> [UInt8] {
    // A byte step is a few hundredths of a stop, so compression artifacts would show as wrong brightness.
    let file = try JPEGCompressor(
      width: map.width, quality: max(settings.percentage, 90), fullChroma: true
    ).compress(map.pixels, height: map.height)
    let metadata = GainMapMetadata(map)
    let head =
      (JPEGSegments.xmp(metadata.mapXMP) ?? [])
      + (JPEGSegments.segment(0xE2, JPEGSegments.gainMapName + metadata.isoBytes) ?? [])
    return [0xFF, 0xD8] + head + JPEGSegments.body(file)
  }
}

/// The index of a file with several JPEG images (CIPA DC-007).
enum MultiPictureIndex {
  /// The length of the segment in bytes.
  static let length = 4 + 4 + 8 + 2 + 3 * 12 + 4 + 2 * 16

  /// The segment for a file of two images.
  ///
  /// - Parameters:
  ///   - place: The segment's offset in the file.
  ///   - sizes: The sizes of both images in bytes; the second follows the first.
  static func segment(at place: Int, sizes: (Int, Int)) -> [UInt8] {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: [UInt8]) -> [UInt8] {
      big(tag) + big(type) + big(count) + value
    }
    let start = place + 8
    var bytes = Array("MPF\0MM".utf8) + big(42 as UInt16) + big(8 as UInt32) + big(3 as UInt16)
    bytes += entry(0xB000, 7, 4, Array("0100".utf8))
    bytes += entry(0xB001, 4, 1, big(2 as UInt32))
    bytes += entry(0xB002, 7, 32, big(50 as UInt32))
    bytes += big(0 as UInt32)
    // The base image, then one of a type that the standard does not define.
    bytes +=
      big(0x0003_0000 as UInt32) + big(UInt32(clamping: sizes.0)) + [UInt8](repeating: 0, count: 8)
    bytes +=
      big(0 as UInt32) + big(UInt32(clamping: sizes.1)) + big(UInt32(clamping: sizes.0 - start))
      + [0, 0, 0, 0]
    return JPEGSegments.segment(0xE2, bytes) ?? []
  }

  private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
