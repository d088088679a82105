import AssetWriter
import MediaCore

/// Writes movies briefly.
enum Recording {
  /// Writes frames to a movie, one in each slot, from time zero.
  @discardableResult
  static func write(
    _ frames: [PixelBuffer], to path: String, settings: VideoOutputSettings,
    timecode: Timecode? = nil
  ) async throws -> AssetWriter.Report {
    let writer = try AssetWriter(path: path)
    writer.configuration.startTimecode = timecode
    let input = AssetWriterInput(outputSettings: settings)
    let receiver = try writer.inputReceiver(for: input)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let rate = settings.frameRate ?? .fps25
    for (number, frame) in frames.enumerated() {
      try await receiver.append(TestMedia.video(number, rate: rate, frame: frame))
    }
    return try await writer.finishWriting()
  }

  /// Settings for the size of the test frames.
  static func settings(
    _ codec: VideoCodecType = .proRes422, rate: FrameRate? = .fps25,
    encoder: EncoderChoice = .libavcodec(.proresKS)
  ) -> VideoOutputSettings {
    VideoOutputSettings(
      codec: codec, width: 128, height: 96, frameRate: rate, encoder: encoder)
  }

  /// Begins a session at time zero with video from this project's encoder and stereo audio.
  static func begin(
    _ writer: AssetWriter
  ) throws -> (
    frames: AssetWriterInput.SampleBufferReceiver, audio: AssetWriterInput.SampleBufferReceiver
  ) {
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: settings(encoder: .native)))
    let audio = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: AudioOutputSettings(format: TestMedia.stereo24)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    return (video, audio)
  }
}
