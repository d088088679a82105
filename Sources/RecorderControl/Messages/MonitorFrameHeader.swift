import MediaCore
public import Monitor

/// The line that precedes a frame's bytes and describes them.
///
/// The bytes are those of the frame, in the order of `PreviewFrame.bytes`, followed by those of each map:
/// the brightness of its points, a byte each, row by row from the lowest level.
public struct MonitorFrameHeader: Sendable, Hashable, Codable {
  /// A map of a scope.
  public struct Map: Sendable, Hashable, Codable {
    /// `waveform`, `parade-red`, `parade-green`, `parade-blue` or `vectorscope`.
    public var name: String
    public var width: Int
    public var height: Int

    /// Bytes of the map.
    public var byteCount: Int { width.multipliedSaturating(by: height) }
  }

  /// The number of samples of each level.
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
  /// The region of the source, pixel for pixel; nil for the whole source, scaled down.
  public var region: FrameRegion?
  /// The shape of a pixel of the preview, width to height: `1:1`.
  public var pixelAspectRatio: String
  /// Code points of primaries, transfer function and matrix: `1-1-1`.
  public var color: String
  /// The layout of the samples: always `yuv422p10le`.
  public var layout: String
  /// The frame's timecode, if the source has one.
  public var timecode: String?
  /// When it was captured, in seconds of CLOCK_MONOTONIC of the recorder's machine.
  public var captureTime: Double
  /// The maps whose bytes follow the frame's, in order.
  public var maps: [Map]
  public var histogram: Histogram?
  /// The samples outside the legal range, if scopes were asked for.
  public var excess: LegalRange.Excess?
  /// Bytes that follow the line.
  public var byteCount: Int
}
