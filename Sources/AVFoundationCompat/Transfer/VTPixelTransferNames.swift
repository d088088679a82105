// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// How a picture fills another one of another shape: `kVTScalingMode_…`.
public let kVTPixelTransferPropertyKey_ScalingMode = "ScalingMode"
/// All of it, stretched: as unless set.
public let kVTScalingMode_Normal = "Normal"
/// Its clean aperture, stretched: all of it, for no picture in memory has one here.
public let kVTScalingMode_CropSourceToCleanAperture = "CropSourceToCleanAperture"
/// All of it, in its shape, with black beside it.
public let kVTScalingMode_Letterbox = "Letterbox"
/// In its shape, cut to the other one's at two sides.
public let kVTScalingMode_Trim = "Trim"
/// True for pictures that cannot wait. Taken, and changes nothing.
public let kVTPixelTransferPropertyKey_RealTime = "RealTime"

/// Makes a session.
///
/// - Parameters:
///   - allocator: Ignored.
///   - pixelTransferSessionOut: Set to the session.
@discardableResult
public func VTPixelTransferSessionCreate(
  allocator: CFAllocator?,
  pixelTransferSessionOut: UnsafeMutablePointer<VTPixelTransferSession?>
) -> OSStatus {
  pixelTransferSessionOut.pointee = VTPixelTransferSession()
  return noErr
}

/// Fills a picture with another one, in its own size and layout.
///
/// - Parameters:
///   - session: The session.
///   - sourceBuffer: The picture. Its color goes along, as attachments that propagate do.
///   - destinationBuffer: A picture that the program has made, and that nobody else uses meanwhile.
/// - Returns: ``kVTPixelTransferNotSupportedErr`` where there is no way from one layout to the other,
///   ``kVTInvalidSessionErr``. The session's `error` says why.
@discardableResult
public func VTPixelTransferSessionTransferImage(
  _ session: VTPixelTransferSession, from sourceBuffer: CVPixelBuffer,
  to destinationBuffer: CVPixelBuffer
) -> OSStatus {
  session.transfer(sourceBuffer, to: destinationBuffer)
}

/// Ends a session: it takes no more pictures.
public func VTPixelTransferSessionInvalidate(_ session: VTPixelTransferSession) {
  session.invalidate()
}
