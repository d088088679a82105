import AssetReader
import AssetWriter
import MediaCore

/// The pictures that encoders are compared on, in the planar layout that each of them reads.
struct BenchmarkPictures {
  /// Where pictures come from.
  enum Source: Sendable {
    /// Made here, of any size.
    case generated
    /// A movie, Y4M or raw file, of its own size.
    case file(AssetLocation)
  }

  /// Pictures that differ, to be encoded one after another, over and over.
  let pictures: [PixelBuffer]

  /// Makes pictures: 10 bits, 4:2:2, or 4:4:4 for a codec of that.
  init(_ size: VideoDimensions, isFullChroma: Bool, count: Int) throws(MediaCoreError) {
    pictures = try BusyPictures.make(
      PixelBuffer.Description(
        format: isFullChroma ? .yuv444p10 : .yuv422p10, width: size.width, height: size.height,
        color: .bt709), count: count)
  }

  /// Reads the first pictures of a file.
  ///
  /// - Throws: `AssetReaderError`, or `MediaCoreError.Code.unsupportedConversion` for 4:2:0 as
  ///   4:4:4 and the like.
  init(_ location: AssetLocation, isFullChroma: Bool, count: Int) throws {
    let reader = try AssetReader(location)
    guard let track = reader.videoTrack else {
      throw AssetReaderError(.noSuchTrack, "\(location.displayName) contains no video")
    }
    try reader.select([track.id])
    var pictures: [PixelBuffer] = []
    while pictures.count < count, let sample = try reader.nextSample() {
      guard let picture = sample.sampleBuffer.imageBuffer else { continue }
      pictures.append(try Self.planar(picture, isFullChroma: isFullChroma))
    }
    guard !pictures.isEmpty else {
      throw AssetReaderError(.truncated, "\(location.displayName) contains no complete frame")
    }
    self.pictures = pictures
  }

  private static func planar(
    _ picture: PixelBuffer, isFullChroma: Bool
  ) throws(MediaCoreError) -> PixelBuffer {
    var details = picture.details
    details.format = isFullChroma ? .yuv444p10 : .yuv422p10
    details.fieldOrder = .progressive
    var source = picture.details
    source.fieldOrder = .progressive
    let planes = (0..<picture.planeCount).map(picture.plane)
    return try PictureUnpacker(from: source, to: details.format).unpacked(
      PixelBuffer(source, planes: planes, release: { withExtendedLifetime(picture) {} }))
  }
}
