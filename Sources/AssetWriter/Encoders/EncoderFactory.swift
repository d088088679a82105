import MediaCore

/// Makes the encoder that a choice names.
package enum EncoderFactory {
  /// Makes an encoder that takes its frames from a store, whatever the pixel buffers show.
  package static func copying(_ store: some EncodedFrameStore) -> VideoPreparation.MakeEncoder {
    { configuration, _ throws(AssetWriterError) in
      EncoderPipeline(
        name: "native", workerCount: 1, threadOptions: configuration.threadOptions
      ) { () throws(AssetWriterError) in
        StoredFrameEncoder(store)
      }
    }
  }

  /// An encoder that returns the compressed frames that its pixel buffers carry.
  static func carrying(_ threads: ThreadOptions) -> any VideoEncoder {
    EncoderPipeline(name: "copy", workerCount: 1, threadOptions: threads) {
      () throws(AssetWriterError) in
      CarriedFrameEncoder()
    }
  }

  /// An encoder that is not started yet.
  ///
  /// - Throws: ``AssetWriterError/Code/encoderUnavailable``, and later, from starting it, what it
  ///   cannot do.
  @Sendable package static func makeEncoder(
    _ configuration: VideoEncoderConfiguration, _ choice: EncoderChoice
  ) throws(AssetWriterError) -> any VideoEncoder {
    let resolved = try EncoderCapabilities.current.resolve(choice)
    switch resolved {
    case .libavcodec(let kind):
      // libavcodec's encoders use one core a frame: one context for each frame in flight.
      return EncoderPipeline(
        name: "libavcodec \(kind.rawValue)", workerCount: configuration.threadCount,
        threadOptions: configuration.threadOptions
      ) { () throws(AssetWriterError) in
        try LibavFrameEncoder(configuration, kind: kind)
      }
    case .native, .automatic:
      // One thread hands frames over; the encoder's own share each one.
      return EncoderPipeline(
        name: "native", workerCount: 1, threadOptions: configuration.threadOptions
      ) { () throws(AssetWriterError) in
        try NativeFrameEncoder(configuration)
      }
    }
  }
}
