import AssetWriter
import MediaCore
import QuickTime
import Takes
import VideoRecorder

/// Options that override a preset's settings. They apply to every preset that a recorder is given while
/// it runs.
struct PresetOverrides: Sendable {
  var audio: String?
  var size: VideoDimensions?
  var rate: FrameRate?
  var codec: VideoCodecType?
  var encoder: EncoderChoice?
  var channelLayout: AudioChannelLayout?
  var masteringDisplay: MasteringDisplayColorVolume?
  var contentLight: ContentLightLevel?
  var segment: SegmentLimit?
  var preRoll: RecordingDuration?
  var timecode: String?
  var interruption: InterruptionPolicy?
  var fillsGaps: Bool?
  var writesSidecar: Bool?

  /// The preset with the overrides applied.
  func applied(to preset: Preset) -> Preset {
    var preset = preset
    if let audio { preset.audio.device = audio }
    if let size { preset.video.dimensions = size }
    if let rate { preset.video.frameRate = rate }
    if let codec { preset.video.codec = codec }
    if let encoder { preset.video.encoder = encoder.description }
    if let masteringDisplay { preset.video.masteringDisplay = masteringDisplay }
    if let contentLight { preset.video.contentLight = contentLight }
    if let channelLayout {
      preset.audio.channelLayout = channelLayout
      preset.audio.channelCount = channelLayout.channelCount
    }
    if let segment { preset.segment = segment }
    if let preRoll { preset.preRoll = preRoll }
    if let timecode { preset.timecode = .start(timecode) }
    if let interruption { preset.faults.interruption = interruption }
    if let fillsGaps { preset.video.fillsGaps = fillsGaps }
    if let writesSidecar { preset.writesSidecar = writesSidecar }
    return preset
  }

  /// A session's request for another preset.
  func request(of session: TakeSession, with preset: Preset) -> RecordingRequest {
    var request = session.setup.request
    request.preset = applied(to: preset)
    request.allowsOtherAudioFormat = false
    return request
  }
}
