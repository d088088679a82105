public import QuickTime

/// What a source says of its pictures and sound beyond their format.
public struct CaptureStreamMetadata: Sendable, Hashable {
  /// The display that HDR pictures were mastered on; nil where the source does not say.
  public var masteringDisplay: MasteringDisplayColorVolume?
  /// How bright HDR pictures get; nil where the source does not say.
  public var contentLightLevel: ContentLightLevel?
  /// The channel layout of audio; nil if the source does not say.
  public var channelLayout: AudioChannelLayout?

  /// Metadata; nothing by default.
  public init(
    masteringDisplay: MasteringDisplayColorVolume? = nil,
    contentLightLevel: ContentLightLevel? = nil, channelLayout: AudioChannelLayout? = nil
  ) {
    self.masteringDisplay = masteringDisplay
    self.contentLightLevel = contentLightLevel
    self.channelLayout = channelLayout
  }
}
