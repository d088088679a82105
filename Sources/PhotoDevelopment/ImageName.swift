import DNG
import Foundation
import ImageFiles
import MediaCore

/// A template for the names of finished images, with wildcards: `{date}_{name}`.
///
/// `{name}` is the photo's name without its extension, `{number}` its number among the photos, from 0001, `{date}`
/// and `{time}` the time of exposure on the camera's clock (`2026-11-21`, `143000`), and `{camera}` the camera's
/// model.
public struct ImageName: Sendable, Hashable {
  /// The wildcards, without their braces.
  public static let wildcards = ["name", "number", "date", "time", "camera"]

  private enum Part: Sendable, Hashable {
    case text(String)
    case wildcard(String)
  }

  /// The folder for all images; nil for each photo's own folder.
  let folder: String?
  private let parts: [Part]
  /// True for a name of a single file.
  let isFixed: Bool

  /// Parses an output argument.
  ///
  /// - Parameters:
  ///   - output: A folder that exists or ends with a slash, or a path whose last component may have wildcards, with
  ///     or without the format's extension; nil for the photo's own name, next to it.
  ///   - isOfFolder: True if the photos come from a folder, however many there are: a plain name then also names a
  ///     folder.
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` for an unknown wildcard, a wildcard in a folder's
  ///   name, an unmatched brace, and an empty name.
  public init(
    _ output: String?, isOfFolder: Bool = false
  ) throws(PhotoDevelopmentError) {
    guard let output else {
      (folder, parts, isFixed) = (nil, [.wildcard("name")], false)
      return
    }
    guard !output.isEmpty else {
      throw PhotoDevelopmentError(
        .invalidArgument, "the images' name is empty; write a name or a folder, or leave it out")
    }
    var isDirectory: ObjCBool = false
    let isFolder =
      FileManager.default.fileExists(atPath: output, isDirectory: &isDirectory)
      && isDirectory.boolValue
    if !isFolder { try Self.checkFolder(of: output) }
    let isPlain = URL(filePath: output).pathExtension.isEmpty && !output.contains("{")
    if isFolder || output.hasSuffix("/") || isOfFolder && isPlain {
      (folder, parts, isFixed) = (output, [.wildcard("name")], false)
      return
    }
    let url = URL(filePath: output)
    folder = Self.folder(of: output)
    parts = try Self.parts(url.lastPathComponent)
    isFixed = parts.allSatisfy { if case .text = $0 { true } else { false } }
  }

  /// Throws for wildcards before the last component, which would be created as folders with these names.
  private static func checkFolder(of output: String) throws(PhotoDevelopmentError) {
    let folder = folder(of: output)
    guard let wildcard = wildcards.first(where: { folder.contains("{\($0)}") }) else { return }
    throw PhotoDevelopmentError(
      .invalidArgument,
      "\(output): {\(wildcard)} is in a folder's name, but wildcards are only for the image's"
    )
  }

  private static func parts(_ name: String) throws(PhotoDevelopmentError) -> [Part] {
    var parts: [Part] = []
    var rest = name[...]
    while let open = rest.firstIndex(of: "{") {
      let text = rest[..<open]
      guard let close = rest[open...].firstIndex(of: "}"), !text.contains("}") else {
        throw PhotoDevelopmentError(.invalidArgument, "\(name): unmatched brace")
      }
      let wildcard = String(rest[rest.index(after: open)..<close])
      guard wildcards.contains(wildcard) else {
        throw PhotoDevelopmentError(
          .invalidArgument,
          "\(name): unknown wildcard {\(wildcard)}; choose "
            + wildcards.map { "{\($0)}" }.joined(separator: ", "))
      }
      if !text.isEmpty { parts.append(.text(String(text))) }
      parts.append(.wildcard(wildcard))
      rest = rest[rest.index(after: close)...]
    }
    guard !rest.contains("}") else {
      throw PhotoDevelopmentError(.invalidArgument, "\(name): unmatched brace")
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// True if the name depends on the contents of the photo's file.
  var needsMetadata: Bool {
    parts.contains { part in
      if case .wildcard(let name) = part {
        ["date", "time", "camera"].contains(name)
      } else {
        false
      }
    }
  }

  /// True if an image's name identifies its photo. Dates, cameras and numbers do not, because another run may give
  /// the same name to another photo.
  var tellsPhoto: Bool { isFixed || parts.contains(.wildcard("name")) }

  /// The extension at the end of the name, in lower case and without the dot; nil if there is none.
  private var ending: String? {
    guard case .text(let text) = parts.last, let dot = text.lastIndex(of: "."),
      parts.count > 1 || dot > text.startIndex
    else { return nil }
    return text[text.index(after: dot)...].lowercased()
  }

  /// Extensions of formats that are not written here. `.dng` is allowed, because it may end a photo's full name,
  /// followed by the image's extension.
  private static let others: Set = ["webp", "gif", "bmp", "jp2", "psd", "pdf"]

  /// Throws for another format's extension, to which the image's would be appended.
  func check(_ format: ImageFileFormat) throws(PhotoDevelopmentError) {
    guard let ending, !format.fileExtensions.contains(ending) else { return }
    let other = ImageFileFormat.allCases.first { $0.fileExtensions.contains(ending) }
    guard other != nil || Self.others.contains(ending) else { return }
    throw PhotoDevelopmentError(
      .invalidArgument,
      "the name ends in .\(ending), but the images are \(format.rawValue); choose "
        + (other.map { "\($0.rawValue), or " } ?? "") + "another ending")
  }

  /// The path of an image.
  ///
  /// - Parameter number: The photo's number, from 1.
  func path(
    of source: String, number: Int, metadata: PhotoMetadata, format: ImageFileFormat
  ) -> String {
    let url = URL(filePath: source)
    let name = parts.map { part in
      switch part {
      case .text(let text): text
      case .wildcard("name"): url.deletingPathExtension().lastPathComponent
      case .wildcard("number"): Self.padded(number)
      case .wildcard("date"): Self.moment(metadata)?.date ?? "undated"
      case .wildcard("time"): Self.moment(metadata)?.time ?? "untimed"
      case .wildcard: Self.safe(metadata.model ?? "camera")
      }
    }.joined()
    let folder = folder ?? Self.folder(of: source)
    let isComplete = format.fileExtensions.contains(URL(filePath: name).pathExtension.lowercased())
    return (folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/") + name
      + (isComplete ? "" : "." + format.fileExtension)
  }

  /// The folder of a path as written; empty for the working directory.
  private static func folder(of path: String) -> String {
    path.hasSlash ? path.parentPath : ""
  }

  private static func padded(_ number: Int, digits: Int = 4) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }

  /// `2026-11-21` and `143000`. Not by `DateFormatter`, which traps at some UTC offsets that a `TimeZone` can have.
  private static func moment(_ metadata: PhotoMetadata) -> (date: String, time: String)? {
    guard let date = metadata.date else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = metadata.timeZone
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    func text(_ number: Int?, digits: Int = 2) -> String { padded(number ?? 0, digits: digits) }
    return (
      "\(text(parts.year, digits: 4))-\(text(parts.month))-\(text(parts.day))",
      text(parts.hour) + text(parts.minute) + text(parts.second)
    )
  }

  /// A text without characters that are unsafe in file names.
  private static func safe(_ text: String) -> String {
    String(
      text.map { $0 == "/" || $0 == "\\" || $0.asciiValue.map { $0 < 32 } ?? false ? "-" : $0 })
  }
}
