import ArgumentParser
import AssetWriter
import MediaCore
import Takes
import VideoRecorder

/// What is recorded from where: shared by `record` and `check`.
struct RecordingArguments: ParsableArguments {
  @Option(
    help: "A preset's name or the path of a preset file; the configured default if omitted.",
    completion: Completion.presets)
  var preset: String?

  @Option(
    help: """
      The device, as listed by `recordctl devices`; the configured default or the best one present if \
      omitted.
      """, completion: Completion.devices)
  var device: String?

  @Option(
    help: "The audio device; auto for the one that belongs to the video device, none for no audio.",
    completion: Completion.audioDevices)
  var audio: String?

  @Option(
    help: "WIDTHxHEIGHT in pixels.", completion: VideoDimensions.completions,
    transform: VideoDimensions.argument)
  var size: VideoDimensions?

  @Option(
    help: "Frames per second: 25, 29.97, 24000/1001.", completion: FrameRate.completions,
    transform: FrameRate.argument)
  var rate: FrameRate?

  @Option(
    help: "proxy, lt, 422, hq, 4444 or xq.", completion: VideoCodecType.completions,
    transform: VideoCodecType.argument)
  var codec: VideoCodecType?

  @Option(
    help: "auto, native, libavcodec, libavcodec:prores_ks or libavcodec:prores_aw.",
    completion: .list(EncoderChoice.names), transform: EncoderChoice.argument)
  var encoder: EncoderChoice?

  @Flag(help: "Also accept inputs other than 10-bit 4:2:2; the movie and the report say so.")
  var allowFallback = false

  /// The settings of which the user's default is taken.
  var defaulted: [RecorderDefaults.Setting] {
    (device == nil ? [.device] : []) + (preset == nil ? [.preset] : [])
  }

  /// The request: the preset, and what overrides it. What is not given is the user's default.
  func request(_ defaults: RecorderDefaults) throws(CaptureError) -> RecordingRequest {
    let preset = preset ?? defaults[.preset]
    var base = Preset(name: "none")
    if let preset { base = try PresetLibrary().preset(named: preset) }
    if let audio { base.audio.device = audio }
    if let size { base.video.dimensions = size }
    if let rate { base.video.frameRate = rate }
    if let codec { base.video.codec = codec }
    if let encoder { base.video.encoder = encoder.description }
    var request = RecordingRequest(preset: base)
    request.deviceID = device ?? defaults[.device]
    request.allowsFallback = allowFallback
    request.allowsOtherAudioFormat = preset == nil
    return request
  }
}
