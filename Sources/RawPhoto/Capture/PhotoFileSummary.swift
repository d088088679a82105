import MediaCore

/// A photo written to a file.
public struct PhotoFileSummary: Sendable, Hashable, Codable {
  /// The file's path.
  public var path: String
  /// The asset in the library that the photo was added to; nil if none.
  public var asset: String?
  /// True for Bayer RAW and ProRAW.
  public var isRAW: Bool
  /// The file's size in bytes.
  public var fileSize: Int
  /// Exposure time in seconds.
  public var exposureTime: Double
  /// The gain, 1 for none.
  public var gain: Double
  /// The number of exposures merged.
  public var exposureCount: Int
  /// Warnings for the user, such as about a missing calibration.
  public var warnings: [String]

  init(_ photo: CapturePhoto, path: String, fileSize: Int) {
    self.path = path
    self.fileSize = fileSize
    isRAW = photo.isRawPhoto
    exposureTime = photo.exposure.duration
    gain = photo.exposure.gain
    exposureCount = photo.isAppleProRAW ? photo.resolvedSettings.exposures.count : 1
    warnings = photo.resolvedSettings.warnings
  }
}
