package import AssetReader
import AssetWriter
import MediaCore
import QuickTime

/// An audio track of the movie, and its source.
package struct ExportAudio {
  /// The source's track.
  package let trackID: AssetTrack.ID
  /// A selection of its channels; nil keeps all in order.
  let map: ChannelMap?
  /// Its output settings.
  let settings: AudioOutputSettings

  /// The chosen audio of a source. If nothing was chosen, all audio except that of programs other
  /// than the video's.
  ///
  /// - Throws: `AssetReaderError.Code.noSuchTrack` for a track or channel that does not exist.
  package static func chosen(
    _ selection: AudioSelection, of reader: AssetReader
  ) throws(AssetReaderError) -> [ExportAudio] {
    let tracks = reader.audioTracks.filter { $0.audio != nil }
    let name = reader.location.displayName
    var audioTracks: [ExportAudio] = []
    guard let wanted = selection.tracks else {
      let others = strangers(in: reader, to: reader.videoTrack).map(\.track.id)
      for track in tracks where !others.contains(track.id) {
        audioTracks.append(try Self(track, nil, name))
      }
      return audioTracks
    }
    for track in wanted {
      guard tracks.indices.contains(track.number - 1) else {
        throw AssetReaderError(
          .noSuchTrack,
          "\(name) has no audio track \(track.number); it has "
            + (tracks.isEmpty ? "no audio" : "\(tracks.count)"))
      }
      audioTracks.append(try Self(tracks[track.number - 1], track.channels, name))
    }
    return audioTracks
  }

  /// Audio tracks of an MPEG transport stream that belong to programs other than the video's, with
  /// their numbers from 1.
  static func strangers(
    in reader: AssetReader, to video: AssetTrack?
  ) -> [(number: Int, track: AssetTrack)] {
    guard let own = video?.programs, !own.isEmpty else { return [] }
    let audioTracks = reader.tracks.filter { $0.mediaType == .audio && $0.audio != nil }
    return audioTracks.enumerated().map { ($0.offset + 1, $0.element) }.filter {
      !$0.1.programs.isEmpty && $0.1.programs.isDisjoint(with: own)
    }
  }

  /// Notes on sound fields (ambisonics), whose channels belong to no speakers and cannot be labeled
  /// in a movie.
  static func fieldNotes(_ audioTracks: [ExportAudio], of reader: AssetReader) -> [ExportNote] {
    audioTracks.enumerated().compactMap { index, audio in
      guard let layout = reader.tracks.first(where: { $0.id == audio.trackID })?.channelLayout,
        layout.hasPrefix("ambisonic")
      else { return nil }
      return ExportNote(
        .dropped, "audio",
        "audio track \(index + 1) is a sound field (\(layout)), which the movie cannot state; its channels are "
          + "\(audio.map == nil ? "kept in their order" : "those that were chosen")")
    }
  }

  /// Notes on the source's audio track dispositions, which a movie does not carry.
  static func markNotes(_ audioTracks: [ExportAudio], of tracks: [AssetTrack]) -> [ExportNote] {
    let sources = audioTracks.map { audio in tracks.first { $0.id == audio.trackID } }
    var notes = sources.enumerated().compactMap { index, track -> ExportNote? in
      guard let marks = track?.marks, !marks.isEmpty else { return nil }
      return ExportNote(
        .dropped, "audio",
        "audio track \(index + 1) is marked as \(marks.joined(separator: ", ")), which the movie cannot state"
      )
    }
    let others = sources.enumerated().filter { $0.element?.isDefault == false }
    if !others.isEmpty, others.count < sources.count {
      let numbers = others.map { "\($0.offset + 1)" }.joined(separator: ", ")
      let isOne = others.count == 1
      notes.append(
        ExportNote(
          .changed, "audio",
          "audio \(isOne ? "track \(numbers) is" : "tracks \(numbers) are") off by default in the source; "
            + "all tracks of the movie are on"))
    }
    return notes
  }

  /// Notes on AC-3 playback parameters, which a movie does not carry.
  static func levelNotes(_ audioTracks: [ExportAudio], of tracks: [AssetTrack]) -> [ExportNote] {
    audioTracks.enumerated().compactMap { index, audio in
      guard let track = tracks.first(where: { $0.id == audio.trackID }),
        ["ac3", "eac3"].contains(track.codecName)
      else { return nil }
      return ExportNote(
        .dropped, "audio",
        "audio track \(index + 1): dialogue level, dynamic range control and downmix levels of \(track.codecName) "
          + "dropped; the samples have their full range")
    }
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
    if let refusal = Self.refusal(of: settings.format) {
      throw AssetReaderError(
        .unsupported,
        "\(name): \(refusal); choose audio tracks, or channels of them, by number, or none")
    }
    settings.channelLayout = labels.map(AudioChannelLayout.init(coreAudioLabels:))
    settings.name = track.title
    settings.language = track.language
    self.settings = settings
  }

  /// Why a movie's audio track cannot have a format; nil if it can.
  private static func refusal(of format: AudioFormat) -> String? {
    let (rates, counts) = (AudioOutputSettings.sampleRates, AudioOutputSettings.channelCounts)
    if !rates.contains(format.sampleRate) {
      return
        "an audio track has \(format.sampleRate) Hz, but a movie's can have \(rates.lowerBound) to "
        + "\(rates.upperBound)"
    }
    guard !counts.contains(format.channelCount) else { return nil }
    return
      "an audio track has \(format.channelCount) channels, but a movie's can have up to \(counts.upperBound)"
  }
}
