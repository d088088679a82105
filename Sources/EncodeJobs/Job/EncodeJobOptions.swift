import AssetReader
import AssetWriter
public import MediaCore
public import MovieExport

/// The settings of an export in parts, in the syntax of the options of `encode`.
public struct EncodeJobOptions: Sendable, Hashable, Codable {
  /// The codec, such as `hq`; nil to choose for each source.
  public var codec: String?
  /// The first frame's timecode; nil for the source's.
  public var timecode: String?
  /// `--in` as given; nil for the source's beginning.
  public var start: String?
  /// `--out` as given; nil for the source's end.
  public var end: String?
  /// The field order; nil for the source's.
  public var fieldOrder: FieldOrder?
  /// The frame rate at which the same frames are shown; nil for the source's.
  public var conform: String?
  /// The size, such as `1280x720`; nil for the source's.
  public var size: String?
  /// How frames fit the size.
  public var fitting: String?
  /// The scaling filter.
  public var filter: String?
  /// `matrix` or `apply`.
  public var rotate: String
  /// The choice of audio tracks.
  public var audio: String
  /// The pixel aspect ratio, such as `16:15`; nil for the source's.
  public var pixelAspectRatio: String?
  /// The color's code points, such as `1-1-1`; nil for the source's.
  public var color: String?

  /// Creates the options of an export.
  ///
  /// - Throws: ``EncodeJobError/Code/notDivisible`` for settings that need frames of several parts.
  public init(
    _ session: AssetExportSession
  ) throws(EncodeJobError) {
    let edit = session.edit
    let processing = edit.processing
    let refused = [
      processing.deinterlacing == nil ? nil : "deinterlacing",
      processing.frameRate == nil ? nil : "another rate",
      processing.lut == nil ? nil : "a look-up table",
      processing.burnIns.isEmpty ? nil : "a burn-in",
      session.scan == .detected ? "detection of the field order" : nil,
      session.maximumFrameCount == nil ? nil : "a frame limit",
      [.automatic, .native].contains(session.encoder) ? nil : "encoding by \(session.encoder)",
    ].compactMap(\.self)
    guard refused.isEmpty else {
      throw EncodeJobError(
        .notDivisible,
        "\(refused.joined(separator: ", ")) cannot be done in parts: leave it out, or encode it in one piece"
      )
    }
    codec = session.codec?.shortName
    timecode = session.startTimecode
    start = edit.start?.text
    end = edit.end?.text
    if case .given(let order) = session.scan { fieldOrder = order }
    conform = edit.conformRate?.fraction
    size = processing.scaling.map { "\($0.size.width)x\($0.size.height)" }
    fitting = processing.scaling?.fitting.rawValue
    filter = processing.scaling?.filter.rawValue
    rotate = edit.rotation.rawValue
    audio = edit.audio.text
    pixelAspectRatio = edit.pixelAspectRatio.map { "\($0)" }
    color = edit.color.map {
      "\($0.primaries.rawValue)-\($0.transferFunction.rawValue)-\($0.matrix.rawValue)"
    }
  }

  /// The export with these options.
  ///
  /// - Throws: ``EncodeJobError/Code/notAJob`` for invalid values.
  func session(
    _ location: AssetLocation, outputPath: String
  ) throws(EncodeJobError) -> AssetExportSession {
    var session = AssetExportSession(location: location, outputPath: outputPath)
    session.codec = try codec.map { name throws(EncodeJobError) in
      try Self.read(name, "codec", VideoCodecType.allProRes.first { $0.shortName == name })
    }
    session.startTimecode = timecode
    session.scan = fieldOrder.map(AssetExportSession.Scan.given) ?? .source
    session.encoder = .native
    session.edit = try edit()
    return session
  }

  private func edit() throws(EncodeJobError) -> ExportEdit {
    var edit = ExportEdit()
    edit.start = try start.map { text throws(EncodeJobError) in
      try Self.read(text, "start", ExportPoint(text))
    }
    edit.end = try end.map { text throws(EncodeJobError) in
      try Self.read(text, "end", ExportPoint(text))
    }
    edit.conformRate = try conform.map { text throws(EncodeJobError) in
      try Self.read(text, "conform", FrameRate(text))
    }
    if let size {
      var scaling = VideoProcessing.Scaling(try Self.read(size, "size", VideoDimensions(size)))
      scaling.fitting = try Self.read(
        fitting ?? "", "fitting", VideoProcessing.Fitting(rawValue: fitting ?? ""))
      scaling.filter = try Self.read(
        filter ?? "", "filter", VideoProcessing.ScalingFilter(rawValue: filter ?? ""))
      edit.processing.scaling = scaling
    }
    edit.rotation = try Self.read(rotate, "rotate", ExportEdit.Rotation(rawValue: rotate))
    edit.audio = try Self.read(audio, "audio", AudioSelection(audio))
    if let text = pixelAspectRatio {
      let parts = text.split(separator: ":").compactMap { Int32($0) }
      let isRatio = parts.count == 2 && parts.allSatisfy { $0 > 0 }
      edit.pixelAspectRatio = try Self.read(
        text, "pixelAspectRatio", isRatio ? PixelAspectRatio(parts[0], parts[1]) : nil)
    }
    if let text = color { edit.color = try Self.read(text, "color", Self.color(text)) }
    return edit
  }

  private static func color(_ text: String) -> ColorDescription? {
    let parts = text.split(separator: "-").compactMap { UInt8($0) }
    guard parts.count == 3, let primaries = ColorDescription.Primaries(rawValue: parts[0]),
      let transfer = ColorDescription.TransferFunction(rawValue: parts[1]),
      let matrix = ColorDescription.Matrix(rawValue: parts[2])
    else { return nil }
    return ColorDescription(primaries: primaries, transferFunction: transfer, matrix: matrix)
  }

  private static func read<Value>(
    _ text: String, _ key: String, _ value: Value?
  ) throws(EncodeJobError) -> Value {
    guard let value else {
      throw EncodeJobError(.notAJob, "the plan's options.\(key) is '\(text)', which is invalid")
    }
    return value
  }
}
