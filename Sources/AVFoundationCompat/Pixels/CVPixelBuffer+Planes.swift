// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Releases the memory that a planar buffer was created with. Its arguments are the program's value, the address and
/// size of the whole memory, and the number and addresses of the planes, which are valid only during the call.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void

/// Creates a pixel buffer around existing planes.
///
/// - Parameters:
///   - allocator: Ignored.
///   - width: Width in pixels.
///   - height: Height in pixels.
///   - pixelFormatType: The format.
///   - dataPtr: The memory that contains all planes, if there is one; only passed to the callback.
///   - dataSize: Its size in bytes; only passed to the callback.
///   - numberOfPlanes: The number of planes of the format.
///   - planeBaseAddress: The first byte of each plane; must stay valid until the callback.
///   - planeWidth: The width of each plane, as returned by `CVPixelBufferGetWidthOfPlane`.
///   - planeHeight: The height of each plane, as returned by `CVPixelBufferGetHeightOfPlane`.
///   - planeBytesPerRow: Bytes from one row to the next, for each plane.
///   - releaseCallback: Called once, on any thread, when the buffer is released.
///   - releaseRefCon: Passed to the callback.
///   - pixelBufferAttributes: Same as for `CVPixelBufferCreate`.
///   - pixelBufferOut: Set to the buffer; nil on failure, when the callback is not called.
/// - Returns: Same as `CVPixelBufferCreate`; ``kCVReturnInvalidArgument`` if planes do not match the format or rows
///   are too short.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
  _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
  _ planeWidth: UnsafeMutablePointer<Int>, _ planeHeight: UnsafeMutablePointer<Int>,
  _ planeBytesPerRow: UnsafeMutablePointer<Int>,
  _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?,
  _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard let details = PixelBuffer.Description(code: pixelFormatType, width: width, height: height)
  else { return kCVReturnInvalidPixelFormat }
  if let attributes = pixelBufferAttributes, (try? PixelBufferAttributes(attributes)) == nil {
    return kCVReturnInvalidPixelBufferAttributes
  }
  let format = details.format
  // No frame is larger, and sums of these cannot overflow.
  guard (1...16_384).contains(width), (1...16_384).contains(height) else {
    return kCVReturnInvalidSize
  }
  guard numberOfPlanes == format.planeCount else { return kCVReturnInvalidArgument }
  let planes = (0..<numberOfPlanes).compactMap { index -> PixelBuffer.Plane? in
    guard let address = planeBaseAddress[index],
      planeWidth[index] == format.columns(plane: index, width: width),
      planeHeight[index] == format.rows(plane: index, height: height)
    else { return nil }
    return PixelBuffer.Plane(
      baseAddress: address, bytesPerRow: planeBytesPerRow[index], rows: planeHeight[index])
  }
  guard planes.count == numberOfPlanes else { return kCVReturnInvalidArgument }
  // Addresses that are passed back to the program once, after the last use of the pixels.
  nonisolated(unsafe) let memory = (
    refCon: releaseRefCon, all: UnsafeRawPointer(dataPtr),
    planes: (0..<numberOfPlanes).map { UnsafeRawPointer(planeBaseAddress[$0]) }
  )
  do throws(MediaCoreError) {
    pixelBufferOut.pointee = try PixelBuffer(details, planes: planes) {
      var addresses = memory.planes
      addresses.withUnsafeMutableBufferPointer { addresses in
        releaseCallback?(
          memory.refCon, memory.all, dataSize, addresses.count, addresses.baseAddress)
      }
    }
    return kCVReturnSuccess
  } catch {
    return error.code == .invalidDimensions ? kCVReturnInvalidSize : kCVReturnInvalidArgument
  }
}
