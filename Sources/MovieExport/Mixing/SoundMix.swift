import AssetReader
package import MediaCore

/// How the sound of a timeline's tracks becomes that of one track.
package struct SoundMix: Sendable, Hashable {
  /// The tracks that are heard, by their places in the timeline, and how loud: 1 for as they are.
  package var volumes: [Int: Ramp<Double>]
  /// The format of the mix; tracks of another rate or with more channels are brought to it.
  package var format: AudioFormat

  /// A mix.
  package init(_ volumes: [Int: Ramp<Double>], format: AudioFormat) {
    (self.volumes, self.format) = (volumes, format)
  }

  /// All tracks of a timeline that are on, as loud as they are, in the rate and depth of the first one; silence
  /// where none is on, and nil where there is no sound.
  ///
  /// - Parameter channels: At most.
  package init?(of timeline: MovieTimeline, channels: Int) {
    let all = timeline.tracks.enumerated().filter {
      $0.element.mediaType == .audio && !$0.element.clips.isEmpty
    }
    let heard = all.filter(\.element.isEnabled)
    let formats = (heard.isEmpty ? all : heard).compactMap(\.element.clips.first?.track.audio)
    guard var format = formats.first else { return nil }
    format.channelCount = min(formats.map(\.channelCount).max() ?? 1, channels)
    self.init(
      Dictionary(uniqueKeysWithValues: heard.map { ($0.offset, Ramp(1.0)) }), format: format)
  }

  /// The same for a timeline that begins at a time of this one.
  package func from(_ start: MediaTime) -> SoundMix {
    SoundMix(volumes.mapValues { $0.from(start) }, format: format)
  }
}
