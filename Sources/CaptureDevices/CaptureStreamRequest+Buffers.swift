package import MediaCore

extension CaptureStreamRequest {
  /// Fewest buffers that a device has unless told otherwise.
  public static let leastBufferCount = FrameBudget.minimumFrames
  /// Most of them: as many as V4L2 knows (`VIDEO_MAX_FRAME`).
  static let mostBufferCount = 32
  /// How long a machine may be held up without a loss, in seconds, where memory allows it.
  static let bufferedTime = 0.5

  /// The default number of a device's buffers: ``bufferedTime`` of video, limited by the memory
  /// for frames.
  ///
  /// - Parameters:
  ///   - format: The format to be delivered; nil if unknown.
  ///   - rate: Frames a second; nil if the device does not say.
  package static func bufferCount(for format: CaptureDevice.Format?, _ rate: FrameRate?) -> Int {
    guard let video = format?.video, let layout = video.pixelFormat else {
      return leastBufferCount
    }
    let bytes = layout.byteCount(width: video.dimensions.width, height: video.dimensions.height)
    let frames = bufferedTime * (rate ?? .fps30).framesPerSecond
    let wanted = min(
      Int(min(frames, Double(mostBufferCount)).rounded(.up)),
      FrameBudget.affordableFrames(ofBytes: bytes))
    return min(max(wanted, leastBufferCount), mostBufferCount)
  }
}
