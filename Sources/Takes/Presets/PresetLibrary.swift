public import CaptureDevices
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The presets that are there: the user's own, and those that come with the program.
///
/// The program's are part of it, so a copied binary has them all. A preset of the user's hides
/// one of the program's of the same name.
public struct PresetLibrary: Sendable {
  /// One preset that is there, read or not.
  public struct Entry: Sendable, Hashable {
    /// The name it is called by.
    public let name: String
    /// Where it was found.
    public let origin: Preset.Origin
  }

  /// The folder of the user's presets; it need not exist.
  public let userFolder: String
  /// The texts of the program's presets by name: the files of `presets/`, and the standard ones made of one
  /// of them.
  static let builtIn: [String: String] = {
    let files = BuiltInPresets.texts
    guard let model = files[StandardPreset.modelName] else { return files }
    return files.merging(
      StandardPreset.all.map { ($0.name, $0.text(model: model)) },
      uniquingKeysWith: { file, _ in file })
  }()

  /// The most bytes a preset file may have; nobody writes a longer one by hand.
  static let byteLimit = 1 << 20

  /// The user's and the program's presets.
  ///
  /// - Parameter userFolder: The folder of the user's presets; nil for `recordctl/presets` in the
  ///   XDG configuration folder.
  public init(userFolder: String? = nil) {
    self.userFolder = userFolder ?? Self.standardUserFolder(environment("XDG_CONFIG_HOME"))
  }

  static func standardUserFolder(_ configuration: String?) -> String {
    UserConfiguration.folder(configuration, home: environment("HOME")) + "/presets"
  }

  /// All presets, those of the user first, then by name.
  public var entries: [Entry] {
    let own = userNames().map {
      Entry(name: $0, origin: .file("\(userFolder)/\($0).toml"))
    }
    let hidden = Set(own.map(\.name))
    return own
      + Self.builtIn.keys.filter { !hidden.contains($0) }.sorted().map {
        Entry(name: $0, origin: .builtIn)
      }
  }

  /// Reads the preset of a name, or of a path: a name that holds a slash or ends in `.toml`.
  ///
  /// - Throws: `CaptureError.Code.invalidPreset` where there is none, it cannot be read or does
  ///   not follow the schema.
  public func preset(named name: String) throws(CaptureError) -> Preset {
    let (text, path, origin) = try find(name)
    let plain = name.pathName
    return try PresetReader.read(
      text, name: plain.hasSuffix(".toml") ? String(plain.dropLast(5)) : plain, path: path,
      origin: origin)
  }

  /// The text of a preset, comments and all.
  ///
  /// - Throws: As ``preset(named:)``, but for the schema.
  public func text(named name: String) throws(CaptureError) -> String { try find(name).text }

  private func find(
    _ name: String
  ) throws(CaptureError) -> (text: String, path: String, origin: Preset.Origin) {
    if name.hasSlash || name.hasSuffix(".toml") {
      return (try Self.read(name), name, .file(name))
    }
    if userNames().contains(name) {
      let path = "\(userFolder)/\(name).toml"
      return (try Self.read(path), path, .file(path))
    }
    if let text = Self.builtIn[name] { return (text, "presets/\(name).toml", .builtIn) }
    guard !name.isEmpty else {
      throw CaptureError(.invalidPreset, "the preset name is empty; choose a preset by name")
    }
    throw CaptureError(
      .invalidPreset,
      "unknown preset '\(name)'\(Suggestion.remark(on: name, among: entries.map(\.name))); "
        + "choose a preset by name, or give a file's path with a / or .toml")
  }

  private func userNames() -> [String] {
    ((try? ListedFolder.names(in: userFolder)) ?? [])
      .filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(5)) }.sorted()
  }

  /// The text of a file.
  package static func read(_ path: String) throws(CaptureError) -> String {
    let bytes: [UInt8]
    do {
      // Opening a pipe must not wait for somebody to write into it.
      let file = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
      bytes = try file.closeAfter {
        var facts = stat()
        guard fstat(file.rawValue, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
          throw CaptureError(
            .invalidPreset, "\(path): not a regular file; it must be a TOML file")
        }
        var bytes: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { chunk.deallocate() }
        while bytes.count <= byteLimit {
          let count = try file.read(into: chunk)
          if count == 0 { break }
          bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
      }
    } catch let error as CaptureError {
      throw error
    } catch {
      let reason = (error as? Errno).map { "\($0)" } ?? "\(error)"
      throw CaptureError(
        .invalidPreset, "\(path): cannot be read: \(reason)", errno: error as? Errno)
    }
    guard bytes.count <= byteLimit, let text = String(validating: bytes, as: UTF8.self) else {
      throw CaptureError(.invalidPreset, "\(path): not UTF-8 text; it must be a TOML file")
    }
    return text
  }
}

private func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
