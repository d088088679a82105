import AssetReader
import MediaCore

/// Channels of a track of sound that belong elsewhere on the way, while there are as many of them.
struct LayoutChange {
  /// Where they belong at the source's beginning, in libav's words.
  private let before: String
  /// The first other layout of the movie's sound, and when it begins, from the movie's beginning.
  private(set) var change: (layout: String, time: MediaTime)?

  /// The layout of a track's first sound.
  init(_ layout: String) { before = layout }

  /// Takes a run of the movie's sound.
  mutating func take(_ layout: String, at time: MediaTime) {
    guard change == nil, layout != before else { return }
    change = (layout, time)
  }

  /// What changed, in one line; nil for nothing.
  ///
  /// - Parameter subject: What comes before it, such as the track.
  func note(of subject: String) -> ExportNote? {
    guard let (layout, time) = change else { return nil }
    return ExportNote(
      .changed, "audio",
      "\(subject)the layout of the channels changes from \(before) to \(layout) at "
        + "\(max(time, .zero).seconds.text(decimals: 3)) s; the movie names them as before")
  }
}
