import MediaCore

#if canImport(Glibc)
public import CaptureDevices
import Glibc
#else
import Musl
#endif

/// A movie's name with wildcards: `{reel}_{scene}-{take}`.
///
/// `{reel}`, `{scene}`, `{device}` and `{preset}` stand for what was said; `{date}` and `{time}` for
/// the moment of the start in local time (`2026-11-21`, `143000`); `{take}` for the take's number, and
/// `{counter}` for the first number, from 001, whose name is free. Where no take was said, `{take}`
/// counts in the same way.
public struct MovieName: Sendable, Hashable {
  /// What the wildcards stand for.
  public struct Values: Sendable, Hashable {
    public var reel: String?
    public var scene: String?
    public var take: Int?
    /// The device's name.
    public var device = ""
    /// The preset's name.
    public var preset = ""
    /// The name of the file that a movie is made of, without its extension.
    public var name: String?
    /// That file's extension.
    public var pathExtension: String?
    /// The codec in short: `hq`.
    public var codec: String?
    /// Seconds since 1970 UTC of the start.
    public var unixTime = 0.0

    /// Nothing said.
    public init() {}
  }

  /// The wildcards, without their braces.
  public static let wildcards = [
    "reel", "scene", "take", "date", "time", "counter", "device", "preset",
  ]
  /// The wildcards of movies that are made of files, without their braces.
  public static let exportWildcards = ["name", "ext", "codec", "date", "time", "counter"]
  /// Bytes of a file's name on every usual file system, without those of `-001` and a suffix.
  static let longestName = 240
  /// Numbers that are looked at for one that is free.
  private static let numbersTried = 10_000

  private enum Part: Sendable, Hashable {
    case text(String)
    case wildcard(String)
  }

  /// The folder in front of the name, as it was given; empty for none.
  public let folder: String
  private var parts: [Part]

  /// Reads a path whose last component may have wildcards.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument` for an unknown wildcard, an unmatched brace, a wildcard in a
  ///   folder's name, an invisible character, and a name that no file can have.
  public init(_ path: String) throws(CaptureError) {
    folder = String(path[..<path.nameStart])
    let name = path.pathName
    guard !folder.contains("{") else {
      throw CaptureError(
        .invalidArgument,
        "\(path): wildcards are allowed only in the file's name, not in a folder's")
    }
    guard !name.isEmpty, name != ".", name != ".." else {
      throw CaptureError(.invalidArgument, "\(path): names no file; add a name such as take.mov")
    }
    parts = try Self.parts(of: name, known: Self.wildcards)
  }

  /// Reads what was asked for: a movie, or the folder that one is to be made in.
  ///
  /// - Parameters:
  ///   - output: A movie's path, or a folder that is there; nil for the working folder.
  ///   - standardName: The name of a movie in a folder; nil for date and time.
  /// - Throws: As ``init(_:)`` and ``init(presetName:)``.
  public init(output: String?, standardName: String?) throws(CaptureError) {
    if let output, !Self.isFolder(output) {
      try self.init(output)
      return
    }
    self.init(
      folder: output.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? "",
      parts: try MovieName(presetName: standardName ?? "{date}-{time}").parts)
  }

  private init(folder: String, parts: [Part]) {
    self.folder = folder
    self.parts = parts
  }

  /// The folder, as the path of one.
  package var folderPath: String { folder.isEmpty ? "." : folder }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads a name that comes from a preset: no folder may stand in it.
  ///
  /// - Throws: As ``init(_:)``, and where there is a slash, or nothing.
  public init(presetName: String) throws(CaptureError) {
    guard !presetName.hasSlash else {
      throw CaptureError(
        .invalidArgument,
        "\(presetName): a preset's name must not contain a folder; give the folder as the output")
    }
    guard !presetName.isEmpty else {
      throw CaptureError(
        .invalidArgument, "the movie's name is empty; give one such as {date}-{take}")
    }
    try self.init(presetName.hasSuffix(".mov") ? presetName : presetName + ".mov")
  }

  /// Reads the name of movies that are made of files: `{name}_{codec}`, with ``exportWildcards``.
  ///
  /// - Parameters:
  ///   - exportName: The name, with wildcards and without a folder.
  ///   - folder: The folder that they are made in.
  /// - Throws: As ``init(_:)``, and where there is a slash in the name.
  public init(exportName: String, folder: String) throws(CaptureError) {
    guard !exportName.hasSlash, !exportName.isEmpty else {
      throw CaptureError(
        .invalidArgument, "'\(exportName)' names no file; a name has no folder in it")
    }
    self.init(
      folder: folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/",
      parts: try Self.parts(
        of: exportName.hasSuffix(".mov") ? exportName : exportName + ".mov",
        known: Self.exportWildcards))
  }

