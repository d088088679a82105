// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Gives memory back that a picture of several planes was made around: the program's own value, the address and the
/// size of all memory, and the number and the addresses of the planes, which are good for as long as the call.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void

/// Makes a picture around planes that somebody else owns.
///
/// - Parameters:
///   - allocator: Ignored.
///   - width: Pixels in a row.
///   - height: Rows.
///   - pixelFormatType: The layout.
///   - dataPtr: Where all memory is, where the planes are of one piece; only handed to the callback.
///   - dataSize: Bytes of it; only handed to the callback.
///   - numberOfPlanes: Planes of the layout.
///   - planeBaseAddress: The first byte of each plane; they stay valid until the callback.
///   - planeWidth: Of each plane, as `CVPixelBufferGetWidthOfPlane` tells it.
///   - planeHeight: Of each plane, as `CVPixelBufferGetHeightOfPlane` tells it.
///   - planeBytesPerRow: From a row of each plane to the next one.
///   - releaseCallback: Called once, on any thread, when nobody holds the picture.
///   - releaseRefCon: Handed to it.
///   - pixelBufferAttributes: As for `CVPixelBufferCreate`.
///   - pixelBufferOut: Set to the picture; nil if there is none, and then the callback is not called.
/// - Returns: As `CVPixelBufferCreate`; ``kCVReturnInvalidArgument`` for planes that are not the layout's, and for
///   rows that are too short.
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
  // No picture is larger, and sums of these do not overflow.
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
  // Addresses that are handed back to the program once, after the last use of the pixels.
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
