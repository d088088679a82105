/// Settings for writing an image to a file.
public struct ImageFileSettings: Sendable, Hashable {
  /// Chroma subsampling in JPEG, HEIC and AVIF.
  public enum Chroma: String, Sendable, Hashable, CaseIterable, Codable {
    /// As fine as luma: 4:4:4.
    case full
    /// Half as fine in both directions: 4:2:0.
    case half
  }

  /// TIFF's compression.
  public enum Compression: String, Sendable, Hashable, CaseIterable, Codable {
    case none
    /// zlib, after a predictor.
    case deflate
  }

  /// How thoroughly HEIC's encoder searches. It has no effect in other formats.
  public enum Effort: String, Sendable, Hashable, CaseIterable, Codable {
    /// Twelve megapixels in less than two seconds on one processor.
    case fast
    /// At least ten times as long, for an image closer to the original at the same size.
    case thorough
  }

  /// The format.
  public var format: ImageFileFormat
  /// 0 to 1; 1 is lossless only in JPEG XL.
  public var quality = 0.9
  /// Bits per sample; nil for the most that both image and format have, 8 in JPEG.
  public var bitDepth: Int?
  /// How values represent light.
  public var dynamicRange = ImageDynamicRange.standard
  /// Nil for the format's default: half in HEIC, as phones' decoders require; in JPEG and AVIF full from a quality
  /// of 0.9 up.
  public var chroma: Chroma?
  /// How thoroughly HEIC's encoder searches.
  public var effort = Effort.fast
  /// TIFF's compression.
  public var compression = Compression.deflate
  /// How much smaller the gain map is than the image: 1, 2 (half its width and height) or 4.
  public var gainMapReduction = 1

  /// The default settings of a format.
  public init(format: ImageFileFormat) { self.format = format }

  var samplesChromaFully: Bool {
    switch (chroma, format) {
    case (.some(let chroma), _): chroma == .full
    case (nil, .heic): false
    case (nil, _): quality >= 0.9
    }
  }

  var percentage: Int32 { Int32(min(max(quality * 100, 0), 100).rounded()) }
}
