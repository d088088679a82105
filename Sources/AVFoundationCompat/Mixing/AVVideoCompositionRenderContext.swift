public import Foundation
public import MediaCore

/// The size, composition and buffers for a compositor's frames.
public final class AVVideoCompositionRenderContext: Sendable {
  /// The frames' size in pixels.
  public let size: CGSize
  public let videoComposition: AVVideoComposition
  private let pool: PixelBufferPool

  /// How many buffers the pool allocates initially, and how many may exist.
  private static let (bufferCount, bufferLimit) = (4, 32)

  init(
    _ composition: AVVideoComposition, _ details: PixelBuffer.Description
  ) throws(MediaCoreError) {
    size = CGSize(width: details.width, height: details.height)
    videoComposition = composition
    pool = try PixelBufferPool(details, capacity: Self.bufferCount)
  }

  /// Always 1.
  public var renderScale: Float { 1 }
  /// Always `identity`: frames are made upright.
  public var renderTransform: CGAffineTransform { .identity }
  /// Always true.
  public var highQualityRendering: Bool { true }

  /// A buffer for a frame, with undefined contents; nil if memory is exhausted, or if 32 buffers are in use.
  public func newPixelBuffer() -> CVPixelBuffer? {
    if let buffer = try? pool.makeBuffer() { return buffer.finish() }
    return (try? pool.makeExtraBuffer(limit: Self.bufferLimit))?.finish()
  }
}
