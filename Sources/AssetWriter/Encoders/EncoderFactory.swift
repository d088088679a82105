import MediaCore

/// Makes the encoder that a choice names.
enum EncoderFactory {
  @Sendable static func makeEncoder(
    _ configuration: VideoEncoderConfiguration, _ choice: EncoderChoice
  ) throws(AssetWriterError) -> any VideoEncoder {
    let resolved = try EncoderCapabilities.current.resolve(choice)
    switch resolved {
    case .libavcodec(let kind):
      // libavcodec's encoders use one core a frame: one context for each frame in flight.
      return EncoderPipeline(
        name: "libavcodec \(kind.rawValue)", workerCount: configuration.threadCount
      ) { () throws(AssetWriterError) in
        try LibavFrameEncoder(configuration, kind: kind)
      }
    case .native, .automatic:
      // One thread hands frames over; the encoder's own share each one.
      return EncoderPipeline(name: "native", workerCount: 1) { () throws(AssetWriterError) in
        try NativeFrameEncoder(configuration)
      }
    }
  }
}
