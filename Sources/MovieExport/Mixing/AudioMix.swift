import AssetReader
package import MediaCore

/// Describes how the audio of a timeline's tracks is mixed into one track.
package struct AudioMix: Sendable, Hashable {
  /// The gain of each track in the mix, by the track's index in the timeline; 1 is unchanged.
  package var volumes: [Int: Ramp<Double>]
  /// The format of the mix. Tracks of another rate or with more channels are converted to it.
  package var format: AudioFormat

  /// Creates a mix.
  package init(_ volumes: [Int: Ramp<Double>], format: AudioFormat) {
    (self.volumes, self.format) = (volumes, format)
  }

  /// A mix of all enabled tracks of a timeline at unchanged volume, at the rate and depth of the
  /// first one. It is silent if no track is enabled, and nil if there is no audio.
  ///
  /// - Parameter channels: The maximum number of channels.
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

  /// The same mix for a timeline that begins at a time of this one.
  package func from(_ start: MediaTime) -> AudioMix {
    AudioMix(volumes.mapValues { $0.from(start) }, format: format)
  }
}
