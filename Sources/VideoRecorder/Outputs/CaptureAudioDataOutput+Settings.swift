public import AssetWriter
public import MediaCore

extension CaptureAudioDataOutput {
  /// Settings for an asset writer's input that suit the connected device; nil without one. 16-bit
  /// audio stays 16-bit, everything deeper is written as 24-bit.
  @_disfavoredOverload  // AVFoundationCompat's form comes first where both fit.
  public func recommendedAudioSettingsForAssetWriter(
    writingTo fileType: FileType = .mov
  ) -> AudioOutputSettings? {
    recommendedAudioSettings
  }

  /// ``recommendedAudioSettingsForAssetWriter(writingTo:)`` under a name that no other module gives to
  /// a form of its own.
  package var recommendedAudioSettings: AudioOutputSettings? {
    guard case .audio(let format)? = connection(with: .audio)?.formatDescription else { return nil }
    return AudioOutputSettings(recommendedFor: format)
  }
}
