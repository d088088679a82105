// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore

/// The size in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CGSize(
    width: CGFloat(CVPixelBufferGetWidth(imageBuffer)),
    height: CGFloat(CVPixelBufferGetHeight(imageBuffer)))
}
/// The display size: always the size in pixels.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CVImageBufferGetEncodedSize(imageBuffer)
}
/// The clean aperture: always the whole frame.
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
  CGRect(origin: .zero, size: CVImageBufferGetEncodedSize(imageBuffer))
}
/// True: the first row is the top one.
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }
/// The color space attached under ``kCVImageBufferCGColorSpaceKey``; nil without one: the keys for primaries,
/// transfer function and matrix describe the color.
public func CVImageBufferGetColorSpace(_ imageBuffer: CVImageBuffer) -> Unmanaged<CGColorSpace>? {
  let space = CVBufferCopyAttachment(imageBuffer, kCVImageBufferCGColorSpaceKey, nil)
  return (space as? CGColorSpace).map { .passUnretained($0) }
}
/// All attachments with a mode; nil if there are none.
public func CVBufferGetAttachments(
  _ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode
) -> CFDictionary? {
  CVBufferCopyAttachments(buffer, attachmentMode)
}
/// Zeros: buffers have no extended pixels here.
public func CVPixelBufferGetExtendedPixels(
  _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
  _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
  _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
  for side in [extraColumnsOnLeft, extraColumnsOnRight, extraRowsOnTop, extraRowsOnBottom] {
    side?.pointee = 0
  }
}
/// No effect: buffers have no extended pixels here.
@discardableResult
public func CVPixelBufferFillExtendedPixels(_ pixelBuffer: CVPixelBuffer) -> CVReturn {
  kCVReturnSuccess
}

/// Unsupported.
public let kCVReturnUnsupported: CVReturn = -6663
/// Same as `CVPixelBufferLockFlags.readOnly`.
public let kCVPixelBufferLock_ReadOnly = CVPixelBufferLockFlags.readOnly
/// sRGB. No track stores it: writers ignore it.
public let kCVImageBufferTransferFunction_sRGB = "IEC_sRGB"
/// Rejected, like `kCVPixelFormatType_32ARGB`.
public let kCVPixelFormatType_24RGB: OSType = 0x18
/// Rejected, like `kCVPixelFormatType_32ARGB`.
public let kCVPixelFormatType_30RGB: OSType = 0x5231_306B
/// Rejected, like `kCVPixelFormatType_32ARGB`.
public let kCVPixelFormatType_422YpCbCr16: OSType = 0x7632_3136
/// Rejected, like `kCVPixelFormatType_32ARGB`.
public let kCVPixelFormatType_DepthFloat32: OSType = 0x6664_6570
/// Stands for Core Foundation's Boolean type.
public typealias CFBoolean = Bool
/// Stands for Core Foundation's number type: a Swift number or an `NSNumber`.
public typealias CFNumber = Any
/// True, by Core Foundation's name.
public let kCFBooleanTrue: Bool? = true
/// False, by Core Foundation's name.
public let kCFBooleanFalse: Bool? = false
/// Packed native floating-point samples. Not used by this package.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
  kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
/// 0: samples are little-endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0

/// The attributes to create a similar buffer: `kCVPixelBufferPixelFormatTypeKey`, width and height.
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
  [
    kCVPixelBufferPixelFormatTypeKey: CVPixelBufferGetPixelFormatType(pixelBuffer),
    kCVPixelBufferWidthKey: pixelBuffer.width, kCVPixelBufferHeightKey: pixelBuffer.height,
  ]
}
/// Nil: each buffer describes itself.
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { nil }
/// Nil: each buffer describes itself.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
  nil
}
/// Nil: buffers are never in GPU memory.
public func CVPixelBufferGetIOSurface(_ pixelBuffer: CVPixelBuffer?) -> UnmanagedAttachment? { nil }
