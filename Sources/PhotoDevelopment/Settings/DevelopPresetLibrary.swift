import Foundation
import MediaCore

/// The available presets for development: the user's and the built-in ones.
///
/// The files of `presets/develop` are compiled in. A user's preset hides a built-in one of the same name.
public struct DevelopPresetLibrary: Sendable {
  /// More than a handwritten preset needs.
  private static let byteLimit = 1 << 20

  /// The folder of the user's presets; it need not exist.
  public let userFolder: String

  /// The user's and the built-in presets.
  ///
  /// - Parameter userFolder: The folder of the user's presets; nil for `recordctl/presets/develop` in the XDG
  ///   configuration folder.
  public init(userFolder: String? = nil) {
    self.userFolder = userFolder ?? Self.standardUserFolder(ProcessInfo.processInfo.environment)
  }

  static func standardUserFolder(_ environment: [String: String]) -> String {
    let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (configuration ?? (environment["HOME"] ?? "/") + "/.config")
      + "/recordctl/presets/develop"
  }

  /// The names of all presets, the user's first.
  public var names: [String] {
    let own = userNames
    return own + BuiltInPresets.texts.keys.filter { !own.contains($0) }.sorted()
  }

  private var userNames: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: userFolder)) ?? []
    return files.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted()
      .map { String($0.dropLast(5)) }
  }

  /// Reads a preset by name, or by path if `name` contains a slash or ends in `.toml`.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/invalidPreset`` if it does not exist or is invalid.
  public func preset(named name: String) throws(PhotoDevelopmentError) -> DevelopPreset {
    if name.hasSlash || name.hasSuffix(".toml") {
      let plain = URL(filePath: name).deletingPathExtension().lastPathComponent
      return try DevelopPreset(try Self.read(name), name: plain, path: name)
    }
    if userNames.contains(name) {
      let path = "\(userFolder)/\(name).toml"
      return try DevelopPreset(try Self.read(path), name: name, path: path)
    }
    if let text = BuiltInPresets.texts[name] {
      return try DevelopPreset(text, name: name, path: "presets/develop/\(name).toml")
    }
    throw PhotoDevelopmentError(
      .invalidPreset,
      "unknown preset '\(name)'\(Suggestion.remark(on: name, among: names)); choose one of "
        + "\(names.joined(separator: ", ")), or give a file's path with a / or .toml")
  }

  private static func read(_ path: String) throws(PhotoDevelopmentError) -> String {
    let bytes = try RegularFile.bytes(of: path, byteLimit: byteLimit) { message, errno in
      PhotoDevelopmentError(.invalidPreset, message, errno: errno)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PhotoDevelopmentError(
        .invalidPreset, "\(path) is not UTF-8; name a preset, a TOML file in UTF-8")
    }
    return text
  }
}
