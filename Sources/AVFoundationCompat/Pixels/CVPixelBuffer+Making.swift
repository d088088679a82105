// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Buffers that a pool makes at the start.
public let kCVPixelBufferPoolMinimumBufferCountKey = "MinimumBufferCount"
/// Seconds after which a buffer that is not used goes: buffers here stay with their pool.
public let kCVPixelBufferPoolMaximumBufferAgeKey = "MaximumBufferAge"
/// In auxiliary attributes of a pool: no more buffers than these are about, its own ones and those that were
/// made beside them.
public let kCVPixelBufferPoolAllocationThresholdKey = "BufferPoolAllocationThreshold"

/// Gives memory back that a picture was made around.
public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?
  ) -> Void

/// Makes a pool of pictures.
///
/// - Parameters:
///   - allocator: Ignored.
///   - poolAttributes: ``kCVPixelBufferPoolMinimumBufferCountKey``, 4 unless given, 64 at most; others
///     are ignored.
///   - pixelBufferAttributes: `kCVPixelBufferPixelFormatTypeKey`, width and height.
///   - poolOut: Set to the pool; nil if there is none.
/// - Returns: ``kCVReturnInvalidPixelBufferAttributes`` for attributes with a mistake or without one of
///   the three, ``kCVReturnInvalidSize``, ``kCVReturnAllocationFailed``.
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

/// Takes a picture from a pool, as ``CVPixelBufferPoolCreatePixelBuffer(_:_:_:)``, but for
/// ``kCVPixelBufferPoolAllocationThresholdKey`` among the attributes: where all of the pool's buffers are
/// in use, and there are at least so many with those that were made beside them, none is made.
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

/// Which buffers of a pool are meant.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: CVOptionFlags
  /// Flags from their bits.
  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

  /// Those that nobody uses, also where they are young.
  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Does nothing: buffers stay with their pool.
public func CVPixelBufferPoolFlush(
  _ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags
) {}

/// Makes a picture of one plane around memory that somebody else owns.
///
/// - Parameters:
///   - allocator: Ignored.
///   - width: Pixels in a row.
///   - height: Rows.
///   - pixelFormatType: The layout, of one plane.
///   - baseAddress: The first byte; it stays valid until the callback.
///   - bytesPerRow: From a row to the next one.
///   - releaseCallback: Called once, on any thread, when nobody holds the picture.
///   - releaseRefCon: Handed to it.
///   - pixelBufferAttributes: As for `CVPixelBufferCreate`.
///   - pixelBufferOut: Set to the picture; nil if there is none, and then the callback is not called.
/// - Returns: As `CVPixelBufferCreate`; ``kCVReturnInvalidArgument`` for rows that are too short and
///   layouts of several planes.
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
  // Two addresses that are handed back to the program once, after the last use of the pixels.
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
