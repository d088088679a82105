import Foundation
import MediaCore
import RawDevelop
public import VideoRecorder

extension AVCapturePhoto {
  /// The preview as an sRGB image; nil if the settings did not request one.
  public func previewCGImageRepresentation() -> CGImage? {
    guard let preview = previewPixelBuffer, preview.details.format == .bgr24 else { return nil }
    let (width, height) = (preview.width, preview.height)
    let stride = preview.bytesPerRow(plane: 0)
    let samples = preview.withUnsafeBytes(ofPlane: 0) { bytes in
      [UInt8](unsafeUninitializedCapacity: width * height * 3) { samples, count in
        for row in 0..<height {
          for column in 0..<width {
            let (from, to) = (row * stride + column * 3, (row * width + column) * 3)
            samples[to] = bytes[from + 2]
            samples[to + 1] = bytes[from + 1]
            samples[to + 2] = bytes[from]
          }
        }
        count = width * height * 3
      }
    }
    return CGImage(
      RenderedImage(width: width, height: height, samples: .uint8(samples), colorSpace: .sRGB))
  }

  /// Nil: a photo does not have its bracket's settings. ``sequenceCount`` is its position in the bracket.
  public var bracketSettings: AVCaptureBracketedStillImageSettings? { nil }
  /// Nil: unknown.
  public var sourceDeviceType: AVCaptureDevice.DeviceType? { nil }
}
