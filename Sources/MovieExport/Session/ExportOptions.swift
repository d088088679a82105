import AssetReader
import AssetWriter
import MediaCore

/// What was asked of an export, in words, as sidecars tell it: what was left to the source, and to what is usual, is
/// missing. Two exports of a source with the same words make the same movie.
package struct ExportOptions: Equatable {
  /// By names that are those of sidecars.
  package let values: [String: String]

  /// How names are told.
  private static let words: [(name: String, text: String)] = [
    ("codec", "codec"), ("encoder", "encoder"), ("reading", "reading of the source"),
    ("start", "in point"), ("end", "out point"),
    ("frameLimit", "number of frames"), ("timecode", "timecode"), ("fieldOrder", "field order"),
    ("pixelAspectRatio", "pixel aspect ratio"), ("color", "color"),
    ("deinterlacing", "deinterlacing"), ("rotation", "rotation"), ("frameRate", "frame rate"),
    ("conformRate", "conformed rate"), ("lut", "look-up table"), ("size", "size"),
    ("fitting", "fitting"), ("filter", "filter"), ("burnIn", "burn-in"), ("audio", "audio"),
  ]

  /// Those of a sidecar.
  init(_ values: [String: String]) { self.values = values }

  /// Those of an export.
  package init(_ session: AssetExportSession) {
    let edit = session.edit
    let processing = edit.processing
    var values: [String: String] = [:]
    values["codec"] = session.codec?.shortName
    if case .libavcodec = session.encoder { values["encoder"] = session.encoder.description }
    values["reading"] = Self.reading(session.location)
    values["start"] = edit.start?.text
    values["end"] = edit.end?.text
    values["frameLimit"] = session.maximumFrameCount.map { "\($0)" }
    values["timecode"] = session.startTimecode
    switch session.scan {
    case .source: break
    case .told(let order): values["fieldOrder"] = order.optionName
    case .detected: values["fieldOrder"] = "detected"
    }
    values["pixelAspectRatio"] = edit.pixelAspectRatio.map { "\($0)" }
    values["color"] = edit.color.map { "\($0.with(range: .video))" }
    values["deinterlacing"] = processing.deinterlacing?.rawValue
    if edit.rotation != .matrix { values["rotation"] = edit.rotation.rawValue }
    values["frameRate"] = processing.frameRate?.fraction
    values["conformRate"] = edit.conformRate?.fraction
    values["lut"] = processing.lut
    if let scaling = processing.scaling {
      values["size"] = "\(scaling.size.width)x\(scaling.size.height)"
      values["fitting"] = scaling.fitting.rawValue
      if scaling.fitting != .crop { values["filter"] = scaling.filter.rawValue }
    }
    if !processing.burnIns.isEmpty {
      values["burnIn"] = processing.burnIns.map(\.rawValue).sorted().joined(separator: ",")
    }
    if edit.audio != .all { values["audio"] = edit.audio.text }
    self.values = values
  }

  /// What was said of how a source is to be read; nil for nothing.
  private static func reading(_ location: AssetLocation) -> String? {
    if let raw = location.rawFormat {
      let picture = raw.picture
      return "\(picture.format.rawValue) \(picture.width)x\(picture.height) \(raw.frameRate) "
        + "\(picture.color) \(picture.fieldOrder.optionName)"
    }
    guard !location.options.isEmpty else { return nil }
    return location.options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: "&")
  }

  /// Where they are other than those that are wanted, but for the codec.
  func differences(from wanted: ExportOptions) -> [String] {
    Self.words.filter { $0.name != "codec" }.compactMap { word in
      let (was, now) = (values[word.name], wanted.values[word.name])
      guard was != now else { return nil }
      return Self.difference(word.text, was, now)
    }
  }

  /// A difference in words.
  static func difference(_ name: String, _ was: String?, _ now: String?) -> String {
    "\(name) \(was ?? "as usual") in place of \(now ?? "as usual")"
  }
}
