import FoundationEssentials
import MediaCore

/// Any key of an object.
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

/// What the owner of a library decides, kept in `.medialibrary/settings.json`.
public struct LibrarySettings: Sendable, Hashable, Codable {
  /// What programs may do with the library, whatever the folder's permissions say.
  public enum Access: String, Sendable, Hashable, Codable, CaseIterable {
    /// Adding, changing and deleting assets.
    case readWrite = "read-write"
    /// Nothing but adding assets.
    case addOnly = "add-only"
    case readOnly = "read-only"
  }

  private enum CodingKeys: CodingKey, CaseIterable {
    case access, retentionDays, hooksFolder, hookTimeLimit
  }

  /// What programs may do.
  public var access = Access.readWrite
  /// Days that a deleted asset stays among the recently deleted, from 0 on.
  public var retentionDays = 30.0
  /// The folder of hooks that are run after each save, from the library's folder on where it is
  /// relative; nil for the user's.
  public var hooksFolder: String?
  /// Seconds that a hook may take.
  public var hookTimeLimit = 300.0

  /// The defaults.
  public init() {}

  /// Reads settings; what a file leaves out has its default.
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
        "\(path): cannot be read: \((error as? DecodingError)?.reason ?? "it is not JSON"); mend it, or remove it for the defaults"
      )
    }
    // One that is mistyped would leave the default, and let files go that are to stay.
    if let unknown {
      throw MediaLibraryError(
        .invalidArgument,
        "\(path): unknown setting '\(unknown)'\(Suggestion.remark(on: unknown, among: Self.keys)); mend it, "
          + "or take it out")
    }
    try check(path: path)
  }

  private static var keys: [String] { CodingKeys.allCases.map(\.stringValue) }

  /// Makes sure that the numbers mean something: a time before now would remove at once, and for
  /// good, what is deleted.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidArgument``.
  func check(path: String) throws(MediaLibraryError) {
    guard retentionDays >= 0, retentionDays.isFinite else {
      throw MediaLibraryError(
        .invalidArgument, "\(path): retentionDays is \(retentionDays); give days from 0 on")
    }
    guard hookTimeLimit > 0, hookTimeLimit.isFinite else {
      throw MediaLibraryError(
        .invalidArgument, "\(path): hookTimeLimit is \(hookTimeLimit); give seconds above 0")
    }
  }

  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return ((try? encoder.encode(self)).map { [UInt8]($0) } ?? []) + [10]
  }
}
