public import MediaCore
import ProRes
import Synchronization

/// Appends bare frames with their times to a video input, and lends memory for them.
public final class AssetWriterInputPixelBufferAdaptor: Sendable {
  /// The input that is fed.
  public let assetWriterInput: AssetWriterInput
  /// The description of the pool's frames; nil for no pool.
  public let sourcePixelBufferAttributes: PixelBuffer.Description?
  private let pool = Mutex<PixelBufferPool?>(nil)

  /// An adaptor of a video input.
  public init(
    assetWriterInput: AssetWriterInput,
    sourcePixelBufferAttributes: PixelBuffer.Description? = nil
  ) {
    self.assetWriterInput = assetWriterInput
    self.sourcePixelBufferAttributes = sourcePixelBufferAttributes
  }

  /// Memory for frames of the attributes: as many as may wait for the encoder, and two to fill.
  /// It is allocated on first use; nil without attributes, and if they or the memory do not allow it.
  public var pixelBufferPool: PixelBufferPool? {
    guard let attributes = sourcePixelBufferAttributes,
      case .video(let settings, _) = assetWriterInput.settings
    else { return nil }
    let queue = VideoPreparation.Queue(
      settings, preferred: (settings.encoderThreads ?? Processors.count) + 1,
      rate: settings.frameRate ?? .fps25,
      frameByteCount: attributes.format.byteCount(
        width: attributes.width, height: attributes.height),
      frameBytes: ProResProfile(settings.codec)?.targetFrameBytes(
        width: settings.width, height: settings.height) ?? 0,
      isRealTime: assetWriterInput.expectsMediaDataInRealTime)
    return pool.withLock { pool in
      if pool == nil { pool = try? PixelBufferPool(attributes, capacity: queue.encoderDepth + 2) }
      return pool
    }
  }

  /// Appends a frame.
  ///
  /// - Throws: As ``AssetWriterInput/append(_:)``.
  public func append(
    _ pixelBuffer: PixelBuffer, withPresentationTime presentationTime: MediaTime
  ) throws(AssetWriterError) {
    try assetWriterInput.append(
      SampleBuffer(.video(pixelBuffer), presentationTimeStamp: presentationTime))
  }
}

extension AssetWriterInput {
  /// Appends frames to an input from tasks: waits where the input itself refuses.
  public struct PixelBufferReceiver: Sendable {
    let adaptor: AssetWriterInputPixelBufferAdaptor
    let samples: SampleBufferReceiver

    /// Memory for frames; see ``AssetWriterInputPixelBufferAdaptor/pixelBufferPool``.
    public var pixelBufferPool: PixelBufferPool? { adaptor.pixelBufferPool }

    /// Appends a frame, and waits for room first if there is none.
    ///
    /// - Throws: As ``AssetWriterInput/SampleBufferReceiver/append(_:)``.
    public func append(
      _ pixelBuffer: PixelBuffer, with presentationTime: MediaTime
    ) async throws(AssetWriterError) {
      try await samples.append(
        SampleBuffer(.video(pixelBuffer), presentationTimeStamp: presentationTime))
    }

    /// Appends a frame if there is room now. Never waits.
    ///
    /// - Returns: False where there is no room.
    /// - Throws: As ``AssetWriterInput/SampleBufferReceiver/appendImmediately(_:)``.
    public func appendImmediately(
      _ pixelBuffer: PixelBuffer, with presentationTime: MediaTime
    ) throws(AssetWriterError) -> Bool {
      try samples.appendImmediately(
        SampleBuffer(.video(pixelBuffer), presentationTimeStamp: presentationTime))
    }

    /// Says that nothing more comes.
    ///
    /// - Throws: As ``AssetWriterInput/markAsFinished()``.
    public func finish() throws(AssetWriterError) { try samples.finish() }
  }
}

extension AssetWriter {
  /// Adds a video input, if it was not added yet, and returns the receiver that feeds it with
  /// frames.
  ///
  /// - Throws: As ``inputReceiver(for:)``.
  public func inputPixelBufferReceiver(
    for input: AssetWriterInput, pixelBufferAttributes: PixelBuffer.Description? = nil
  ) throws(AssetWriterError) -> AssetWriterInput.PixelBufferReceiver {
    let samples = try inputReceiver(for: input)
    return AssetWriterInput.PixelBufferReceiver(
      adaptor: AssetWriterInputPixelBufferAdaptor(
        assetWriterInput: input, sourcePixelBufferAttributes: pixelBufferAttributes),
      samples: samples)
  }
}
