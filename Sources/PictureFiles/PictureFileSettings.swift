/// How a picture becomes a file.
public struct PictureFileSettings: Sendable, Hashable {
  /// How colors are sampled in JPEG, HEIC and AVIF.
  public enum Chroma: String, Sendable, Hashable, CaseIterable, Codable {
    /// As finely as brightness: 4:4:4.
    case full
    /// Half as finely in both directions: 4:2:0.
    case half
  }

  /// How TIFF packs its samples.
  public enum Compression: String, Sendable, Hashable, CaseIterable, Codable {
    /// Not at all.
    case none
    /// By zlib after a predictor.
    case deflate
  }

  /// How long HEIC's encoder searches. In other formats it changes nothing.
  public enum Effort: String, Sendable, Hashable, CaseIterable, Codable {
    /// Twelve megapixels in less than two seconds of a processor.
    case fast
    /// Ten times as long and more, for a picture that is nearer to the original in as many bytes.
    case thorough
  }

  /// The format.
  public var format: PictureFileFormat
  /// 0 to 1; 1 is without loss in JPEG XL alone.
  public var quality = 0.9
  /// Bits of a sample; nil for the most that both picture and format have, 8 in JPEG.
  public var bitDepth: Int?
  /// How numbers mean light.
  public var dynamicRange = PictureDynamicRange.standard
  /// Nil for the format's usual one: half in HEIC, which phones' decoders want; in JPEG and AVIF full
  /// from a quality of 0.9 on.
  public var chroma: Chroma?
  /// How long HEIC's encoder searches.
  public var effort = Effort.fast
  /// TIFF's compression.
  public var compression = Compression.deflate
  /// The gain map's size as a part of the picture's: 1, 2 for half of its width and height, or 4.
  public var gainMapReduction = 1

  /// A format's usual settings.
  public init(format: PictureFileFormat) { self.format = format }

  var samplesChromaFully: Bool {
    switch (chroma, format) {
    case (.some(let chroma), _): chroma == .full
    case (nil, .heic): false
    case (nil, _): quality >= 0.9
    }
  }

  /// Quality as a percentage.
  var percentage: Int32 { Int32(min(max(quality * 100, 0), 100).rounded()) }
}
