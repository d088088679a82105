// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import RawDevelop
import VideoRecorder

extension CIImage {
  /// An image of a video frame: 8 bits, in the frame's primaries and transfer function. One black pixel for a sensor's
  /// mosaic, which must be developed first.
  ///
  /// - Parameters:
  ///   - pixelBuffer: The frame.
  ///   - options: Ignored.
  public convenience init(
    cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]? = nil
  ) {
    let black = RenderedImage(
      width: 1, height: 1, samples: .uint8([0, 0, 0]), colorSpace: .sRGB)
    self.init(RenderedImage(pixelBuffer) ?? black)
  }

  /// As ``init(cvPixelBuffer:options:)``.
  public convenience init(cvImageBuffer imageBuffer: CVImageBuffer) {
    self.init(cvPixelBuffer: imageBuffer)
  }
}

/// Creates an image of a video frame: 8 bits, in the frame's primaries and transfer function.
///
/// - Parameters:
///   - pixelBuffer: The frame.
///   - options: Ignored.
///   - imageOut: Set to the image, or to nil on failure.
/// - Returns: ``kVTPixelTransferNotSupportedErr`` for a sensor's mosaic, which must be developed first.
@discardableResult
public func VTCreateCGImageFromCVPixelBuffer(
  _ pixelBuffer: CVPixelBuffer, options: CFDictionary?, imageOut: UnsafeMutablePointer<CGImage?>
) -> OSStatus {
  imageOut.pointee = RenderedImage(pixelBuffer).map(CGImage.init)
  return imageOut.pointee == nil ? kVTPixelTransferNotSupportedErr : noErr
}

extension RenderedImage {
  /// Nil for a sensor's mosaic.
  fileprivate init?(_ buffer: PixelBuffer) {
    let wanted = FrameConversion(.bgrx32, range: .full)
    guard let image = FrameConverter().convert(buffer, to: wanted) else { return nil }
    let (width, height, step) = (image.width, image.height, image.bytesPerRow(plane: 0))
    let samples = image.withUnsafeBytes(ofPlane: 0) { bytes in
      [UInt8](unsafeUninitializedCapacity: width * height * 3) { samples, count in
        for row in 0..<height {
          for column in 0..<width {
            let from = row * step + column * 4
            for component in 0..<3 {
              samples[count] = bytes[from + 2 - component]
              count += 1
            }
          }
        }
      }
    }
    self.init(width: width, height: height, samples: .uint8(samples), colorSpace: .sRGB)
  }
}
