import AssetReader
import AssetWriter
import MediaCore

/// The settings of an export as text, as recorded in sidecars. Defaults are omitted. Two exports of
/// a source with the same values make the same movie.
package struct ExportOptions: Equatable {
  /// The values, by their names in sidecars.
  package let values: [String: String]

  /// The names in messages.
  private static let words: [(name: String, text: String)] = [
    ("codec", "codec"), ("encoder", "encoder"), ("reading", "reading of the source"),
    ("start", "in point"), ("end", "out point"),
    ("frameLimit", "number of frames"), ("timecode", "timecode"), ("fieldOrder", "field order"),
    ("pixelAspectRatio", "pixel aspect ratio"), ("color", "color"),
    ("deinterlacing", "deinterlacing"), ("rotation", "rotation"), ("frameRate", "frame rate"),
    ("conformRate", "conformed rate"), ("lut", "look-up table"), ("size", "size"),
    ("fitting", "fitting"), ("filter", "filter"), ("burnIn", "burn-in"), ("audio", "audio"),
  ]

  /// The options in a sidecar.
  init(_ values: [String: String]) { self.values = values }

  /// The options of an export.
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
    case .given(let order): values["fieldOrder"] = order.optionName
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

  /// How a source is to be read; nil for the default.
  private static func reading(_ location: AssetLocation) -> String? {
    if let raw = location.rawFormat {
      let frame = raw.frame
      return "\(frame.format.rawValue) \(frame.width)x\(frame.height) \(raw.frameRate) "
        + "\(frame.color) \(frame.fieldOrder.optionName)"
    }
    guard !location.options.isEmpty else { return nil }
    return location.options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: "&")
  }

  /// The differences from the wanted options, except the codec.
  func differences(from wanted: ExportOptions) -> [String] {
    Self.words.filter { $0.name != "codec" }.compactMap { word in
      let (was, now) = (values[word.name], wanted.values[word.name])
      guard was != now else { return nil }
      return Self.difference(word.text, was, now)
    }
  }

  /// Describes a difference.
  static func difference(_ name: String, _ was: String?, _ now: String?) -> String {
    "\(name) \(was ?? "default") instead of \(now ?? "default")"
  }
}
