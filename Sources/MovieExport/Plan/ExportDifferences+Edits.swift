import AssetReader
import MediaCore
import QuickTime

/// Notes on edit lists of a source that the movie does not reproduce exactly.
extension ExportDifferences {
  /// - Parameter chosen: The tracks used in the movie.
  static func editNotes(_ reader: AssetReader, among chosen: [AssetTrack.ID]) -> [ExportNote] {
    reader.tracks.filter { chosen.contains($0.id) }.flatMap { track in
      let isVideo = track.mediaType == .video
      let name = "\(isVideo ? "video" : "audio") track \(reader.tracks.number(of: track))"
      let edits = reader.edits(of: track.id)
      guard !reader.leavesEditsUndone(of: track.id) else { return [undoneNote(of: name)] }
      return editNotes(edits, of: name, isVideo: isVideo)
        + restNotes(reader.restAfterEdits(of: track.id), of: name)
        + (isVideo || reader.cutsAudio(of: track.id)
          ? [] : [audioPartsNote(edits, of: name)].compactMap(\.self))
    }
  }

  private static func undoneNote(of name: String) -> ExportNote {
    ExportNote(
      .changed, "edit list",
      "only the start of the edit list of \(name) is applied, because the file is fragmented and the list repeats media or "
        + "steps back in it: the media continue from there to their end, and its other parts, gaps and rates are ignored"
    )
  }

  /// A note on a fragmented file whose edit list ends early, because some writers state the
  /// duration of the first fragment only.
  static func restNotes(_ rest: MediaTime, of name: String) -> [ExportNote] {
    guard rest > .zero else { return [] }
    return [
      ExportNote(
        .changed, "edit list",
        "the edit list of \(name) ends about \(rest.seconds.text(decimals: 1)) s before its media, in a fragmented file: the movie ends there as well; "
          + "if that is not meant, remove the edit list")
    ]
  }

  /// A note on audio of several parts that is cut at packets because libavformat's packets are not
  /// found in the file's index; nil for audio of one part.
  static func audioPartsNote(_ edits: [MovieEdit], of name: String) -> ExportNote? {
    let count = edits.count { $0.mediaTime != nil && lasts($0) }
    guard count > 1 else { return nil }
    return ExportNote(
      .changed, "edit list",
      "\(name) consists of \(count) parts of its media, which are cut at packets: where they meet, there may be "
        + "too little or too much audio, or it may be late, by up to a packet, usually 21 ms")
  }

  /// One note for each kind of edit.
  ///
  /// - Parameter name: The track's name in messages.
  static func editNotes(_ edits: [MovieEdit], of name: String, isVideo: Bool) -> [ExportNote] {
    let shown = edits.indices.filter { edits[$0].mediaTime != nil && lasts(edits[$0]) }
    guard let first = shown.first, let last = shown.last else { return [] }
    var (time, gaps, rest) = (MediaTime.zero, Stretches(), Stretches())
    var (rates, rate) = (Stretches(), 1.0)
    for (index, edit) in edits.enumerated() {
      if edit.mediaTime == nil, let length = edit.duration, lasts(edit), index > first {
        if index < last { gaps.add(length, at: time) } else { rest.add(length, at: time) }
      } else if edit.mediaTime != nil, edit.rate != 1, lasts(edit) {
        if rates.count == 0 { rate = edit.rate }
        rates.add(edit.duration ?? .zero, at: time)
      }
      guard let length = edit.duration else { break }
      time += length
    }
    return [
      gaps.count == 0
        ? nil
        : "\(name) shows nothing \(gaps.words): "
          + (isVideo ? "the frame before is repeated" : "silence"),
      // Audio that ends early is simply silent.
      rest.count == 0 || !isVideo
        ? nil
        : "\(name) shows nothing for its last \(text(rest.length)) s: its frames end before",
      rates.count == 0
        ? nil
        : "\(name) plays at \(rate.text(decimals: 3)) times its rate at \(text(rates.start)) s"
          + (rates.count == 1 ? "" : ", the first of \(rates.count) such places")
          + ": this is not applied; its media play at their own rate for the same duration",
    ].compactMap(\.self).map { ExportNote(.changed, "edit list", $0) }
  }

  private static func lasts(_ edit: MovieEdit) -> Bool { edit.duration.map { $0 > .zero } ?? true }

  private static func text(_ time: MediaTime) -> String { time.seconds.text(decimals: 3) }

  /// Parts of a track that have the same kind of edit.
  private struct Stretches {
    var count = 0
    /// The start of the first one.
    var start = MediaTime.zero
    /// Their total duration.
    var length = MediaTime.zero

    mutating func add(_ more: MediaTime, at time: MediaTime) {
      if count == 0 { start = time }
      count += 1
      length += more
    }

    var words: String {
      count == 1
        ? "for \(text(length)) s at \(text(start)) s"
        : "at \(count) places, for \(text(length)) s together, first at \(text(start)) s"
    }
  }
}
