import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Where an asset is and, for raw video, its format: `clip.mov`, `-` for standard input,
/// `clip.v210?size=1920x1080&rate=59.94&format=v210`.
///
/// Keys for raw video after the question mark:
///
/// | key | values | default |
/// |---|---|---|
/// | `size` | `1920x1080` | none: its presence makes the file raw |
/// | `rate` | `25`, `59.94`, `30000/1001` | none |
/// | `format` | `v210`, `uyvy`, `yuv422p10`, … | the file-name extension |
/// | `color` | `bt709`, `bt601-525`, `bt601-625`, `bt2020`, `pq`, `hlg`, `unspecified` | `bt709` |
/// | `range` | `video`, `full` | `video` |
/// | `fields` | `progressive`, `tff`, `bff` | `progressive` |
///
/// All other keys are kept in ``options``; a reader rejects those that it does not know.
public struct AssetLocation: Sendable, Hashable {
  /// The path, or `-` for standard input.
  public var path: String
  /// The video format, if the file is raw.
  public var rawFormat: RawVideoFormat?
  /// Keys that do not describe raw video.
  public var options: [String: String]

  /// A location from its parts.
  public init(path: String, rawFormat: RawVideoFormat? = nil, options: [String: String] = [:]) {
    self.path = path
    self.rawFormat = rawFormat
    self.options = options
  }

  /// Parses a location as users write it. If a file of exactly this name exists, a question mark is
  /// part of its name and starts no keys.
  ///
  /// - Throws: ``AssetReaderError/Code/invalidArgument`` for an empty path and for invalid raw
  ///   video keys.
  public init(_ text: String) throws(AssetReaderError) {
    guard let mark = text.lastIndex(of: "?"), access(text, F_OK) != 0 else {
      guard !text.isEmpty else {
        throw AssetReaderError(.invalidArgument, "the path is empty; give a file, or - for a pipe")
      }
      self.init(path: text)
      return
    }
    let path = String(text[..<mark])
    guard !path.isEmpty else {
      throw AssetReaderError(.invalidArgument, "\(text): there is no path before the question mark")
    }
    var options: [String: String] = [:]
    for pair in text[text.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      options[String(parts[0])] = parts.count == 2 ? String(parts[1]) : "yes"
    }
    // An image sequence without a size is not raw: it is decoded, and its keys are its own.
    let isSequence = ImageSequence.isPattern(path) && options["size"] == nil
    let raw = isSequence ? nil : try Self.takeRawFormat(from: &options, path: path)
    self.init(path: path, rawFormat: raw, options: options)
  }

  /// Rejects keys that no reader knows.
  func checkOptions() throws(AssetReaderError) {
    let known = ImageSequence.isPattern(path) ? ["rate", "start"] : []
    guard let key = options.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw AssetReaderError(
      .invalidArgument,
      "\(path): unknown key '\(key)'" + Suggestion.remark(on: key, among: known + Self.rawKeys)
        + "; keys are \((known.isEmpty ? Self.rawKeys : known).joined(separator: ", "))")
  }

  /// True for standard input.
  public var isStandardInput: Bool { path == "-" }

  /// False for pipes, sockets, devices and folders; nil if nothing of that name exists.
  public var isRegularFile: Bool? {
    var facts = stat()
    guard !isStandardInput, stat(path, &facts) == 0 else { return isStandardInput ? false : nil }
    return facts.st_mode & S_IFMT == S_IFREG
  }

  /// The size in bytes of the file, with links resolved, or of all files of a sequence together;
  /// nil for standard input, and if nothing of that name exists.
  package var byteCount: Int64? {
    if rawFormat == nil, let sequence = try? ImageSequence(self) { return sequence.byteCount }
    var facts = stat()
    guard !isStandardInput, stat(path, &facts) == 0 else { return nil }
    return Int64(facts.st_size)
  }

  /// The name for messages.
  public var displayName: String { isStandardInput ? "standard input" : path }

