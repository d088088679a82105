import AssetReader
import MediaCore

/// The conversion of a source to another frame rate, by repeating and dropping frames.
struct RateNote: Hashable {
  let source: FrameRate
  let movie: FrameRate
  let repeated: Int
  let dropped: Int
  /// True if frames are made from single fields.
  var isOfFields = false
  /// True for frames of two fields.
  var isInterlaced = false

  var note: ExportNote {
    let counts = [(repeated, "repeated"), (dropped, "dropped")].compactMap { count, word in
      count == 0 ? nil : "\(count) \(count == 1 ? "frame" : "frames") \(word)"
    }
    let outcome = counts.isEmpty ? "each frame shown once" : counts.joined(separator: " and ")
    return ExportNote(
      .changed, "rate",
      "\(source) frames per second converted to \(movie)\(isOfFields ? " with a frame of each field" : ""): \(outcome)"
        + (isInterlaced && !counts.isEmpty ? fieldWords : ""))
  }

  private var fieldWords: String {
    ", both fields together: the field order stays, but motion "
      + (repeated > 0 ? "steps back by a field at each repeated frame" : "is uneven")
      + "; to avoid that, deinterlace to fields"
  }
}

extension ExportFeed {
  /// The note on another frame rate; nil if the rate stays.
  var rateConversion: ExportNote? {
    guard let tally, let source = timing?.shownRate, let movie = movieRate, source != movie else {
      return nil
    }
    let deinterlacing = session.edit.processing.deinterlacing
    let order = fieldOrder ?? account.look?.fieldOrder ?? .progressive
    return RateNote(
      source: source, movie: movie, repeated: tally.repeated, dropped: tally.dropped,
      isOfFields: deinterlacing == .fields,
      isInterlaced: deinterlacing == nil && order != .progressive
    ).note
  }
}
