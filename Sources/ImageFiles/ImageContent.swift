public import DNG
public import RawDevelop

/// An image and its metadata.
public struct ImageContent: Sendable {
  /// The image as it is to be shown.
  public var image: RenderedImage
  /// The same image as linear light with white at 1, as HDR; gain-map JPEG needs both.
  public var highRange: RenderedImage?
  /// Camera, exposure, times and location. The orientation is the one still to be applied: `.up` for pixels that
  /// have already been turned.
  public var metadata: PhotoMetadata
  /// An XMP packet: the `x:xmpmeta` element, in UTF-8.
  public var xmp: String?

  /// An image with its metadata.
  public init(
    _ image: RenderedImage, highRange: RenderedImage? = nil,
    metadata: PhotoMetadata = PhotoMetadata(), xmp: String? = nil
  ) {
    self.image = image
    self.highRange = highRange
    self.metadata = metadata
    self.xmp = xmp
  }
}
