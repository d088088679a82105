import ArgumentParser
import AssetReader
import AssetWriter
import MediaCore
import MovieExport
import VideoRecorder

/// What `encode` uses of its inputs, and what it does to them.
struct EncodeArguments: ParsableArguments {
  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      """
      First frame to encode: a timecode, a time such as 12.5s or 1:30, or a frame number such as \
      250f.
      """, valueName: "point"),
    transform: ExportPoint.argument)
  var start: ExportPoint?

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp(
      "End point, written as for --in; this frame is not encoded.", valueName: "point"),
    transform: ExportPoint.argument)
  var end: ExportPoint?

  @Option(
    help: "Field order, overriding the input's: tff, bff or progressive.",
    completion: .list(FieldOrder.names), transform: FieldOrder.argument)
  var scan: FieldOrder?

  @Flag(help: "Detect the field order from the frames.")
  var detectScan = false

  @Option(
    help: "Deinterlace with bwdif: frames, or fields for twice the frame rate.",
    completion: VideoProcessing.Deinterlacing.completions,
    transform: VideoProcessing.Deinterlacing.argument)
  var deinterlace: VideoProcessing.Deinterlacing?

  @Option(
    help: "Scale to WIDTHxHEIGHT in square pixels, such as 1280x720.",
    completion: VideoDimensions.completions, transform: VideoDimensions.argument)
  var size: VideoDimensions?

  @Option(
    help: """
      With --size: fit (add black bars), fill (crop the edges), stretch, or crop (no scaling) \
      (default: fit).
      """,
    completion: VideoProcessing.Fitting.completions,
    transform: VideoProcessing.Fitting.argument)
  var fitting: VideoProcessing.Fitting?

  @Option(
    help:
      """
      With --size: scaling filter, one of point, bilinear, bicubic, spline16, spline36 or lanczos \
      (default: spline36).
      """,
    completion: VideoProcessing.ScalingFilter.completions,
    transform: VideoProcessing.ScalingFilter.argument)
  var filter: VideoProcessing.ScalingFilter?

  @Option(
    help:
      "Convert to this frame rate by repeating or dropping frames; the duration stays the same.",
    completion: FrameRate.completions, transform: FrameRate.argument)
  var rate: FrameRate?

  @Option(
    help: "Play the same frames at this rate, faster or slower; the audio follows.",
    completion: FrameRate.completions, transform: FrameRate.argument)
  var conform: FrameRate?

  @Option(
    help: "Pixel aspect ratio, overriding the input's, such as 16:15.",
    transform: PixelAspectRatio.argument)
  var sar: PixelAspectRatio?

  @Option(
    help: """
      Color space, overriding the input's: bt709, bt601-525, bt601-625, bt2020, pq or hlg. Pixels \
      are not converted.
      """,
    completion: .list(ColorDescription.optionNames), transform: ColorDescription.argument)
  var color: ColorDescription?

  @Option(
    help:
      """
      How to handle a rotated input: matrix (players rotate it) or apply (rotate the frames) \
      (default: matrix).
      """,
    completion: ExportEdit.Rotation.completions, transform: ExportEdit.Rotation.argument)
  var rotate = ExportEdit.Rotation.matrix

  @Option(
    help: "Apply a 3D look-up table, such as a .cube file.", completion: .file(extensions: ["cube"])
  )
  var lut: String?

  @Option(
    help:
      "Draw into the frames: timecode, frame (its number) or name; separate several with commas.",
    completion: VideoProcessing.BurnIn.completions, transform: VideoProcessing.BurnIn.arguments)
  var burnIn: Set<VideoProcessing.BurnIn> = []

  @Option(
    help: """
      Audio tracks and channels to keep, counted from 1: all, none, 2, 2,1 or 1:1+2,1:3. Levels \
      are unchanged and nothing is mixed.
      """,
    transform: AudioSelection.argument)
  var audio = AudioSelection.all

  func validate() throws {
    guard scan == nil || !detectScan else {
      throw ValidationError("--scan and --detect-scan exclude each other; give only one")
    }
    guard rate == nil || conform == nil else {
      throw ValidationError(
        "--rate keeps the duration, --conform keeps the frames; give only one")
    }
    guard size != nil || fitting == nil && filter == nil else {
      throw ValidationError("--fitting and --filter need --size")
    }
    guard fitting != .crop || filter == nil else {
      throw ValidationError("--fitting crop does not scale; leave --filter out")
    }
    guard fitting != .stretch || sar == nil else {
      throw ValidationError("--fitting stretch ignores the pixel aspect ratio; leave out --sar")
    }
  }

  /// The edits that the arguments ask for.
  var edit: ExportEdit {
    var edit = ExportEdit()
    edit.start = start
    edit.end = end
    edit.processing.deinterlacing = deinterlace
    edit.processing.frameRate = rate
    edit.processing.lut = lut
    edit.processing.burnIns = burnIn
    edit.processing.scaling = size.map { size in
      var scaling = VideoProcessing.Scaling(size)
      if let fitting { scaling.fitting = fitting }
      if let filter { scaling.filter = filter }
      return scaling
    }
    edit.conformRate = conform
    edit.rotation = rotate
    edit.audio = audio
    edit.pixelAspectRatio = sar
    edit.color = color
    return edit
  }
}

