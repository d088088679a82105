import AssetWriter
import MediaCore

extension EncoderCapabilities {
  /// The codecs that a video stream can feed; none for compressed video.
  func codecs(for video: VideoFormatDescription, encoder: EncoderChoice) -> [VideoCodecType] {
    guard let format = video.pixelFormat else { return [] }
    return codecs(for: format, encoder: encoder)
  }

  /// The codecs that a video stream can feed in an asset writer's file.
  func codecs(
    for video: VideoFormatDescription, in fileType: FileType, encoder: EncoderChoice
  ) -> [VideoCodecType] {
    let proRes = codecs(for: video, encoder: encoder)
    guard !proRes.isEmpty, !fileType.isAudioOnly else { return [] }
    let size = video.dimensions
    let feedsInterframe =
      encoder == .automatic && !video.fieldOrder.isInterlaced && size.width % 2 == 0
      && size.height % 2 == 0
    return (fileType == .mov ? proRes : []) + (feedsInterframe ? interframeCodecs : [])
  }
}

extension VideoOutputSettings {
  /// Settings that keep everything about a stream but its codec.
  init(
    codec: VideoCodecType, video: VideoFormatDescription, frameRate: FrameRate?,
    encoder: EncoderChoice
  ) {
    self.init(
      codec: codec, width: video.dimensions.width, height: video.dimensions.height,
      frameRate: frameRate, encoder: encoder)
    color = video.color
    fieldOrder = video.fieldOrder
    pixelAspectRatio = video.pixelAspectRatio
  }
}

extension AudioOutputSettings {
  /// Settings that keep what the source has, up to 24 bits.
  init(recommendedFor format: AudioFormat) {
    var stored = format
    if stored.sampleFormat != .int16 { stored.sampleFormat = .int24 }
    self.init(format: stored)
  }
}
