import AssetReader
import AssetWriter
import MediaCore

/// The frames on which encoders are compared, in a planar layout that all of them read.
struct BenchmarkFrames {
  /// The source of the frames.
  enum Source: Sendable {
    /// Generated, of any size.
    case generated
    /// From a movie, Y4M or raw file, in its own size.
    case file(AssetLocation)
  }

  /// Different frames, which are encoded in turn, repeatedly.
  let frames: [PixelBuffer]

  /// Generates 10-bit frames: 4:2:2, or 4:4:4 for a 4:4:4 codec.
  init(_ size: VideoDimensions, isFullChroma: Bool, count: Int) throws(MediaCoreError) {
    frames = try BusyFrames.make(
      PixelBuffer.Description(
        format: isFullChroma ? .yuv444p10 : .yuv422p10, width: size.width, height: size.height,
        color: .bt709), count: count)
  }

  /// Reads the first frames of a file.
  ///
  /// - Throws: `AssetReaderError`, or `MediaCoreError.Code.unsupportedConversion` for impossible
  ///   conversions such as 4:2:0 to 4:4:4.
  init(_ location: AssetLocation, isFullChroma: Bool, count: Int) throws {
    let reader = try AssetReader(location)
    guard let track = reader.videoTrack else {
      throw AssetReaderError(.noSuchTrack, "\(location.displayName) contains no video")
    }
    try reader.select([track.id])
    var frames: [PixelBuffer] = []
    while frames.count < count, let sample = try reader.nextSample() {
      guard let frame = sample.sampleBuffer.imageBuffer else { continue }
      frames.append(try Self.planar(frame, isFullChroma: isFullChroma))
    }
    guard !frames.isEmpty else {
      throw AssetReaderError(.truncated, "\(location.displayName) contains no complete frame")
    }
    self.frames = frames
  }

  private static func planar(
    _ frame: PixelBuffer, isFullChroma: Bool
  ) throws(MediaCoreError) -> PixelBuffer {
    var details = frame.details
    details.format = isFullChroma ? .yuv444p10 : .yuv422p10
    details.fieldOrder = .progressive
    var source = frame.details
    source.fieldOrder = .progressive
    let planes = (0..<frame.planeCount).map(frame.plane)
    return try FrameUnpacker(from: source, to: details.format).unpacked(
      PixelBuffer(source, planes: planes, release: { withExtendedLifetime(frame) {} }))
  }
}