extension VideoProcessing.Deinterlacing: NamedValue { static let noun = "way to deinterlace" }
extension VideoProcessing.Fitting: NamedValue { static let noun = "fitting" }
extension VideoProcessing.ScalingFilter: NamedValue { static let noun = "filter" }
extension ExportEdit.Rotation: NamedValue { static let noun = "rotation" }

extension VideoProcessing.BurnIn: NamedValue {
  static let noun = "burn-in"

  static func arguments(_ text: String) throws -> Set<Self> {
    Set(
      try text.split(separator: ",", omittingEmptySubsequences: false).map {
        try argument(String($0))
      })
  }
}

extension ExportPoint {
  static func argument(_ text: String) throws -> ExportPoint {
    guard let point = ExportPoint(text) else {
      throw ValidationError(
        "invalid point '\(text)'; write 10:00:00:00, 1:30.5, 12.5s, or 250f for a frame")
    }
    return point
  }
}

extension AudioSelection {
  static func argument(_ text: String) throws -> AudioSelection {
    guard let selection = AudioSelection(text) else {
      throw ValidationError(
        "invalid choice of audio '\(text)'; write all, none, 2, 2,1, or 1:1+2,1:3 for channels")
    }
    return selection
  }
}

extension PixelAspectRatio {
  static func argument(_ text: String) throws -> PixelAspectRatio {
    let parts = text.split(whereSeparator: { ":/".contains($0) }).map { Int32($0) }
    guard parts.count == 2, let horizontal = parts[0], let vertical = parts[1], horizontal > 0,
      vertical > 0
    else {
      throw ValidationError("invalid pixel aspect ratio '\(text)'; write 16:15 or 1:1")
    }
    return PixelAspectRatio(horizontal, vertical)
  }
}

extension ColorDescription {
  private static let named: [(String, ColorDescription)] = [
    ("bt709", .bt709), ("bt601-525", .smpte170M), ("bt601-625", .bt601PAL), ("bt2020", .bt2020),
    ("pq", .bt2100PQ), ("hlg", .bt2100HLG),
  ]

  static let optionNames = named.map(\.0)

  static func argument(_ text: String) throws -> ColorDescription {
    guard let color = named.first(where: { $0.0 == text.lowercased() })?.1 else {
      throw unknown("color", text, optionNames)
    }
    return color
  }
}

extension FieldOrder {
  static let names = ["tff", "bff", "progressive"]

  static func argument(_ text: String) throws -> FieldOrder {
    switch text {
    case "tff": return .topFieldFirst
    case "bff": return .bottomFieldFirst
    case "progressive": return .progressive
    default:
      throw ValidationError(
        "unknown field order '\(text)'" + Suggestion.remark(on: text, among: names)
          + "; choose tff, bff or progressive")
    }
  }
}
