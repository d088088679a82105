import MediaCore

/// A photo that was written into a file.
public struct PhotoFileSummary: Sendable, Hashable, Codable {
  /// Where it is.
  public var path: String
  /// The asset in a library that took it; nil where none did.
  public var asset: String?
  /// True for Bayer RAW and ProRAW.
  public var isRAW: Bool
  /// Bytes of the file.
  public var fileSize: Int
  /// Seconds of exposure.
  public var exposureTime: Double
  /// Amplification, 1 for none.
  public var gain: Double
  /// Exposures that were merged into it.
  public var exposureCount: Int
  /// What the user should know: a calibration that is missing.
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
