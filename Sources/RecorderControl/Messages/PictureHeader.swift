import MediaCore
public import Monitor

/// What the line before a picture's bytes says of them.
///
/// The bytes are the picture's, as `PreviewPicture.bytes` has them, and then those of each map: the
/// brightness of its points, a byte each, row by row from the lowest level.
public struct PictureHeader: Sendable, Hashable, Codable {
  /// A map of a scope.
  public struct Map: Sendable, Hashable, Codable {
    /// `waveform`, `parade-red`, `parade-green`, `parade-blue` or `vectorscope`.
    public var name: String
    public var width: Int
    public var height: Int

    /// Bytes of the map.
    public var byteCount: Int { width.multipliedSaturating(by: height) }
  }

  /// How often each level comes.
  public struct Histogram: Sendable, Hashable, Codable {
    /// 256 levels of four codes each.
    public var luma: [UInt32]
    public var red: [UInt32]
    public var green: [UInt32]
    public var blue: [UInt32]
  }

  /// Its number, to be acknowledged.
  public var number: Int
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int
  public var sourceWidth: Int
  public var sourceHeight: Int
  /// Which stretch of the source it is, pixel for pixel; nil for all of it, made small.
  public var region: PictureRegion?
  /// The shape of a pixel of the preview, width to height: `1:1`.
  public var pixelAspectRatio: String
  /// Code points of primaries, transfer function and matrix: `1-1-1`.
  public var color: String
  /// How samples lie: always `yuv422p10le`.
  public var layout: String
  /// The frame's timecode, where the source says it.
  public var timecode: String?
  /// When it was captured, in seconds of CLOCK_MONOTONIC of the recorder's machine.
  public var captureTime: Double
  /// The maps whose bytes follow the picture's, in order.
  public var maps: [Map]
  public var histogram: Histogram?
  /// What is beyond the legal range, where scopes were asked for.
  public var excess: LegalRange.Excess?
  /// Bytes that follow the line.
  public var byteCount: Int
}