  /// True if a path leads to this same file, under any name.
  public func isSameFile(asPath other: String) -> Bool {
    var (mine, theirs) = (stat(), stat())
    guard !isStandardInput, stat(path, &mine) == 0, stat(other, &theirs) == 0 else { return false }
    return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
  }

  private static let rawKeys = ["size", "rate", "format", "color", "range", "fields"]

  private static func takeRawFormat(
    from options: inout [String: String], path: String
  ) throws(AssetReaderError) -> RawVideoFormat? {
    let given = options.filter { rawKeys.contains($0.key) }
    guard !given.isEmpty else { return nil }
    for key in rawKeys { options[key] = nil }
    guard let sizeText = given["size"], let rateText = given["rate"] else {
      throw AssetReaderError(
        .invalidArgument,
        "\(path): raw video needs size and rate, such as ?size=1920x1080&rate=25&format=v210")
    }
    guard let size = VideoDimensions(sizeText) else {
      throw AssetReaderError(
        .invalidArgument, "\(path): invalid size '\(sizeText)'; write it as 1920x1080")
    }
    guard let rate = FrameRate(rateText) else {
      throw AssetReaderError(
        .invalidArgument, "\(path): invalid frame rate '\(rateText)'; write 25, 59.94 or 30000/1001"
      )
    }
    let suffix = path.split(separator: ".").last.map(String.init) ?? ""
    let names = PixelFormat.allCases.filter { !$0.isBayer }.map(\.rawValue)
    guard let format = PixelFormat(userName: given["format"] ?? suffix) else {
      throw AssetReaderError(
        .invalidArgument,
        "\(path): "
          + (given["format"].map {
            "unknown pixel format '\($0)'" + Suggestion.remark(on: $0, among: names)
          }
            ?? "no pixel format given")
          + "; format= takes one of \(names.joined(separator: ", ")), or a "
          + "sensor's such as rggb12")
    }
    let frame = PixelBuffer.Description(
      format: format, width: size.width, height: size.height,
      color: try color(given["color"], range: given["range"], format: format, path: path),
      fieldOrder: try fieldOrder(given["fields"], path: path))
    var raw = try RawVideoFormat(frame: frame, frameRate: rate)
    raw.statesFieldOrder = given["fields"] != nil
    return raw
  }

  private static func color(
    _ name: String?, range: String?, format: PixelFormat, path: String
  ) throws(AssetReaderError) -> ColorDescription {
    let known: [String: ColorDescription] = [
      "bt709": .bt709, "bt601-525": .smpte170M, "bt601-625": .bt601PAL, "bt2020": .bt2020,
      "pq": .bt2100PQ, "hlg": .bt2100HLG, "unspecified": .unspecified,
    ]
    guard let color = known[name ?? "bt709"] else {
      throw AssetReaderError(
        .invalidArgument,
        "\(path): unknown color '\(name ?? "")'"
          + Suggestion.remark(on: name ?? "", among: known.keys.sorted())
          + "; color= takes one of \(known.keys.sorted().joined(separator: ", "))")
    }
    switch range ?? (format.descriptor.subsampling == .rgb ? "full" : "video") {
    case "video": return color.with(range: .video)
    case "full": return color.with(range: .full)
    default:
      throw AssetReaderError(
        .invalidArgument,
        "\(path): unknown range '\(range ?? "")'"
          + Suggestion.remark(on: range ?? "", among: ["video", "full"])
          + "; range= takes video or full")
    }
  }

  private static func fieldOrder(
    _ name: String?, path: String
  ) throws(AssetReaderError) -> FieldOrder {
    guard let name else { return .progressive }
    let names = FieldOrder.allCases.map { ($0.optionName, $0) }
    let short = [("tff", FieldOrder.topFieldFirst), ("bff", .bottomFieldFirst)]
    guard let order = (names + short).first(where: { $0.0 == name })?.1 else {
      throw AssetReaderError(
        .invalidArgument,
        "\(path): unknown field order '\(name)'"
          + Suggestion.remark(on: name, among: (names + short).map(\.0))
          + "; fields= takes one of \(names.map(\.0).joined(separator: ", ")), tff, bff")
    }
    return order
  }
}
