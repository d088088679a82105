public import AssetWriter
public import MediaCore

extension CaptureVideoDataOutput {
  /// The codecs that an asset writer can make of the connected device's active format: ProRes in a QuickTime
  /// movie, then what libavcodec has of H.264 and HEVC.
  public func availableVideoCodecTypesForAssetWriter(
    writingTo fileType: FileType = .mov, encoder: EncoderChoice = .automatic
  ) -> [VideoCodecType] {
    guard case .video(let video)? = connection(with: .video)?.formatDescription else { return [] }
    return EncoderCapabilities.current.codecs(for: video, in: fileType, encoder: encoder)
  }

  /// Settings for an asset writer's input that suit what flows through the connection: size, rate,
  /// color, field order; nil without a connection, or if its frames cannot feed the codec.
  @_disfavoredOverload  // AVFoundationCompat's form comes first where both fit.
  public func recommendedVideoSettings(
    forVideoCodecType codec: VideoCodecType, assetWriterOutputFileType fileType: FileType = .mov,
    encoder: EncoderChoice = .automatic
  ) -> VideoOutputSettings? {
    guard let connection = connection(with: .video),
      case .video(let video)? = connection.formatDescription,
      EncoderCapabilities.current.codecs(for: video, in: fileType, encoder: encoder)
        .contains(codec)
    else { return nil }
    return VideoOutputSettings(
      codec: codec, video: video, frameRate: connection.frameRate, encoder: encoder)
  }
}
