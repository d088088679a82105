// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore

/// The picture's whole size.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CGSize(
    width: CGFloat(CVPixelBufferGetWidth(imageBuffer)),
    height: CGFloat(CVPixelBufferGetHeight(imageBuffer)))
}
/// The size in which the picture is shown: its whole size.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CVImageBufferGetEncodedSize(imageBuffer)
}
/// The part that is meant to be seen: all of it.
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
  CGRect(origin: .zero, size: CVImageBufferGetEncodedSize(imageBuffer))
}
/// True: the first row is the uppermost.
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }
/// The space that was put on a picture under ``kCVImageBufferCGColorSpaceKey``; nil without: what colors are is told by
/// the keys of primaries, transfer function and matrix.
public func CVImageBufferGetColorSpace(_ imageBuffer: CVImageBuffer) -> Unmanaged<CGColorSpace>? {
  let space = CVBufferCopyAttachment(imageBuffer, kCVImageBufferCGColorSpaceKey, nil)
  return (space as? CGColorSpace).map { .passUnretained($0) }
}
/// What is noted on a picture and goes with it, or does not.
public func CVBufferGetAttachments(
  _ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode
) -> CFDictionary? {
  CVBufferCopyAttachments(buffer, attachmentMode)
}
/// Zeros: no picture here has pixels beside those that count.
public func CVPixelBufferGetExtendedPixels(
  _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
  _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
  _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
  for side in [extraColumnsOnLeft, extraColumnsOnRight, extraRowsOnTop, extraRowsOnBottom] {
    side?.pointee = 0
  }
}
/// There is nothing to fill: ``kCVReturnSuccess``.
@discardableResult
public func CVPixelBufferFillExtendedPixels(_ pixelBuffer: CVPixelBuffer) -> CVReturn {
  kCVReturnSuccess
}

/// Something that is not here.
public let kCVReturnUnsupported: CVReturn = -6663
/// As `CVPixelBufferLockFlags.readOnly`.
public let kCVPixelBufferLock_ReadOnly = CVPixelBufferLockFlags.readOnly
/// sRGB. No track says so: a writer takes no note of it.
public let kCVImageBufferTransferFunction_sRGB = "IEC_sRGB"
/// Refused, as `kCVPixelFormatType_32ARGB`.
public let kCVPixelFormatType_24RGB: OSType = 0x18
/// Refused, as `kCVPixelFormatType_32ARGB`.
public let kCVPixelFormatType_30RGB: OSType = 0x5231_306B
/// Refused, as `kCVPixelFormatType_32ARGB`.
public let kCVPixelFormatType_422YpCbCr16: OSType = 0x7632_3136
/// Refused, as `kCVPixelFormatType_32ARGB`.
public let kCVPixelFormatType_DepthFloat32: OSType = 0x6664_6570
/// Stands where Core Foundation's truth value does.
public typealias CFBoolean = Bool
/// Stands where Core Foundation's number does: a number of Swift's, or an `NSNumber`.
public typealias CFNumber = Any
/// True, where Core Foundation has it.
public let kCFBooleanTrue: Bool? = true
/// False, where Core Foundation has it.
public let kCFBooleanFalse: Bool? = false
/// Floating-point numbers without gaps: nothing here gives or takes them.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
  kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
/// Nothing: samples are little-endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0

/// What makes a picture like this one: `kCVPixelBufferPixelFormatTypeKey`, width and height.
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
  [
    kCVPixelBufferPixelFormatTypeKey: CVPixelBufferGetPixelFormatType(pixelBuffer),
    kCVPixelBufferWidthKey: pixelBuffer.width, kCVPixelBufferHeightKey: pixelBuffer.height,
  ]
}
/// Nil: what pools lend is told by each picture.
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { nil }
/// Nil: what pools lend is told by each picture.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
  nil
}
/// Nil: no picture here is memory of a graphics processor.
public func CVPixelBufferGetIOSurface(_ pixelBuffer: CVPixelBuffer?) -> UnmanagedAttachment? { nil }
