public import MediaCore

/// The pixel format that a data output converts frames to.
public struct FrameConversion: Hashable, Sendable {
  /// The layout.
  public var format: PixelFormat
  /// The range of its codes.
  public var range: ColorDescription.Range

  /// A pixel format and its range.
  public init(_ format: PixelFormat, range: ColorDescription.Range) {
    self.format = format
    self.range = range
  }

  /// The supported conversions: the pixel formats that programs on other systems ask cameras for.
  public static let available: [FrameConversion] = [
    FrameConversion(.nv12, range: .video), FrameConversion(.nv12, range: .full),
    FrameConversion(.bgrx32, range: .full), FrameConversion(.xrgb32, range: .full),
    FrameConversion(.uyvy, range: .video), FrameConversion(.yuyv, range: .video),
  ]

  /// True for a frame that needs no conversion.
  func isMet(by frame: PixelBuffer) -> Bool {
    frame.format == format && frame.details.color.range == range
  }
}
