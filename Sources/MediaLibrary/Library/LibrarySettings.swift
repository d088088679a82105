import FoundationEssentials
import MediaCore

/// Accepts any key of an object.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The keys of an object.
private struct KeyNames: Decodable {
  let names: [String]

  init(from decoder: any Decoder) throws {
    names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
  }
}

/// The owner's settings for a library, stored in `.medialibrary/settings.json`.
public struct LibrarySettings: Sendable, Hashable, Codable {
  /// What programs may do with the library, regardless of the folder's permissions.
  public enum Access: String, Sendable, Hashable, Codable, CaseIterable {
    /// Adding, changing and deleting assets.
    case readWrite = "read-write"
    /// Only adding assets.
    case addOnly = "add-only"
    case readOnly = "read-only"
  }

  private enum CodingKeys: CodingKey, CaseIterable {
    case access, retentionDays, hooksFolder, hookTimeLimit
  }

  public var access = Access.readWrite
  /// The days that a deleted asset can be restored, from 0.
  public var retentionDays = 30.0
  /// The folder of hooks to run after each save, absolute or relative to the library's folder; nil
  /// for the user's hooks.
  public var hooksFolder: String?
  /// The time limit for each hook, in seconds.
  public var hookTimeLimit = 300.0

  public init() {}

  /// Reads settings; missing ones get their defaults.
  ///
  /// - Throws: `DecodingError` for a value of the wrong type.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let defaults = LibrarySettings()
    access = try values.decodeIfPresent(Access.self, forKey: .access) ?? defaults.access
    retentionDays =
      try values.decodeIfPresent(Double.self, forKey: .retentionDays) ?? defaults.retentionDays
    hooksFolder = try values.decodeIfPresent(String.self, forKey: .hooksFolder)
    hookTimeLimit =
      try values.decodeIfPresent(Double.self, forKey: .hookTimeLimit) ?? defaults.hookTimeLimit
  }

  init(json bytes: [UInt8], path: String) throws(MediaLibraryError) {
    let unknown: String?
    do {
      self = try JSONDecoder().decode(LibrarySettings.self, from: Data(bytes))
      let known = Self.keys
      unknown = try JSONDecoder().decode(KeyNames.self, from: Data(bytes)).names
        .first { !known.contains($0) }
    } catch {
      throw MediaLibraryError(
        .invalidArgument,
        "\(path): cannot be read: \((error as? DecodingError)?.reason ?? "it is not JSON"); correct it, or remove it for the defaults"
      )
    }
    // A misspelled setting would leave its default in effect, and might delete files that should
    // stay.
    if let unknown {
      throw MediaLibraryError(
        .invalidArgument,
        "\(path): unknown setting '\(unknown)'\(Suggestion.remark(on: unknown, among: Self.keys)); correct it, "
          + "or remove it")
    }
    try check(path: path)
  }

  private static var keys: [String] { CodingKeys.allCases.map(\.stringValue) }

  /// Checks the numbers: a negative retention time would remove deleted files immediately, for
  /// good.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidArgument``.
  func check(path: String) throws(MediaLibraryError) {
    guard retentionDays >= 0, retentionDays.isFinite else {
      throw MediaLibraryError(
        .invalidArgument, "\(path): retentionDays is \(retentionDays); use 0 or more days")
    }
    guard hookTimeLimit > 0, hookTimeLimit.isFinite else {
      throw MediaLibraryError(
        .invalidArgument, "\(path): hookTimeLimit is \(hookTimeLimit); use more than 0 seconds")
    }
  }

  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return ((try? encoder.encode(self)).map { [UInt8]($0) } ?? []) + [10]
  }
}
