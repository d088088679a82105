import AssetReader
package import MediaCore

extension FrameAccount {
  /// Notes on what the movie does not carry, except where the user overrode a property for all
  /// frames.
  ///
  /// - Parameters:
  ///   - session: The export, with the user's settings.
  ///   - fieldOrder: The field order that was given or detected; nil for the frames' own.
  ///   - otherGaps: The number of gaps in other tracks.
  package func notes(
    of session: AssetExportSession, fieldOrder: FieldOrder?, otherGaps: Int = 0
  ) -> [ExportNote] {
    extras.map { ExportNote(.dropped, "side data", "\($0) dropped") }
      + changeNotes(session, fieldOrder)
      + damageNotes(gaps: gapCount.addingSaturating(otherGaps))
  }

  private func changeNotes(
    _ session: AssetExportSession, _ fieldOrder: FieldOrder?
  ) -> [ExportNote] {
    guard let look else { return [] }
    let processing = session.edit.processing
    let isScaled = processing.scaling.map { $0.fitting != .crop } ?? false
    let scan: ExportNote? =
      if fieldOrder != nil {
        nil
      } else if processing.deinterlacing != nil {
        followed("scan", "field order", otherFieldOrder, \.displayName) { change in
          change.value == .progressive
            ? "such frames are deinterlaced anyway" : "each frame is deinterlaced by its own"
        }
      } else {
        note("scan", "field order", otherFieldOrder, look.fieldOrder, \.displayName)
      }
    let aspect: ExportNote? =
      if session.edit.pixelAspectRatio != nil {
        nil
      } else if isScaled {
        followed("aspect", "pixel aspect ratio", otherPixelAspectRatio, \.self) { _ in
          processing.scaling?.fitting == .stretch
            ? "frames are stretched whatever it is" : "each frame is scaled by its own"
        }
      } else {
        note("aspect", "pixel aspect ratio", otherPixelAspectRatio, look.pixelAspectRatio, \.self)
      }
    let size = followed("size", "size", otherSize, \.self) { _ in
      "each frame is scaled to the movie's"
    }
    let lights = [
      note("display", "mastering display", otherDisplay, display ?? "none", \.self),
      note("light", "light level", otherLight, light ?? "none", \.self),
    ]
    let color = note("color", "color", otherColor, look.color, \.self)
    return ([scan, aspect, color, size] + lights).compactMap(\.self)
  }

  /// A change that does not make the movie wrong.
  private func followed<Value>(
    _ subject: String, _ name: String, _ change: Change<Value>?, _ text: (Value) -> String,
    _ outcome: (Change<Value>) -> String
  ) -> ExportNote? {
    guard let change else { return nil }
    return ExportNote(
      .changed, subject,
      "the source's \(name) changes to \(text(change.value)) at \(change.pictures.place), in "
        + "\(change.pictures.count) frames; \(outcome(change))")
  }

  private func note<Value>(
    _ subject: String, _ name: String, _ change: Change<Value>?, _ tagged: Value,
    _ text: (Value) -> String
  ) -> ExportNote? {
    guard let change else { return nil }
    return ExportNote(
      .changed, subject,
      "the source's \(name) changes to \(text(change.value)) at \(change.pictures.place); all frames are "
        + "tagged \(text(tagged)), \(change.pictures.count) of them wrongly")
  }

  private func damageNotes(gaps: Int) -> [ExportNote] {
    var notes: [ExportNote] = []
    if let undecoded {
      notes.append(
        ExportNote(
          .dropped, "frames",
          undecoded.count == 1
            ? "1 frame does not decode, at \(undecoded.place), and is left out"
            : "\(undecoded.count) frames do not decode, the first at \(undecoded.place), and are "
              + "left out"))
    }
    if let damaged {
      notes.append(
        ExportNote(
          .repaired, "frames",
          (damaged.count == 1
            ? "1 frame is damaged in the source, at \(damaged.place)"
            : "\(damaged.count) frames are damaged in the source, the first at \(damaged.place)")
            + "; the decoder filled in what is missing"))
    }
    if gaps > 0 {
      notes.append(
        ExportNote(
          .repaired, "data",
          "the source lacks data at \(gaps) \(gaps == 1 ? "place" : "places")"))
    }
    return notes
  }
}

extension FrameAccount.Finding {
  /// The time of the first frame, for messages.
  fileprivate var place: String { "\(seconds.text(decimals: 3)) s" }
}
