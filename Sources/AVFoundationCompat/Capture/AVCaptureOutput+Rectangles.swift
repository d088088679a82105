public import Foundation
public import VideoRecorder

/// Frames are neither rotated nor mirrored, so rectangles of the device and the output are the same.
extension CaptureOutput {
  /// Converts a rectangle of the device's frame, from (0, 0) to (1, 1), to pixels of the output's frame; unchanged
  /// without a video connection.
  public func outputRectConverted(fromMetadataOutputRect rect: CGRect) -> CGRect {
    guard let size = connection(with: .video)?.formatDescription?.dimensions else { return rect }
    let (width, height) = (CGFloat(size.width), CGFloat(size.height))
    return CGRect(
      x: rect.minX * width, y: rect.minY * height, width: rect.width * width,
      height: rect.height * height)
  }

  /// Converts a rectangle in pixels of the output's frame to one of the device's frame, from (0, 0) to (1, 1);
  /// unchanged without a video connection.
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
