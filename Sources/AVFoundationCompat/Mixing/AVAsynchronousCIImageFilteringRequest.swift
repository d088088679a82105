public import Foundation
public import MediaCore
import MovieExport
import RawDevelop

/// A frame for a program's Core Image filters to make. Finish it once, on any thread; later calls have no effect.
/// Releasing it unfinished ends the export or reading with an error.
public final class AVAsynchronousCIImageFilteringRequest: Sendable {
  /// The frames' size in pixels.
  public let renderSize: CGSize
  /// The time of the frame, on the asset's timeline.
  public let compositionTime: CMTime
  /// The asset's frame as an upright 8-bit image.
  public let sourceImage: CIImage
  private let details: PixelBuffer.Description
  private let frame: FramePromise

  init(_ image: PixelBuffer, at time: CMTime, frame: FramePromise) {
    details = image.details
    renderSize = CGSize(width: image.width, height: image.height)
    compositionTime = time
    sourceImage = CIImage(cvPixelBuffer: image)
    self.frame = frame
  }

  deinit { frame.keep(.failure(AVError.unfinishedRequest(at: compositionTime))) }

  /// Delivers the frame: the area of ``renderSize`` from the origin. Parts that the image does not cover are black.
  ///
  /// - Parameters:
  ///   - filteredImage: The image, which is rendered during this call.
  ///   - context: The context to render with; nil for a new one.
  public func finish(with filteredImage: CIImage, context: CIContext?) {
    frame.keep(Result { try rendered(filteredImage, context ?? CIContext()) })
  }

  /// Ends the export or reading with an error. It is an `AVError`, with `error` as the underlying one if it was of
  /// another type.
  public func finish(with error: any Error) { frame.keep(.failure(AVError(error))) }

  private func rendered(_ image: CIImage, _ context: CIContext) throws -> PixelBuffer {
    var buffer = try MutablePixelBuffer(details)
    let (size, step) = (renderSize, buffer.bytesPerRow(plane: 0))
    try buffer.withUnsafeMutableBytes(ofPlane: 0) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      guard let memory = bytes.baseAddress else { return }
      let target = CIRenderDestination(
        bitmapData: memory, width: Int(size.width), height: Int(size.height), bytesPerRow: step,
        format: .BGRA8)
      target.colorSpace = CGColorSpace(.sRGB)
      try context.startTask(
        toRender: image, from: CGRect(x: 0, y: 0, width: size.width, height: size.height),
        to: target, at: .zero)
    }
    return buffer.finish()
  }
}
