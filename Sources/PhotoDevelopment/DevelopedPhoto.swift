public import MediaCore
public import RawDevelop

/// What became of a photo.
public struct DevelopedPhoto: Sendable, Hashable, Codable {
  /// How it ended.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// The picture is there.
    case developed
    /// There was one of the name already.
    case skipped
    /// It could not be made.
    case failed
    /// The work ended before it.
    case canceled
  }

  /// The white that was made neutral.
  public struct White: Sendable, Hashable, Codable {
    /// Kelvins.
    public let temperature: Double
    /// The tint.
    public let tint: Double
  }

  /// How it ended.
  public var status: Status
  /// The photo's file.
  public let source: String
  /// The picture's file; nil where it has no name yet.
  public var path: String?
  /// Pixels in a row.
  public var width: Int?
  /// Rows.
  public var height: Int?
  /// The file's size.
  public var byteCount: Int?
  /// Seconds that it took.
  public var seconds: Double?
  /// What was changed of the rendering that the file asks for.
  public var settings: PhotoAdjustment?
  /// Who asked for each of the settings.
  public var origins: [String: DevelopRecipe.Origin]?
  /// The XMP that was heeded or written: a sidecar, or the photo's own.
  public var sidecar: String?
  /// The photo's XMP with the settings used, as a packet, where it was asked for. It is not a part of JSON.
  public var packet: String?
  /// The white that was made neutral; nil for a monochrome photo.
  public var white: White?
  /// What could not be done, or was changed.
  public var notes: [DevelopNote] = []
  /// How often light occurs in the raw picture; where it was asked for.
  public var rawHistogram: PictureHistogram?
  /// How often numbers occur in the finished picture; where it was asked for.
  public var histogram: PictureHistogram?
  /// Why it failed.
  public var error: ErrorSummary?

  private enum CodingKeys: String, CodingKey {
    case status, source, path, width, height, byteCount, seconds, settings, origins, sidecar, white,
      notes
    case rawHistogram, histogram, error
  }

  init(_ status: Status, source: String, path: String? = nil) {
    (self.status, self.source, self.path) = (status, source, path)
  }
}
