package import AssetReader
package import MediaCore

/// Tracks of a source that begin where nobody looked when it was opened. They are not converted, and told.
package struct LateTracks {
  /// One line for each.
  package private(set) var notes: [ExportNote] = []
  private var known: Set<AssetTrack.ID> = []

  package init() {}

  /// Those of notes that are of late tracks.
  package static func notes(among notes: [ExportNote]) -> [ExportNote] {
    notes.filter { [media, other].contains($0.subject) }
  }

  /// True where the movie lacks pictures or sound for one of them.
  package static func lackMedia(_ notes: [ExportNote]) -> Bool {
    notes.contains { $0.subject == media }
  }

  private static let media = "late track"
  private static let other = "late data"

  /// Takes the tracks that came up so far.
  ///
  /// - Parameters:
  ///   - audio: The sound that is wanted: another track of it is none that was left out by choice.
  ///   - place: When a track begins, from the movie's beginning.
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

  /// When a track begins by its own time, where that agrees with what was read: a source's clock may begin anew.
  ///
  /// - Parameters:
  ///   - time: By its own, from the movie's beginning.
  ///   - last: When the last picture that was read is shown.
  package static func place(_ time: MediaTime, near last: MediaTime) -> MediaTime {
    let isTrue = time.isNumeric && (!last.isNumeric || (time - last).seconds.magnitude <= 10)
    let place = isTrue ? time : last
    return place.isNumeric ? max(place, .zero) : .zero
  }
}
