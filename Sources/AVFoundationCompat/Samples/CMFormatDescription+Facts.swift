// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore

public let kCMFormatDescriptionExtension_ColorPrimaries = kCVImageBufferColorPrimariesKey
public let kCMFormatDescriptionExtension_TransferFunction = kCVImageBufferTransferFunctionKey
public let kCMFormatDescriptionExtension_YCbCrMatrix = kCVImageBufferYCbCrMatrixKey
/// 1 or 2.
public let kCMFormatDescriptionExtension_FieldCount = kCVImageBufferFieldCountKey
/// Which field comes first.
public let kCMFormatDescriptionExtension_FieldDetail = kCVImageBufferFieldDetailKey
/// The pixel aspect ratio: a dictionary with two spacings.
public let kCMFormatDescriptionExtension_PixelAspectRatio = kCVImageBufferPixelAspectRatioKey
/// True for full range.
public let kCMFormatDescriptionExtension_FullRangeVideo = "FullRangeVideo"

/// What is known about video beyond codec and size, with the keys `kCMFormatDescriptionExtension_…`; nil for audio.
public func CMFormatDescriptionGetExtensions(_ description: CMFormatDescription) -> CFDictionary? {
  guard case .video(let video) = description else { return nil }
  var extensions = ImageBufferAttachments.described(
    video.color, video.fieldOrder, video.pixelAspectRatio)
  extensions[kCMFormatDescriptionExtension_FullRangeVideo] = video.color.range == .full
  if !video.decoderConfiguration.isEmpty, let name = video.recordName {
    extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = [
      name: Data(video.decoderConfiguration)
    ]
  }
  return extensions
}

/// What is known about video for one of `kCMFormatDescriptionExtension_…`; nil if unknown.
public func CMFormatDescriptionGetExtension(
  _ description: CMFormatDescription, extensionKey: CFString
) -> Any? {
  CMFormatDescriptionGetExtensions(description)?[extensionKey]
}

/// The display size of video; 0x0 for audio.
///
/// - Parameters:
///   - videoDesc: The description of the video.
///   - usePixelAspectRatio: True to account for the pixel aspect ratio.
///   - useCleanAperture: No effect: descriptions have no clean aperture here.
public func CMVideoFormatDescriptionGetPresentationDimensions(
  _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
  videoDesc.presentationDimensions(
    usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
}

/// The clean aperture: always the whole frame.
public func CMVideoFormatDescriptionGetCleanAperture(
  _ videoDesc: CMVideoFormatDescription, originIsAtTopLeft: Bool
) -> CGRect {
  CGRect(
    x: 0, y: 0, width: CGFloat(videoDesc.dimensions.width),
    height: CGFloat(videoDesc.dimensions.height))
}

/// True if a buffer matches a description.
public func CMVideoFormatDescriptionMatchesImageBuffer(
  _ desc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
  var described: CMVideoFormatDescription?
  CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: nil, imageBuffer: imageBuffer, formatDescriptionOut: &described)
  return described == desc
}

/// Nil: channel layouts are unknown here.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  sizeOut?.pointee = 0
  return nil
}

extension FormatDescription {
  /// Same as ``CMVideoFormatDescriptionGetPresentationDimensions(_:usePixelAspectRatio:useCleanAperture:)``.
  public func presentationDimensions(
    usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true
  ) -> CGSize {
    guard case .video(let video) = self else { return .zero }
    var width = CGFloat(video.dimensions.width)
    let ratio = video.pixelAspectRatio
    if usePixelAspectRatio, ratio.vertical > 0 {
      width *= CGFloat(ratio.horizontal) / CGFloat(ratio.vertical)
    }
    return CGSize(width: width, height: CGFloat(video.dimensions.height))
  }

  /// Same as ``CMVideoFormatDescriptionGetCleanAperture(_:originIsAtTopLeft:)``.
  public func cleanAperture(originIsAtTopLeft: Bool = true) -> CGRect {
    CMVideoFormatDescriptionGetCleanAperture(self, originIsAtTopLeft: originIsAtTopLeft)
  }

  /// Same as ``CMVideoFormatDescriptionMatchesImageBuffer(_:imageBuffer:)``.
  public func matchesImageBuffer(_ imageBuffer: CVImageBuffer) -> Bool {
    CMVideoFormatDescriptionMatchesImageBuffer(self, imageBuffer: imageBuffer)
  }

  /// True if both descriptions are equal.
  public func equalTo(_ other: CMFormatDescription) -> Bool { self == other }

  /// Nil: channel layouts are unknown here.
  public var audioChannelLayout: ManagedAudioChannelLayout? { nil }
}

/// A copy of a sample that shares its media, with its own attachments and output presentation time.
@discardableResult
public func CMSampleBufferCreateCopy(
  allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer,
  sampleBufferOut: inout CMSampleBuffer?
) -> OSStatus {
  let copy = sbuf.withOwnNotes()
  copy.notes?.outputTime = sbuf.notes?.outputTime
  sampleBufferOut = copy
  return noErr
}

/// The size of a frame of audio, or of the sample if it is video, in bytes; 0 for an index out of range.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount) -> Int
{
  guard sampleIndex >= 0, sampleIndex < sbuf.sampleCount else { return 0 }
  return CMSampleBufferGetTotalSampleSize(sbuf) / max(sbuf.sampleCount, 1)
}

/// No effect: a sample is ready from the start, or once its audio is set.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus { noErr }
