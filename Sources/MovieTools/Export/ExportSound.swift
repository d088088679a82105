import AssetReader
import AssetWriter
import MediaCore
import QuickTime

/// A track of sound of the movie, and where it comes from.
struct ExportSound {
  /// The source's track.
  let trackID: AssetTrack.ID
  /// Its channels in another order; nil for all as they are.
  let map: ChannelMap?
  /// How it is written.
  let settings: AudioOutputSettings

  /// The sound of a source that was chosen.
  ///
  /// - Throws: `AssetReaderError.Code.noSuchTrack` for a track or a channel that there is not.
  static func chosen(
    _ selection: AudioSelection, of reader: AssetReader
  ) throws(AssetReaderError) -> [ExportSound] {
    let tracks = reader.audioTracks.filter { $0.audio != nil }
    let name = reader.location.displayName
    var sounds: [ExportSound] = []
    guard let wanted = selection.tracks else {
      for track in tracks { sounds.append(try Self(track, nil, name)) }
      return sounds
    }
    for track in wanted {
      guard tracks.indices.contains(track.number - 1) else {
        throw AssetReaderError(
          .noSuchTrack,
          "\(name) has no audio track \(track.number); it has "
            + (tracks.isEmpty ? "no sound" : "\(tracks.count)"))
      }
      sounds.append(try Self(tracks[track.number - 1], track.channels, name))
    }
    return sounds
  }

  private init(_ track: AssetTrack, _ channels: [Int]?, _ name: String) throws(AssetReaderError) {
    let format =
      track.audio ?? AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)
    trackID = track.id
    var labels = track.channelLabels
    if let channels {
      guard let map = ChannelMap(channels, of: format) else {
        throw AssetReaderError(
          .noSuchTrack,
          "\(name): an audio track has \(format.channelCount) channels, not "
            + channels.map { "\($0)" }.joined(separator: "+"))
      }
      self.map = map
      labels = labels.map { known in channels.map { known[$0 - 1] } }
    } else {
      map = nil
    }
    var settings = AudioOutputSettings(format: map?.format ?? format)
    settings.channelLayout = labels.flatMap(AudioChannelLayout.init(coreAudioLabels:))
    settings.name = track.title
    settings.language = track.language
    self.settings = settings
  }
}

extension AudioChannelLayout {
  /// The layout of channels whose purposes are known, by Core Audio's tag where there is one.
  ///
  /// Nil for mono and stereo, which need none.
  fileprivate init?(coreAudioLabels labels: [UInt32]) {
    let tags: [[UInt32]: UInt32] = [
      [1, 2, 5, 6]: 108 << 16 | 4, [1, 2, 3]: 113 << 16 | 3, [1, 2, 3, 9]: 115 << 16 | 4,
      [1, 2, 3, 5, 6]: 117 << 16 | 5, [1, 2, 3, 4, 5, 6]: 121 << 16 | 6,
    ]
    if labels == [1, 2] || labels.count == 1 { return nil }
    self = tags[labels].map(Self.tag) ?? .labels(labels.map(Label.init(rawValue:)))
  }
}
