public import QuickTime

/// What a source reports about its video and audio beyond their format.
public struct CaptureStreamMetadata: Sendable, Hashable {
  /// The display that HDR video was mastered on; nil if the source does not report it.
  public var masteringDisplay: MasteringDisplayColorVolume?
  /// How bright HDR video gets; nil if the source does not report it.
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
