package import AssetReader
package import QuickTime

extension CaptureStreamMetadata {
  /// What the container says of a track.
  init(_ track: AssetTrack) {
    self.init(
      masteringDisplay: track.sideData.masteringDisplay.map(MasteringDisplayColorVolume.init),
      contentLightLevel: track.sideData.contentLight.map(ContentLightLevel.init),
      channelLayout: track.channelLabels.map(AudioChannelLayout.init(coreAudioLabels:)))
  }
}

extension MasteringDisplayColorVolume {
  /// The mastering display of a file's video.
  package init(_ display: FrameSideData.MasteringDisplay) {
    let places = display.chromaticities
    func place(_ index: Int) -> Chromaticity {
      Chromaticity(x: places[2 * index], y: places[2 * index + 1])
    }
    self.init(
      red: place(0), green: place(1), blue: place(2), white: place(3),
      maximumLuminance: display.maximumLuminance, minimumLuminance: display.minimumLuminance)
  }
}

extension ContentLightLevel {
  /// The light level of a file's video.
  package init(_ light: FrameSideData.ContentLight) {
    self.init(maximum: light.maximum, maximumFrameAverage: light.maximumFrameAverage)
  }
}
