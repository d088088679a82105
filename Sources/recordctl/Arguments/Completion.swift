import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import Takes
import VideoRecorder

/// Completions that are looked up when the shell asks: presets, devices, assets.
enum Completion {
  /// One thing that is offered.
  struct Candidate {
    let value: String
    var summary = ""
  }

  /// The presets by name, or preset files where a path is begun.
  static let presets = CompletionKind.custom { _, _, prefix in
    guard !prefix.contains("/") else { return encoded(paths(prefix, extensions: ["toml"])) }
    let library = PresetLibrary()
    return encoded(
      library.entries.map { entry in
        let summary = (try? library.preset(named: entry.name))?.summary
        return Candidate(value: entry.name, summary: summary ?? "cannot be read")
      })
  }

  /// The devices that give video, by identifier.
  static let devices = CompletionKind.custom { _, _, prefix in
    guard !prefix.hasPrefix("file:") else {
      return encoded(
        paths(String(prefix.dropFirst(5)), extensions: nil).map {
          Candidate(value: "file:" + $0.value)
        })
    }
    return encoded(discovered(.video))
  }

  /// The devices that give audio, by identifier.
  static let audioDevices = CompletionKind.custom { _, _, _ in
    encoded(
      [
        Candidate(value: "auto", summary: "the audio device of the video device"),
        Candidate(value: "none", summary: "no audio"),
      ] + discovered(.audio))
  }

  /// The assets of the library that the command line names, the newest first.
  static let assets = CompletionKind.custom { words, _, _ in
    let option = words.lastIndex { ["-L", "--library"].contains($0) }
    let folder = option.flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    let library = folder.map { PhotoLibrary(at: URL(filePath: $0)) } ?? .shared
    // A library is neither made nor waited for because a key was pressed.
    guard library.exists, (try? library.open()) != nil,
      let found = try? library.fetchAssets(in: .userLibrary),
      let assets = try? found.allObjects()
    else { return [] }
    return encoded(
      assets.suffix(200).reversed().map {
        Candidate(
          value: String($0.localIdentifier.prefix(8).lowercased()), summary: $0.originalFilename)
      })
  }

  private static func discovered(_ media: MediaType) -> [Candidate] {
    CaptureDevice.DiscoverySession(mediaType: media).devices.map {
      Candidate(value: $0.uniqueID, summary: $0.localizedName)
    }
  }

  /// The entries of the folder that a path leads to: folders, and files with one of the extensions.
  private static func paths(_ prefix: String, extensions: [String]?) -> [Candidate] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).sorted().compactMap { name in
      var isFolder: ObjCBool = false
      guard !name.hasPrefix("."),
        FileManager.default.fileExists(atPath: folder + name, isDirectory: &isFolder)
      else { return nil }
      if isFolder.boolValue { return Candidate(value: folder + name + "/") }
      let ending = name.split(separator: ".").last.map(String.init) ?? ""
      return extensions?.contains(ending) ?? true ? Candidate(value: folder + name) : nil
    }
  }

  /// Candidates as the shell that asks reads them.
  private static func encoded(_ candidates: [Candidate]) -> [String] {
    candidates.compactMap { encoded($0, for: CompletionShell.requesting) }
  }

  /// A candidate in the shell's syntax; nil for one that would span two lines.
  ///
  /// Names of devices and files are untrusted: bash expands the candidates, including command substitutions,
  /// and zsh takes whatever follows a colon for a description.
  static func encoded(_ candidate: Candidate, for shell: CompletionShell?) -> String? {
    let value = candidate.value
    guard value.visible == value else { return nil }
    let summary = candidate.summary.visible
    switch shell {
    case .bash?:
      return value.reduce(into: "") { text, character in
        let isPlain =
          character.isASCII && (character.isLetter || character.isNumber)
          || "_-./:@%+=,".contains(character) || !character.isASCII
        text += isPlain ? "\(character)" : "\\\(character)"
      }
    case .zsh?:
      let escaped = value.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
      return summary.isEmpty ? escaped : "\(escaped):\(summary)"
    case .fish?: return summary.isEmpty ? value : "\(value)\t\(summary)"
    default: return value
    }
  }
}
