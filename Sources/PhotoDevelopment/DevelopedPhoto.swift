public import MediaCore
public import RawDevelop

/// The result of developing a photo.
public struct DevelopedPhoto: Sendable, Hashable, Codable {
  /// The outcome.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// The image was written.
    case developed
    /// An image with this name already existed.
    case skipped
    /// The image could not be made.
    case failed
    /// The work was canceled before this photo.
    case canceled
  }

  /// The white point used.
  public struct White: Sendable, Hashable, Codable {
    /// The color temperature in kelvins.
    public let temperature: Double
    /// The tint.
    public let tint: Double
  }

  /// The outcome.
  public var status: Status
  /// The photo's file.
  public let source: String
  /// The image's file; nil if it has no name yet.
  public var path: String?
  /// Width in pixels.
  public var width: Int?
  /// Height in pixels.
  public var height: Int?
  /// The file's size in bytes.
  public var byteCount: Int?
  /// The time taken, in seconds.
  public var seconds: Double?
  /// The settings that changed the rendering that the file asks for.
  public var settings: PhotoAdjustment?
  /// The source of each setting.
  public var origins: [String: DevelopRecipe.Origin]?
  /// The XMP that was applied or written: a sidecar, or the photo's own.
  public var sidecar: String?
  /// The photo's XMP with the settings used, as a packet, if requested. It is omitted from JSON.
  public var packet: String?
  /// The white point used; nil for a monochrome photo.
  public var white: White?
  /// What could not be done, or was changed.
  public var notes: [DevelopNote] = []
  /// The histogram of light in the raw image, if requested.
  public var rawHistogram: ImageHistogram?
  /// The histogram of the finished image, if requested.
  public var histogram: ImageHistogram?
  /// The error, if it failed.
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