  private static func parts(
    of name: String, known wildcards: [String]
  ) throws(CaptureError) -> [Part] {
    if let character = name.firstHiddenCharacter {
      throw CaptureError(
        .invalidArgument, "the movie's name has \(character); leave it out")
    }
    var parts: [Part] = []
    var rest = Substring(name)
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      guard rest[brace] == "{", let end = rest.firstIndex(of: "}") else {
        throw CaptureError(.invalidArgument, "\(name): unpaired brace; write wildcards as {take}")
      }
      let wildcard = String(rest[rest.index(after: brace)..<end])
      guard wildcards.contains(wildcard) else {
        throw CaptureError(
          .invalidArgument,
          "\(name): unknown wildcard {\(wildcard)}"
            + Suggestion.remark(on: wildcard, among: wildcards) + "; known are "
            + wildcards.map { "{\($0)}" }.joined(separator: ", "))
      }
      parts.append(.wildcard(wildcard))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// A movie's path, and the take that its name tells.
  public struct Resolution: Sendable, Hashable {
    public var path: String
    /// The take's number, given or counted; nil for neither.
    public var take: Int?

    /// A path, and the take that it belongs to.
    public init(path: String, take: Int? = nil) {
      self.path = path
      self.take = take
    }
  }

  /// True where the name counts: the first free number is taken.
  private func counts(_ values: Values) -> Bool {
    hasCounter || countsTakes && values.take == nil
  }

  /// True where the name has the first number that is free.
  public var hasCounter: Bool { parts.contains(.wildcard("counter")) }

  /// True where the name has the second in which a take begins: another recorder may begin in it as well.
  var tellsTime: Bool { parts.contains(.wildcard("time")) }

  private var countsTakes: Bool { parts.contains(.wildcard("take")) }

  /// The name with the number of the take at its end, where nothing in it tells takes apart.
  public var tellingTakes: MovieName {
    let counting: Set<Part> = [.wildcard("take"), .wildcard("counter")]
    guard counting.isDisjoint(with: parts) else { return self }
    var name = self
    guard case .text(let end)? = parts.last, let dot = end.lastIndex(of: ".") else {
      name.parts += [.text("-"), .wildcard("take")]
      return name
    }
    name.parts.removeLast()
    name.parts += [.text(end[..<dot] + "-"), .wildcard("take"), .text(String(end[dot...]))]
    return name
  }

  /// A path with a number before its extension: `take-2.mov`.
  static func numbered(_ path: String, _ number: Int) -> String {
    let name = path[path.nameStart...]
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? path.endIndex
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }

  /// The path of a movie.
  ///
  /// - Parameters:
  ///   - values: What the wildcards stand for.
  ///   - first: The number from which the name counts.
  ///   - isTaken: Tells whether a path is taken already; asked for names that count only.
  /// - Throws: `CaptureError.Code.invalidArgument` for a wildcard that nothing was said for, a name
  ///   that is too long, and where all numbers are taken.
  public func resolve(
    _ values: Values, from first: Int = 1, isTaken: (String) -> Bool
  ) throws(CaptureError) -> Resolution {
    guard counts(values) else {
      return Resolution(path: try path(values, number: first), take: values.take)
    }
    let numbers = first..<first.addingSaturating(Self.numbersTried)
    for number in numbers {
      let path = try path(values, number: number)
      guard !isTaken(path) else { continue }
      return Resolution(path: path, take: values.take ?? (countsTakes ? number : nil))
    }
    throw CaptureError(
      .invalidArgument,
      "all names from \(Self.padded(first)) to \(numbers.upperBound - 1) are taken in \(folderPath)"
    )
  }

  /// The path of a movie.
  ///
  /// - Parameters:
  ///   - values: What the wildcards stand for.
  ///   - isTaken: Tells whether a path is taken already; asked for names that count only.
  /// - Throws: As ``resolve(_:from:isTaken:)``.
  public func path(
    _ values: Values, isTaken: (String) -> Bool
  ) throws(CaptureError) -> String { try resolve(values, isTaken: isTaken).path }

  private func path(_ values: Values, number: Int) throws(CaptureError) -> String {
    var name = ""
    for part in parts {
      switch part {
      case .text(let text): name += text
      case .wildcard(let wildcard): name += try value(wildcard, values, number: number)
      }
    }
    // A leading dot would hide the file, also under a mark that combines with it.
    if name.unicodeScalars.first == ".", parts.first != .text(name) {
      name = "-" + String(name.unicodeScalars.dropFirst())
    }
    guard name.utf8.count <= Self.longestName else {
      throw CaptureError(
        .invalidArgument,
        "\(name.prefix(40))…: a name of \(name.utf8.count) bytes; the limit is \(Self.longestName)")
    }
    return folder + name
  }

  private func value(
    _ wildcard: String, _ values: Values, number: Int
  ) throws(CaptureError) -> String {
    switch wildcard {
    case "reel": try said(values.reel, "reel")
    case "scene": try said(values.scene, "scene")
    case "name": try said(values.name, "name")
    case "ext": try said(values.pathExtension, "ext")
    case "codec": try said(values.codec, "codec")
    case "take": Self.padded(values.take ?? number)
    case "counter": Self.padded(number)
    case "device": try said(values.device, "device")
    case "preset": try said(values.preset.isEmpty ? "none" : values.preset, "preset")
    case "date": Self.moment(values.unixTime).date
    default: Self.moment(values.unixTime).time
    }
  }

  private func said(_ value: String?, _ name: String) throws(CaptureError) -> String {
    let safe = Self.safe(value ?? "")
    guard !safe.isEmpty else {
      throw CaptureError(
        .invalidArgument, "the file's name has {\(name)}, but no \(name) was given; add --\(name)")
    }
    return safe
  }

  /// The text without characters that a file system could refuse in a name: separators, invisible ones, and those
  /// that FAT reserves.
  static func safe(_ text: String) -> String {
    let kept = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.isHidden || "/\\:*?\"<>|{}".unicodeScalars.contains(scalar) ? "-" : scalar
    }
    // Not by characters: a mark may combine with a dot.
    var safe = kept[...]
    while let first = safe.first, first == " " || first == "." { safe = safe.dropFirst() }
    while let last = safe.last, last == " " || last == "." { safe = safe.dropLast() }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: safe)
    return String(text)
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(max(number, 0))
    return String(repeating: "0", count: max(3 - digits.count, 0)) + digits
  }

  private static func moment(_ unixTime: Double) -> (date: String, time: String) {
    var whole = time_t(unixTime)
    var parts = tm()
    localtime_r(&whole, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return (
      "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))",
      two(parts.tm_hour) + two(parts.tm_min) + two(parts.tm_sec)
    )
  }
}
