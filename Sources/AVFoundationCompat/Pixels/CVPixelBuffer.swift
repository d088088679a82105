// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// A picture in memory.
public typealias CVPixelBuffer = PixelBuffer
/// A picture in memory.
public typealias CVImageBuffer = PixelBuffer
/// Picture memory that is used again and again.
public typealias CVPixelBufferPool = PixelBufferPool
/// What a call of Core Video returns.
public typealias CVReturn = Int32
/// Options of a lock.
public typealias CVOptionFlags = UInt64
/// Stands where Core Foundation's dictionary does.
public typealias CFDictionary = [String: Any]
/// Stands where Core Foundation's string does.
public typealias CFString = String

/// All well.
public let kCVReturnSuccess: CVReturn = 0
/// Something else failed.
public let kCVReturnError: CVReturn = -6660
/// An argument out of its range.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// No memory.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// No such pixel format here.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// A size that no picture can have.
public let kCVReturnInvalidSize: CVReturn = -6681
/// Attributes with a mistake, or that cannot be met.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// All buffers of a pool are in use.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689

/// What a lock is for.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: CVOptionFlags
  /// Flags from their bits.
  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }
  /// Reading alone.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Success: a picture here is always in memory that the processor sees.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  kCVReturnSuccess
}

/// Success, as ``CVPixelBufferLockBaseAddress(_:_:)``.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  kCVReturnSuccess
}

/// Pixels in a row.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }
/// Rows.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Apple's code of the layout and range; V4L2's for a layout that Apple has no code for, and 0 where
/// there is neither.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  let format = pixelBuffer.format
  let code =
    format.appleName(range: pixelBuffer.color.range)
    ?? format.descriptor.v4l2Codes.first
  return code?.rawValue ?? 0
}

/// True for a picture of several planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool {
  pixelBuffer.planeCount > 1
}
/// Planes; 0 for a packed picture, as with Apple's.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  CVPixelBufferIsPlanar(pixelBuffer) ? pixelBuffer.planeCount : 0
}

/// The first byte of the first plane. It stays where it is for as long as the buffer is held; only
/// who made the buffer may write there.
public func CVPixelBufferGetBaseAddress(
  _ pixelBuffer: CVPixelBuffer
) -> UnsafeMutableRawPointer? {
  CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, 0)
}

/// The first byte of a plane, as ``CVPixelBufferGetBaseAddress(_:)``; nil if there is no such plane.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  guard (0..<pixelBuffer.planeCount).contains(planeIndex) else { return nil }
  return pixelBuffer.unsafeAddress(ofPlane: planeIndex)
}

/// Bytes from a row of the first plane to the next one.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.bytesPerRow(plane: 0)
}
/// Bytes from a row of a plane to the next one; 0 where there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int {
  guard (0..<pixelBuffer.planeCount).contains(planeIndex) else { return 0 }
  return pixelBuffer.bytesPerRow(plane: planeIndex)
}

/// Pixels in a row of a plane: of a chroma plane, its samples of one component.
public func CVPixelBufferGetWidthOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int {
  pixelBuffer.format.columns(plane: planeIndex, width: pixelBuffer.width)
}

extension PixelFormat {
  /// Pixels in a row of a plane, as ``CVPixelBufferGetWidthOfPlane(_:_:)``.
  func columns(plane: Int, width: Int) -> Int {
    let shift = descriptor.subsampling.horizontalShift
    switch plane {
    case 0, 3: return plane < planeCount ? width : 0
    case 1..<planeCount: return (width + (1 << shift) - 1) >> shift
    default: return 0
    }
  }
}

/// Rows of a plane.
public func CVPixelBufferGetHeightOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int {
  guard (0..<pixelBuffer.planeCount).contains(planeIndex) else { return 0 }
  return pixelBuffer.format.rows(plane: planeIndex, height: pixelBuffer.height)
}

/// Bytes of all planes, padding of rows included.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
  (0..<pixelBuffer.planeCount).reduce(0) { $0 + pixelBuffer.plane($1).byteCount }
}

/// Makes a picture, its contents undefined.
///
/// - Returns: ``kCVReturnSuccess``; ``kCVReturnInvalidPixelFormat`` for a code that names no layout
///   here, ``kCVReturnInvalidSize``, ``kCVReturnInvalidPixelBufferAttributes`` for attributes other
///   than width, height and pixel format, ``kCVReturnAllocationFailed``. Without a picture
///   `pixelBufferOut` is nil.
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

/// Takes a picture, its contents undefined, from a pool; it goes back when nobody holds it. Where all are
/// in use, one is made beside the pool's own: see
/// ``CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(_:_:_:_:)`` for a limit.
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
