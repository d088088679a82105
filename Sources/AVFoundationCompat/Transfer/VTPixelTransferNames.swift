// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// How a frame fills another one of another shape: `kVTScalingMode_…`.
public let kVTPixelTransferPropertyKey_ScalingMode = "ScalingMode"
/// Stretched. The default.
public let kVTScalingMode_Normal = "Normal"
/// The clean aperture, stretched: always the whole frame, because buffers have no clean aperture here.
public let kVTScalingMode_CropSourceToCleanAperture = "CropSourceToCleanAperture"
/// The whole frame in its aspect ratio, with black bars.
public let kVTScalingMode_Letterbox = "Letterbox"
/// In its aspect ratio, cropped on two sides.
public let kVTScalingMode_Trim = "Trim"
/// True for real-time processing. Accepted without effect.
public let kVTPixelTransferPropertyKey_RealTime = "RealTime"

/// Creates a session.
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

/// Converts a frame to the size and pixel format of another buffer.
///
/// - Parameters:
///   - session: The session.
///   - sourceBuffer: The frame. Its color and its attachments that propagate are copied.
///   - destinationBuffer: A buffer that the program created and that nobody else uses meanwhile.
/// - Returns: ``kVTPixelTransferNotSupportedErr`` if the conversion is not supported, ``kVTInvalidSessionErr``. The
///   session's `error` says why.
@discardableResult
public func VTPixelTransferSessionTransferImage(
  _ session: VTPixelTransferSession, from sourceBuffer: CVPixelBuffer,
  to destinationBuffer: CVPixelBuffer
) -> OSStatus {
  session.transfer(sourceBuffer, to: destinationBuffer)
}

/// Invalidates a session, which then rejects frames.
public func VTPixelTransferSessionInvalidate(_ session: VTPixelTransferSession) {
  session.invalidate()
}
