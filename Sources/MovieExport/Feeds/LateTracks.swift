package import AssetReader
package import MediaCore

/// Tracks that begin after the part of the source examined when it was opened. They are not
/// exported, but reported.
package struct LateTracks {
  /// One note for each track.
  package private(set) var notes: [ExportNote] = []
  private var known: Set<AssetTrack.ID> = []

  package init() {}

  /// The notes that are about late tracks.
  package static func notes(among notes: [ExportNote]) -> [ExportNote] {
    notes.filter { [media, other].contains($0.subject) }
  }

  /// True if one of the notes means that the movie lacks video or audio.
  package static func lackMedia(_ notes: [ExportNote]) -> Bool {
    notes.contains { $0.subject == media }
  }

  private static let media = "late track"
  private static let other = "late data"

  /// Takes the late tracks found so far.
  ///
  /// - Parameters:
  ///   - audio: The chosen audio. Unless all audio is chosen, a late audio track is not reported.
  ///   - place: The start of a track in the movie.
  package mutating func take(
    _ tracks: [AssetLateTrack], audio: AudioSelection, place: (AssetLateTrack) -> MediaTime
  ) {
    guard tracks.count > known.count else { return }
    for track in tracks where known.insert(track.id).inserted {
      let isMedia = ["video", "audio"].contains(track.kind)
      guard track.kind != "audio" || audio == .all else { continue }
      let name = track.codecName.map { " (\($0))" } ?? ""
      notes.append(
        ExportNote(
          .dropped, isMedia ? Self.media : Self.other,
          "\(track.kind) track \(track.number)\(name) begins at \(place(track).seconds.text(decimals: 3)) s, and was "
            + "not found when the source was opened: dropped; cut the source there to keep it"))
    }
  }

  /// The start of a track in the movie: its own time if that is plausible, because a source's clock
  /// may restart.
  ///
  /// - Parameters:
  ///   - time: The start by its own time stamp, from the start of the movie.
  ///   - last: The movie time of the last frame read.
  package static func place(_ time: MediaTime, near last: MediaTime) -> MediaTime {
    let isTrue = time.isNumeric && (!last.isNumeric || (time - last).seconds.magnitude <= 10)
    let place = isTrue ? time : last
    return place.isNumeric ? max(place, .zero) : .zero
  }
}
