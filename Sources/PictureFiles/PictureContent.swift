public import DNG
public import RawDevelop

/// A picture, and what a file says of it.
public struct PictureContent: Sendable {
  /// The picture, as it is to be seen.
  public var picture: RenderedPicture
  /// The same picture in linear light of which 1 is white, as HDR; gain-map JPEG needs both.
  public var highRange: RenderedPicture?
  /// Camera, exposure, times and place. Its orientation is what is left to do: `.up` for pixels that
  /// were turned already.
  public var metadata: PhotoMetadata
  /// An XMP packet: the `x:xmpmeta` element, in UTF-8.
  public var xmp: String?

  /// A picture with what is said of it.
  public init(
    _ picture: RenderedPicture, highRange: RenderedPicture? = nil,
    metadata: PhotoMetadata = PhotoMetadata(), xmp: String? = nil
  ) {
    self.picture = picture
    self.highRange = highRange
    self.metadata = metadata
    self.xmp = xmp
  }
}
