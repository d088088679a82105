// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// The number of buffers that a pool allocates initially.
public let kCVPixelBufferPoolMinimumBufferCountKey = "MinimumBufferCount"
/// Seconds after which an unused buffer is released. No effect: pools keep their buffers.
public let kCVPixelBufferPoolMaximumBufferAgeKey = "MaximumBufferAge"
/// Auxiliary attribute of a pool: the most buffers that may exist, including those allocated beyond the pool's
/// capacity.
public let kCVPixelBufferPoolAllocationThresholdKey = "BufferPoolAllocationThreshold"

/// Releases the memory that a buffer was created with.
public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?
  ) -> Void

/// Creates a pool of pixel buffers.
///
/// - Parameters:
///   - allocator: Ignored.
///   - poolAttributes: ``kCVPixelBufferPoolMinimumBufferCountKey``, 4 by default and at most 64; others are ignored.
///   - pixelBufferAttributes: `kCVPixelBufferPixelFormatTypeKey`, width and height.
///   - poolOut: Set to the pool; nil on failure.
/// - Returns: ``kCVReturnInvalidPixelBufferAttributes`` for invalid attributes or if one of the three is missing,
///   ``kCVReturnInvalidSize``, ``kCVReturnAllocationFailed``.
@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?,
  _ pixelBufferAttributes: CFDictionary?, _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  poolOut.pointee = nil
  guard let wanted = try? PixelBufferAttributes(pixelBufferAttributes ?? [:]),
    let format = wanted.format, let width = wanted.width, let height = wanted.height
  else { return kCVReturnInvalidPixelBufferAttributes }
  let count = (poolAttributes?[kCVPixelBufferPoolMinimumBufferCountKey] as? Int) ?? 4
  let details = PixelBuffer.Description(
    format: format, width: width, height: height,
    color: PixelBuffer.Description.usualColor(of: format, range: wanted.range))
  do throws(MediaCoreError) {
    poolOut.pointee = try PixelBufferPool(details, capacity: min(max(count, 1), 64))
    return kCVReturnSuccess
  } catch {
    return error.code == .invalidDimensions ? kCVReturnInvalidSize : kCVReturnAllocationFailed
  }
}

/// Gets a pixel buffer from a pool, like ``CVPixelBufferPoolCreatePixelBuffer(_:_:_:)``, with a limit under
/// ``kCVPixelBufferPoolAllocationThresholdKey``. If all of the pool's buffers are in use and at least that many
/// buffers exist, including extra ones, none is created.
///
/// - Returns: ``kCVReturnSuccess``, ``kCVReturnWouldExceedAllocationThreshold``, or
///   ``kCVReturnAllocationFailed``.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ auxAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  if let buffer = try? pixelBufferPool.makeBuffer() {
    pixelBufferOut.pointee = buffer.finish()
    return kCVReturnSuccess
  }
  let threshold = auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey] as? Int
  do throws(MediaCoreError) {
    pixelBufferOut.pointee = try pixelBufferPool.makeExtraBuffer(limit: threshold ?? .max).finish()
    return kCVReturnSuccess
  } catch {
    return error.code == .poolExhausted
      ? kCVReturnWouldExceedAllocationThreshold : kCVReturnAllocationFailed
  }
}

/// Which buffers of a pool to release.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable, Hashable {
  public let rawValue: CVOptionFlags
  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

  /// Unused buffers of any age.
  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// No effect: pools keep their buffers.
public func CVPixelBufferPoolFlush(
  _ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags
) {}

/// Creates a pixel buffer with one plane around existing memory.
///
/// - Parameters:
///   - allocator: Ignored.
///   - width: Width in pixels.
///   - height: Height in pixels.
///   - pixelFormatType: A format with one plane.
///   - baseAddress: The first byte; must stay valid until the callback.
///   - bytesPerRow: Bytes from one row to the next.
///   - releaseCallback: Called once, on any thread, when the buffer is released.
///   - releaseRefCon: Passed to the callback.
///   - pixelBufferAttributes: Same as for `CVPixelBufferCreate`.
///   - pixelBufferOut: Set to the buffer; nil on failure, when the callback is not called.
/// - Returns: Same as `CVPixelBufferCreate`; ``kCVReturnInvalidArgument`` if rows are too short or the format has
///   several planes.
@discardableResult
public func CVPixelBufferCreateWithBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
  _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard
    let details = PixelBuffer.Description(code: pixelFormatType, width: width, height: height)
  else { return kCVReturnInvalidPixelFormat }
  if let attributes = pixelBufferAttributes, (try? PixelBufferAttributes(attributes)) == nil {
    return kCVReturnInvalidPixelBufferAttributes
  }
  let plane = PixelBuffer.Plane(
    baseAddress: baseAddress, bytesPerRow: bytesPerRow, rows: height)
  // Two addresses that are passed back to the program once, after the last use of the pixels.
  nonisolated(unsafe) let memory = (baseAddress, releaseRefCon)
  do throws(MediaCoreError) {
    pixelBufferOut.pointee = try PixelBuffer(details, planes: [plane]) {
      releaseCallback?(memory.1, UnsafeRawPointer(memory.0))
    }
    return kCVReturnSuccess
  } catch {
    return error.code == .invalidDimensions ? kCVReturnInvalidSize : kCVReturnInvalidArgument
  }
}
