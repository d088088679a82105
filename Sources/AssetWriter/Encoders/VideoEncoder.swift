package import MediaCore
package import ProRes

/// What an encoder is asked for: everything that stays the same from frame to frame.
package struct VideoEncoderConfiguration: Hashable, Sendable {
  package var profile: ProResProfile
  /// The size of every frame.
  package var dimensions: VideoDimensions
  /// What goes into the frame header as rate; nil for none.
  package var frameRate: FrameRate?
  /// What goes into the frame header as color.
  package var color: ColorDescription
  /// Progressive, or the order of the two fields.
  package var fieldOrder: FieldOrder
  /// The pixels' shape, from which the header's aspect follows.
  package var pixelAspectRatio: PixelAspectRatio
  /// Bits of the source's alpha in the frame; none where it is left out.
  package var alpha: FrameHeader.AlphaChannelType
  /// Frames from one that is encoded as a first one to the next such; nil for none but the first.
  package var restartInterval: Int?
  /// Threads to encode with, at least 1.
  package var threadCount: Int
  /// What is asked of the system for these threads.
  package var threadOptions: ThreadOptions

  /// A configuration from its parts.
  package init(
    profile: ProResProfile, dimensions: VideoDimensions, frameRate: FrameRate?,
    color: ColorDescription, fieldOrder: FieldOrder = .progressive,
    pixelAspectRatio: PixelAspectRatio = .square, alpha: FrameHeader.AlphaChannelType = .none,
    threadCount: Int, threadOptions: ThreadOptions = .ordinary
  ) {
    self.profile = profile
    self.dimensions = dimensions
    self.frameRate = frameRate
    self.color = color
    self.fieldOrder = fieldOrder
    self.pixelAspectRatio = pixelAspectRatio
    self.alpha = alpha
    self.threadCount = max(threadCount, 1)
    self.threadOptions = threadOptions
  }

  /// True where the source's alpha is encoded.
  package var hasAlpha: Bool { alpha != .none }

  /// Bytes of a frame at Apple's target rate.
  package var targetFrameBytes: Int {
    profile.targetFrameBytes(width: dimensions.width, height: dimensions.height)
  }

  /// The aspect that the frame header declares (RDD 36, table 3).
  package var headerAspect: FrameHeader.AspectRatio {
    if pixelAspectRatio == .square { return .squarePixels }
    let width = Double(dimensions.width) * Double(pixelAspectRatio.horizontal)
    let shape = width / (Double(dimensions.height) * Double(pixelAspectRatio.vertical))
    // Standard definition's ratios are conventions: 720 and 704 pixels are both called 4:3.
    if (shape / (4.0 / 3) - 1).magnitude < 0.04 { return .fourByThree }
    if (shape / (16.0 / 9) - 1).magnitude < 0.04 { return .sixteenByNine }
    return .unspecified
  }
}

/// An encoder with threads of its own: frames go in, encoded frames come out in the same order.
///
/// The caller bounds the frames in flight; the encoder holds no more than it was given.
package protocol VideoEncoder: AnyObject, Sendable {
  /// The name for reports: `libavcodec prores_ks`.
  var name: String { get }

  /// Frames in flight below which some of the encoder's threads are idle.
  var preferredDepth: Int { get }

  /// How the system schedules the encoder's threads, as far as they have begun.
  var threadScheduling: [ThreadScheduling] { get }

  /// Starts the threads.
  ///
  /// - Parameter deliver: Called once for each frame, in the order of submission, never twice at
  ///   the same time, on one of the encoder's threads. After a failure it is not called again.
  func start(
    _ deliver: @escaping @Sendable (Result<EncodedFrame, AssetWriterError>) -> Void
  ) throws(AssetWriterError)

  /// Submits a frame. Never blocks.
  ///
  /// - Parameters:
  ///   - frame: In a layout that the encoder reads.
  ///   - index: 0 for the first frame, then one more each time.
  func submit(_ frame: PixelBuffer, index: Int64)

  /// Ends the threads once all that was submitted has been delivered; waits for them.
  func finish()

  /// Ends the threads without delivering what is in flight; waits for them.
  func cancel()
}

extension VideoEncoder {
  /// The scheduling of the encoder's own threads; empty if it starts none.
  package var threadScheduling: [ThreadScheduling] { [] }
}
