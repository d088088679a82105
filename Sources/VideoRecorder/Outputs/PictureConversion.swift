public import MediaCore

/// A layout that a data output brings pictures to before it hands them over.
public struct PictureConversion: Hashable, Sendable {
  /// The layout.
  public var format: PixelFormat
  /// The range of its codes.
  public var range: ColorDescription.Range

  /// A layout at a range.
  public init(_ format: PixelFormat, range: ColorDescription.Range) {
    self.format = format
    self.range = range
  }

  /// The conversions that there are: what programs on other systems ask cameras for.
  public static let available: [PictureConversion] = [
    PictureConversion(.nv12, range: .video), PictureConversion(.nv12, range: .full),
    PictureConversion(.bgrx32, range: .full), PictureConversion(.xrgb32, range: .full),
    PictureConversion(.uyvy, range: .video), PictureConversion(.yuyv, range: .video),
  ]

  /// True for a picture that is in the layout already.
  func isMet(by picture: PixelBuffer) -> Bool {
    picture.format == format && picture.details.color.range == range
  }
}
