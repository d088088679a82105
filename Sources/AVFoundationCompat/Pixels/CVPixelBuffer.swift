// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// A frame in memory.
public typealias CVPixelBuffer = PixelBuffer
/// A frame in memory.
public typealias CVImageBuffer = PixelBuffer
/// A pool of reusable pixel buffers.
public typealias CVPixelBufferPool = PixelBufferPool
/// The result of a Core Video function.
public typealias CVReturn = Int32
/// Options of a lock.
public typealias CVOptionFlags = UInt64
/// Stands for Core Foundation's dictionary type.
public typealias CFDictionary = [String: Any]
/// Stands for Core Foundation's string type.
public typealias CFString = String

/// Success.
public let kCVReturnSuccess: CVReturn = 0
/// Any other failure.
public let kCVReturnError: CVReturn = -6660
/// An argument is out of range.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// Memory is exhausted.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The pixel format is not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The size is invalid.
public let kCVReturnInvalidSize: CVReturn = -6681
/// Attributes are invalid or unsupported.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// All buffers of a pool are in use, and its limit is reached.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689

/// How a locked buffer is used.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  public let rawValue: CVOptionFlags
  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }
  /// Only for reading.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// No effect: buffers are always in CPU memory.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  kCVReturnSuccess
}

/// No effect, like ``CVPixelBufferLockBaseAddress(_:_:)``.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  kCVReturnSuccess
}

/// The width in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }
/// The height in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Apple's code of the pixel format and range; V4L2's code if Apple has none, and 0 if neither has one.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  let format = pixelBuffer.format
  let code =
    format.appleName(range: pixelBuffer.color.range)
    ?? format.descriptor.v4l2Codes.first
  return code?.rawValue ?? 0
}

/// True for a buffer with several planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool {
  pixelBuffer.planeCount > 1
}
/// The number of planes; 0 for a packed format, as in Core Video.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  CVPixelBufferIsPlanar(pixelBuffer) ? pixelBuffer.planeCount : 0
}

/// The first byte of the first plane. It stays valid as long as the buffer is retained. Only the buffer's creator may
/// write to it.
public func CVPixelBufferGetBaseAddress(
  _ pixelBuffer: CVPixelBuffer
) -> UnsafeMutableRawPointer? {
  CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, 0)
}

/// The first byte of a plane, see ``CVPixelBufferGetBaseAddress(_:)``; nil if there is no such plane.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  guard (0..<pixelBuffer.planeCount).contains(planeIndex) else { return nil }
  return pixelBuffer.unsafeAddress(ofPlane: planeIndex)
}

/// Bytes from one row of the first plane to the next.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.bytesPerRow(plane: 0)
}
/// Bytes from one row of a plane to the next; 0 if there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int {
  guard (0..<pixelBuffer.planeCount).contains(planeIndex) else { return 0 }
  return pixelBuffer.bytesPerRow(plane: planeIndex)
}

/// The width of a plane; for a chroma plane, in samples of one component.
public func CVPixelBufferGetWidthOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int {
  pixelBuffer.format.columns(plane: planeIndex, width: pixelBuffer.width)
}

extension PixelFormat {
  /// The width of a plane, see ``CVPixelBufferGetWidthOfPlane(_:_:)``.
  func columns(plane: Int, width: Int) -> Int {
    let shift = descriptor.subsampling.horizontalShift
    switch plane {
    case 0, 3: return plane < planeCount ? width : 0
    case 1..<planeCount: return (width + (1 << shift) - 1) >> shift
    default: return 0
    }
  }
}

/// The number of rows of a plane.
public func CVPixelBufferGetHeightOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int {
  guard (0..<pixelBuffer.planeCount).contains(planeIndex) else { return 0 }
  return pixelBuffer.format.rows(plane: planeIndex, height: pixelBuffer.height)
}

/// Bytes of all planes, including row padding.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
  (0..<pixelBuffer.planeCount).reduce(0) { $0 + pixelBuffer.plane($1).byteCount }
}

/// Creates a pixel buffer with undefined contents.
///
/// - Returns: ``kCVReturnSuccess``; ``kCVReturnInvalidPixelFormat`` for an unsupported format,
///   ``kCVReturnInvalidSize``, ``kCVReturnInvalidPixelBufferAttributes`` for attributes other than width, height and
///   pixel format, ``kCVReturnAllocationFailed``. On failure `pixelBufferOut` is nil.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard let details = PixelBuffer.Description(code: pixelFormatType, width: width, height: height)
  else { return kCVReturnInvalidPixelFormat }
  if let attributes = pixelBufferAttributes {
    do throws(AVError) {
      _ = try PixelBufferAttributes(attributes)
    } catch { return kCVReturnInvalidPixelBufferAttributes }
  }
  do throws(MediaCoreError) {
    pixelBufferOut.pointee = try MutablePixelBuffer(details).finish()
    return kCVReturnSuccess
  } catch {
    return error.code == .invalidDimensions ? kCVReturnInvalidSize : kCVReturnAllocationFailed
  }
}

/// Gets a pixel buffer with undefined contents from a pool; it returns to the pool when released. If all are in use,
/// an extra one is allocated: see ``CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(_:_:_:_:)`` for a limit.
///
/// - Returns: ``kCVReturnSuccess``, or ``kCVReturnAllocationFailed``.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    allocator, pixelBufferPool, nil, pixelBufferOut)
}
