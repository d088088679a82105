import CaptureDevices
public import VideoRecorder

extension FormatCriteria {
  /// What a preset demands of the video format. Tiers that the user allows beyond it go into
  /// `allowedTiers`.
  public init(preset: Preset) {
    self.init(
      dimensions: preset.video.dimensions, frameRate: preset.video.frameRate,
      allowedTiers: preset.video.tiers, fieldOrder: preset.video.fieldOrder,
      codec: preset.video.codec)
    bounds = preset.video.modes
  }
}

extension AudioFormatCriteria {
  /// What a preset demands of the audio format. How samples are stored is left to the device: the
  /// movie stores them as the preset says.
  public init(preset: Preset) {
    self.init(sampleRate: preset.audio.sampleRate, channelCount: preset.audio.channelCount)
  }
}
