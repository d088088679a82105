import ArgumentParser
import AssetWriter
import MediaCore
import MediaLibrary
import QuickTime
import Takes
import VideoRecorder

/// What to record, and from where: shared by `record` and `check`.
struct RecordingArguments: ParsableArguments {
  @Option(
    help: "Preset name, or the path of a preset file (default: the configured preset).",
    completion: Completion.presets)
  var preset: String?

  @Option(
    help: """
      Device, as listed by `recordctl devices` (default: the configured device, or the best input \
      with 10-bit 4:2:2, or the test pattern).
      """, completion: Completion.devices)
  var device: String?

  @Option(
    help: "Audio device, auto for the one that belongs to the video device, or none.",
    completion: Completion.audioDevices)
  var audio: String?

  @Option(
    help: "Frame size as WIDTHxHEIGHT in pixels.", completion: VideoDimensions.completions,
    transform: VideoDimensions.argument)
  var size: VideoDimensions?

  @Option(
    help: "Frame rate in frames per second, such as 25, 29.97 or 24000/1001.",
    completion: FrameRate.completions,
    transform: FrameRate.argument)
  var rate: FrameRate?

  @Option(
    help: "Codec: proxy, lt, 422, hq, 4444 or xq.", completion: VideoCodecType.completions,
    transform: VideoCodecType.argument)
  var codec: VideoCodecType?

  @Option(
    help: "Encoder: auto, native, libavcodec, libavcodec:prores_ks or libavcodec:prores_aw.",
    completion: .list(EncoderChoice.names), transform: EncoderChoice.argument)
  var encoder: EncoderChoice?

  @Option(
    help: """
      Audio channel layout: mono, stereo, quad, 3.0, 4.0, 5.0, 5.1 or 7.1, or a list such as \
      L,R,C,LFE,Ls,Rs. It also sets the number of channels.
      """, completion: .list(AudioChannelLayout.names), transform: AudioChannelLayout.argument)
  var channelLayout: AudioChannelLayout?

  @Option(
    help: """
      Mastering display of HDR video: p3-d65:1000:0.0001 (primaries, maximum and minimum cd/m2), \
      or G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) as in x265.
      """, transform: MasteringDisplayColorVolume.argument)
  var masteringDisplay: MasteringDisplayColorVolume?

  @Option(
    help: "Light level of HDR video in cd/m2, as MaxCLL,MaxFALL, such as 1000,400.",
    transform: ContentLightLevel.argument)
  var contentLight: ContentLightLevel?

  @Flag(help: "Also accept inputs other than 10-bit 4:2:2; the movie and the report record this.")
  var allowFallback = false

  /// The settings that come from the user's defaults.
  var defaulted: [RecorderDefaults.Setting] {
    (device == nil ? [.device] : []) + (preset == nil ? [.preset] : [])
  }

  /// The same of a command that writes movies.
  ///
  /// - Parameters:
  ///   - output: The movies' name, as it was given.
  ///   - photos: Where the takes go; nil where they stay.
  func defaulted(
    output: String?, savesTo photos: PhotoLibrary?, _ saving: SavingArguments,
    _ wanted: Preset.Library
  ) -> [RecorderDefaults.Setting] {
    let isDefault = photos != nil && saving.library == nil && wanted.folder == nil
    return defaulted + (output == nil ? [.outputFolder] : []) + (isDefault ? [.library] : [])
  }

  /// The overrides of a preset's settings in these arguments.
  var overrides: PresetOverrides {
    PresetOverrides(
      audio: audio, size: size, rate: rate, codec: codec, encoder: encoder,
      channelLayout: channelLayout, masteringDisplay: masteringDisplay, contentLight: contentLight)
  }

  /// The request: the preset, and what overrides it. What is not given is the user's default.
  func request(
    _ defaults: RecorderDefaults, _ overrides: PresetOverrides
  ) throws(CaptureError) -> RecordingRequest {
    let preset = preset ?? defaults[.preset]
    let base = try preset.map { name throws(CaptureError) in
      try PresetLibrary().preset(named: name)
    }
    var request = RecordingRequest(preset: overrides.applied(to: base ?? Preset(name: "none")))
    request.deviceID = device ?? defaults[.device]
    request.allowsFallback = allowFallback
    request.allowsOtherAudioFormat = preset == nil
    return request
  }
}
