public import Foundation
import VideoRecorder

/// Coordinate conversion between the frame and the layer, by the layer's frame and
/// ``AVCaptureVideoPreviewLayer/videoGravity``.
///
/// Device points range from (0, 0) at the top left to (1, 1) at the bottom right. Without a connection the video fills
/// the layer.
extension AVCaptureVideoPreviewLayer {
  /// The layer's bounds: its frame's size, from (0, 0).
  public var bounds: CGRect {
    get { CGRect(x: 0, y: 0, width: frame.width, height: frame.height) }
    set { frame = CGRect(origin: frame.origin, size: newValue.size) }
  }

  /// True while the layer receives frames from a running session.
  public var isPreviewing: Bool { session?.isRunning == true && connection?.isActive == true }

  /// Converts a point of the layer to the video frame.
  public func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint {
    let rect = videoRect
    guard rect.width > 0, rect.height > 0 else { return .zero }
    return CGPoint(
      x: (pointInLayer.x - rect.minX) / rect.width,
      y: (pointInLayer.y - rect.minY) / rect.height)
  }

  /// Converts a point of the video frame to the layer.
  public func layerPointConverted(
    fromCaptureDevicePoint captureDevicePointOfInterest: CGPoint
  ) -> CGPoint {
    let rect = videoRect
    return CGPoint(
      x: rect.minX + captureDevicePointOfInterest.x * rect.width,
      y: rect.minY + captureDevicePointOfInterest.y * rect.height)
  }

  /// Converts a rectangle of the layer to the video frame.
  public func metadataOutputRectConverted(fromLayerRect rectInLayer: CGRect) -> CGRect {
    let start = captureDevicePointConverted(fromLayerPoint: rectInLayer.origin)
    let end = captureDevicePointConverted(
      fromLayerPoint: CGPoint(x: rectInLayer.maxX, y: rectInLayer.maxY))
    return CGRect(x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y)
  }

  /// Converts a rectangle of the video frame to the layer.
  public func layerRectConverted(
    fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect
  ) -> CGRect {
    let rect = rectInMetadataOutputCoordinates
    let start = layerPointConverted(fromCaptureDevicePoint: rect.origin)
    let end = layerPointConverted(fromCaptureDevicePoint: CGPoint(x: rect.maxX, y: rect.maxY))
    return CGRect(x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y)
  }

  /// The rectangle of the whole video frame, which may extend beyond the layer.
  private var videoRect: CGRect {
    let layer = bounds
    guard let size = connection?.formatDescription?.dimensions, size.width > 0, size.height > 0,
      videoGravity != .resize
    else { return layer }
    let (width, height) = (CGFloat(size.width), CGFloat(size.height))
    let ratios = [layer.width / width, layer.height / height]
    let scale = (videoGravity == .resizeAspectFill ? ratios.max() : ratios.min()) ?? 1
    return CGRect(
      x: (layer.width - width * scale) / 2, y: (layer.height - height * scale) / 2,
      width: width * scale, height: height * scale)
  }
}
