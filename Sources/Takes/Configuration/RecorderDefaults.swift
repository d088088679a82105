public import CaptureDevices
import FoundationEssentials
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The user's defaults for what a command does not specify: device, preset, folder of movies,
/// library.
///
/// Environment variables override the user's file, `recordctl/config.toml` in the XDG configuration
/// folder. `docs/configuration.md` describes both.
public struct RecorderDefaults: Sendable, Hashable {
  /// Where a default was found.
  public enum Origin: Sendable, Hashable, CustomStringConvertible {
    /// A variable of the environment, by its name.
    case environment(String)
    /// A line of a file.
    case file(path: String, line: Int)

    /// For people: `RECORDCTL_DEVICE`, `/home/me/.config/recordctl/config.toml:3`.
    public var description: String {
      switch self {
      case .environment(let name): name
      case .file(let path, let line): "\(path):\(line)"
      }
    }
  }

  /// What can have a default. The raw value is its key in the file.
  public enum Setting: String, Sendable, Hashable, CaseIterable {
    /// The video device's identifier.
    case device
    /// The preset's name, or the path of a preset file.
    case preset
    /// The folder of a movie whose name is not given.
    case outputFolder = "output-folder"
    /// The library's folder.
    case library

    /// The variable of the environment.
    public var variable: String {
      "RECORDCTL_" + rawValue.uppercased().replacing("-", with: "_")
    }

    private var isPath: Bool { self == .outputFolder || self == .library }

    /// The value with the user's folder for `~/`, where it is a path.
    func expanded(_ text: String, home: String?) -> String {
      guard isPath, text.hasPrefix("~/"), let home else { return text }
      return home + text.dropFirst(1)
    }
  }

  /// A default and where it was found.
  public struct Value: Sendable, Hashable {
    public let text: String
    /// Where it was found.
    public let origin: Origin
  }

  /// The defaults that there are.
  public private(set) var values: [Setting: Value] = [:]

  /// Reads the user's file and the environment.
  ///
  /// - Parameter variables: The environment; nil for that of the process. An empty variable counts as
  ///   none.
  /// - Throws: `CaptureError.Code.invalidPreset` for a file that cannot be read or does not follow
  ///   the schema, with file, line and column.
  public init(
    environment variables: [String: String]? = nil
  ) throws(CaptureError) {
    let environment = variables ?? ProcessInfo.processInfo.environment
    let home = environment["HOME"]
    let folder = UserConfiguration.folder(environment["XDG_CONFIG_HOME"], home: home)
    try read(folder + "/config.toml", home: home)
    for setting in Setting.allCases {
      guard let text = environment[setting.variable], !text.isEmpty else { continue }
      values[setting] = Value(text: text, origin: .environment(setting.variable))
    }
  }

  /// The value of a setting; nil without a default.
  public subscript(setting: Setting) -> String? { values[setting]?.text }

  /// One line that names defaults and where they come from; nil for none.
  public func summary(of settings: [Setting]) -> String? {
    let parts = settings.compactMap { setting in
      values[setting].map { "\(setting.rawValue) \($0.text) (\($0.origin))" }
    }
    return parts.isEmpty ? nil : "defaults: " + parts.joined(separator: ", ")
  }

  private mutating func read(_ path: String, home: String?) throws(CaptureError) {
    let text: String
    do throws(CaptureError) { text = try PresetLibrary.read(path) } catch {
      // Nobody need have the file.
      if error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory { return }
      throw error
    }
    let document = try PresetDocument(text: text, path: path)
    let table = PresetTable(document)
    try table.check(keys: Setting.allCases.map(\.rawValue))
    for setting in Setting.allCases {
      guard let text = try table.string(setting.rawValue) else { continue }
      guard !text.isEmpty else {
        throw table.error(setting.rawValue, "is empty; leave the key out")
      }
      let line = document.place(of: [setting.rawValue])?.line ?? 0
      values[setting] = Value(
        text: setting.expanded(text, home: home), origin: .file(path: path, line: line))
    }
  }
}
