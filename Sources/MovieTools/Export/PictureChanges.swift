import MediaCore

/// Pictures of a source that are not what its first one is, in what a movie says but once.
struct PictureChanges {
  private struct Change {
    /// Pictures that differ.
    var count: Int
    /// When the first of them is shown, in seconds.
    var start: Double
    /// What it is.
    var value: String
  }

  private var first: PixelBuffer.Description?
  private var scan: Change?
  private var aspect: Change?
  private var color: Change?

  /// Compares a picture with the first one.
  ///
  /// - Parameter time: When it is shown, from the movie's beginning.
  mutating func add(_ picture: PixelBuffer.Description, at time: MediaTime) {
    guard let first else { return first = picture }
    guard picture != first else { return }
    if picture.fieldOrder != first.fieldOrder {
      Self.count(picture.fieldOrder.displayName, at: time, &scan)
    }
    if picture.pixelAspectRatio != first.pixelAspectRatio {
      Self.count("\(picture.pixelAspectRatio)", at: time, &aspect)
    }
    // Each picture's range is converted by itself.
    if picture.color.with(range: first.color.range) != first.color {
      Self.count("\(picture.color)", at: time, &color)
    }
  }

  private static func count(_ value: String, at time: MediaTime, _ change: inout Change?) {
    var known = change ?? Change(count: 0, start: time.seconds, value: value)
    known.count += 1
    change = known
  }

  /// What of it the movie does not say, leaving out what somebody said of all pictures.
  func notes(scanIsTold: Bool, aspectIsTold: Bool) -> [ExportNote] {
    guard let first else { return [] }
    return [
      scanIsTold ? nil : scan.map { ("scan", "field order", $0, first.fieldOrder.displayName) },
      aspectIsTold
        ? nil : aspect.map { ("aspect", "pixel aspect ratio", $0, "\(first.pixelAspectRatio)") },
      color.map { ("color", "color", $0, "\(first.color)") },
    ].compactMap(\.self).map { subject, name, change, tagged in
      ExportNote(
        .changed, subject,
        "the source's \(name) changes to \(change.value) at \(change.start.text(decimals: 3)) s; all frames are tagged \(tagged), "
          + "\(change.count) of them wrongly")
    }
  }
}
