public import Foundation
public import MediaCore
import MovieExport
import RawDevelop

/// A frame that a program's Core Image filters are asked for. It is finished once, on any thread; what is said
/// after that changes nothing. One that is let go unfinished ends the export or reading with an error.
public final class AVAsynchronousCIImageFilteringRequest: Sendable {
  /// The frames' size in pixels.
  public let renderSize: CGSize
  /// When the frame is shown, in the time of the asset.
  public let compositionTime: CMTime
  /// The frame of the asset, turned as a player shows it: 8 bits.
  public let sourceImage: CIImage
  private let details: PixelBuffer.Description
  private let frame: FramePromise

  init(_ picture: PixelBuffer, at time: CMTime, frame: FramePromise) {
    details = picture.details
    renderSize = CGSize(width: picture.width, height: picture.height)
    compositionTime = time
    sourceImage = CIImage(cvPixelBuffer: picture)
    self.frame = frame
  }

  deinit { frame.keep(.failure(AVError.unfinishedRequest(at: compositionTime))) }

  /// Gives the frame: the area of ``renderSize`` from 0; what the picture does not cover is black.
  ///
  /// - Parameters:
  ///   - filteredImage: The picture, which is rendered now.
  ///   - context: What renders it; nil for one of its own.
  public func finish(with filteredImage: CIImage, context: CIContext?) {
    frame.keep(Result { try rendered(filteredImage, context ?? CIContext()) })
  }

  /// Says why there is no frame, which ends the export or reading with this error: an `AVError`, or what is behind
  /// one.
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
