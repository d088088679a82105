import FoundationEssentials
import MediaCore

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
    do { self = try JSONDecoder().decode(LibrarySettings.self, from: Data(bytes)) } catch {
      throw MediaLibraryError(
        .invalidArgument,
        "\(path): cannot be read: \((error as? DecodingError)?.reason ?? "it is no JSON"); mend it, or remove it for the defaults"
      )
    }
    try check(path: path)
  }

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
