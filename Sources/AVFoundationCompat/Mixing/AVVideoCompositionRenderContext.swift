public import Foundation
public import MediaCore

/// What a compositor makes frames for.
public final class AVVideoCompositionRenderContext: Sendable {
  /// The frames' size in pixels.
  public let size: CGSize
  /// What frames are made by.
  public let videoComposition: AVVideoComposition
  private let pool: PixelBufferPool

  /// Pictures of the pool that are made when the context is, and all that there may be.
  private static let (bufferCount, bufferLimit) = (4, 32)

  init(
    _ composition: AVVideoComposition, _ details: PixelBuffer.Description
  ) throws(MediaCoreError) {
    size = CGSize(width: details.width, height: details.height)
    videoComposition = composition
    pool = try PixelBufferPool(details, capacity: Self.bufferCount)
  }

  /// 1: frames are made at their size.
  public var renderScale: Float { 1 }
  /// `identity`: frames are made as they are seen.
  public var renderTransform: CGAffineTransform { .identity }
  /// True.
  public var highQualityRendering: Bool { true }

  /// A picture to compose a frame in, its contents undefined; nil if there is no memory, and where 32 of them
  /// are held.
  public func newPixelBuffer() -> CVPixelBuffer? {
    if let buffer = try? pool.makeBuffer() { return buffer.finish() }
    return (try? pool.makeExtraBuffer(limit: Self.bufferLimit))?.finish()
  }
}
