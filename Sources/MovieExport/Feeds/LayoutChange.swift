import AssetReader
import MediaCore

/// Detects a change of an audio track's channel layout that keeps the channel count.
struct LayoutChange {
  /// The layout at the beginning of the source, in libav's words.
  private let before: String
  /// The first other layout in the movie, and its start in the movie.
  private(set) var change: (layout: String, time: MediaTime)?

  /// Starts with the layout of a track's first audio.
  init(_ layout: String) { before = layout }

  /// Takes the layout of a run of the movie's audio.
  mutating func take(_ layout: String, at time: MediaTime) {
    guard change == nil, layout != before else { return }
    change = (layout, time)
  }

  /// A note on the change; nil if there is none.
  ///
  /// - Parameter subject: A prefix of the message, such as the track.
  func note(of subject: String) -> ExportNote? {
    guard let (layout, time) = change else { return nil }
    return ExportNote(
      .changed, "audio",
      "\(subject)the layout of the channels changes from \(before) to \(layout) at "
        + "\(max(time, .zero).seconds.text(decimals: 3)) s; the movie names them as before")
  }
}
