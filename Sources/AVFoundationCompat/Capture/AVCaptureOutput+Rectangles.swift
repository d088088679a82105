public import Foundation
public import VideoRecorder

/// A picture here is what its device gives, neither turned nor mirrored, and so the rectangles of both are one.
extension CaptureOutput {
  /// A rectangle of the device's picture, from (0, 0) to (1, 1), in pixels of the output's; the same one without a
  /// connection for pictures.
  public func outputRectConverted(fromMetadataOutputRect rect: CGRect) -> CGRect {
    guard let size = connection(with: .video)?.formatDescription?.dimensions else { return rect }
    let (width, height) = (CGFloat(size.width), CGFloat(size.height))
    return CGRect(
      x: rect.minX * width, y: rect.minY * height, width: rect.width * width,
      height: rect.height * height)
  }

  /// A rectangle in pixels of the output's picture as one of the device's, from (0, 0) to (1, 1); the same one without a
  /// connection for pictures.
  public func metadataOutputRectConverted(fromOutputRect rect: CGRect) -> CGRect {
    guard let size = connection(with: .video)?.formatDescription?.dimensions, size.width > 0,
      size.height > 0
    else { return rect }
    let (width, height) = (CGFloat(size.width), CGFloat(size.height))
    return CGRect(
      x: rect.minX / width, y: rect.minY / height, width: rect.width / width,
      height: rect.height / height)
  }
}
