import AssetReader
import MediaCore

/// Frames of a source that lack their second field.
struct LoneFieldFinding: Hashable {
  let count: Int
  /// The movie time of the first one, in seconds; nil if the source has no times.
  let seconds: Double?

  var note: ExportNote {
    let place = seconds.map { "\(count == 1 ? "" : "the first ")at \($0.text(decimals: 3)) s" }
    return ExportNote(
      .repaired, "fields",
      (count == 1
        ? "1 frame lacks its second field in the source"
        : "\(count) frames lack their second field in the source")
        + (place.map { ", \($0)" } ?? "")
        + "; the decoder drops such frames, or fills the missing lines from the other field")
  }
}

extension ExportFeed {
  /// The frames between the points that lack their second field; nil for none.
  var loneFields: LoneFieldFinding? {
    let times = reader.loneFields(of: track.id)
    let places = times.filter(\.isNumeric).compactMap { timeline.place(of: $0) }
      .filter { timeline.range.concerns($0...$0) }
    let count = places.count + times.count { !$0.isNumeric }
    guard count > 0 else { return nil }
    let first = places.min().map { $0 - start }.map { timing?.shown($0) ?? $0 }
    return LoneFieldFinding(
      count: count, seconds: first.flatMap { $0.isNumeric ? max($0.seconds, 0) : nil })
  }
}
