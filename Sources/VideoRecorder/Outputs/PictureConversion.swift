public import MediaCore

/// The pixel format that a data output converts frames to.
public struct PictureConversion: Hashable, Sendable {
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
  public static let available: [PictureConversion] = [
    PictureConversion(.nv12, range: .video), PictureConversion(.nv12, range: .full),
    PictureConversion(.bgrx32, range: .full), PictureConversion(.xrgb32, range: .full),
    PictureConversion(.uyvy, range: .video), PictureConversion(.yuyv, range: .video),
  ]

  /// True for a frame that needs no conversion.
  func isMet(by picture: PixelBuffer) -> Bool {
    picture.format == format && picture.details.color.range == range
  }
}
