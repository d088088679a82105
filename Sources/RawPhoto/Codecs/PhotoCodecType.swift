/// The codec of a processed photo, or of the preview in a RAW file.
public enum PhotoCodecType: String, Sendable, Hashable, CaseIterable, Codable {
  /// Baseline JPEG, 8 bits.
  case jpeg
  /// HEVC in a HEIF file: HEIC.
  case hevc
}

/// The format of a processed photo.
public struct ProcessedPhotoFormat: Sendable, Hashable {
  /// The codec.
  public var codec: PhotoCodecType
  /// The quality, 0 to 1.
  public var quality: Double
  /// Bits per sample: 8, or 10 for HEIC.
  public var bitDepth: Int

  public init(codec: PhotoCodecType, quality: Double = 0.9, bitDepth: Int = 8) {
    self.codec = codec
    self.quality = quality
    self.bitDepth = bitDepth
  }
}
