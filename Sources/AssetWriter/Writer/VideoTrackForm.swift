import MediaCore
import ProRes

/// What all frames of a track have in common.
struct VideoTrackForm: Hashable, Sendable {
  /// The layout that frames are unpacked to on their way; one that cannot be is refused.
  var planarFormat: PixelFormat
  /// The rate that the encoder is told; nil for none.
  var frameRate: FrameRate?
  var color: ColorDescription
  var fieldOrder: FieldOrder
  var pixelAspectRatio: PixelAspectRatio
  var hasAlpha = false
  /// Bytes of a frame at the codec's target rate; 0 where it has none.
  var targetFrameBytes = 0
  /// Bytes of a frame that waits to be written.
  var waitingFrameBytes: Int
  /// Frames a second to expect.
  var pace: FrameRate

  /// The form of ProRes frames.
  init(_ configuration: VideoEncoderConfiguration, pace: FrameRate = .fps25) {
    planarFormat = configuration.planarFormat
    frameRate = configuration.frameRate
    color = configuration.color
    fieldOrder = configuration.fieldOrder
    pixelAspectRatio = configuration.pixelAspectRatio
    hasAlpha = configuration.hasAlpha
    targetFrameBytes = configuration.targetFrameBytes
    waitingFrameBytes = configuration.targetFrameBytes
    self.pace = pace
  }

  /// The form of frames that are compressed when they are written.
  init(
    planar layout: PlanarLayout, color: ColorDescription, pixelAspectRatio: PixelAspectRatio,
    frameRate: FrameRate?, pace: FrameRate
  ) {
    planarFormat = .yuv422p10
    self.frameRate = frameRate
    self.color = color
    fieldOrder = .progressive
    self.pixelAspectRatio = pixelAspectRatio
    waitingFrameBytes = layout.byteCount
    self.pace = pace
  }
}
