// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetReader
import MediaCore
import VideoRecorder

/// Makes a session that decompresses pictures.
///
/// - Parameters:
///   - allocator: Ignored.
///   - formatDescription: What the pictures are, of a sample that an encoder gave, or made of a stream's
///     parameter sets: ProRes, H.264, HEVC or JPEG.
///   - decoderSpecification: By `kVTVideoDecoderSpecification_…`.
///   - imageBufferAttributes: 32BGRA, 32ARGB, `420v`, `420f`, `2vuy` or `yuvs`; nil for the layout that the codec has.
///   - outputCallback: Given the pictures; nil where each comes with a handler.
///   - decompressionSessionOut: Set to the session; nil where there is none.
/// - Returns: ``kVTCouldNotFindVideoDecoderErr``; ``kVTParameterErr`` for attributes with a mistake;
///   ``kVTPixelTransferNotSupportedErr`` for another layout, and for another size: nothing is scaled.
@discardableResult
public func VTDecompressionSessionCreate(
  allocator: CFAllocator?, formatDescription videoFormatDescription: CMVideoFormatDescription,
  decoderSpecification videoDecoderSpecification: CFDictionary?,
  imageBufferAttributes destinationImageBufferAttributes: CFDictionary?,
  outputCallback: UnsafePointer<VTDecompressionOutputCallbackRecord>?,
  decompressionSessionOut: UnsafeMutablePointer<VTDecompressionSession?>
) -> OSStatus {
  decompressionSessionOut.pointee = nil
  var reader = SettingsReader(videoDecoderSpecification ?? [:], "decoder specification")
  let hardware = kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder
  let processor = kVTVideoDecoderSpecification_RequiredDecoderGPURegistryID
  guard case .video(let format) = videoFormatDescription, PacketDecoder.canDecode(format),
    (try? reader.flag(hardware)) != true, videoDecoderSpecification?[processor] == nil
  else { return kVTCouldNotFindVideoDecoderErr }
  var wanted: PictureConversion?
  do throws(AVError) {
    let attributes = try PixelBufferAttributes(destinationImageBufferAttributes ?? [:])
    guard attributes.width ?? format.dimensions.width == format.dimensions.width,
      attributes.height ?? format.dimensions.height == format.dimensions.height
    else { return kVTPixelTransferNotSupportedErr }
    if let layout = attributes.format {
      let isRGB = layout.descriptor.subsampling == .rgb
      let conversion = PictureConversion(layout, range: isRGB ? .full : attributes.range)
      guard PictureConversion.available.contains(conversion) else {
        return kVTPixelTransferNotSupportedErr
      }
      wanted = conversion
    }
  } catch { return kVTParameterErr }
  // An address that is handed back to the program that gave it.
  nonisolated(unsafe) let refcon = outputCallback?.pointee.decompressionOutputRefCon
  let given = outputCallback?.pointee.decompressionOutputCallback
  let callback = given.map { given -> VTDecompressionOutputCallback in
    { _, source, status, flags, picture, time, duration in
      given(refcon, source, status, flags, picture, time, duration)
    }
  }
  decompressionSessionOut.pointee = VTDecompressionSession(format, wanted, callback)
  return noErr
}

/// Decodes a picture; the session's callback is given what becomes of it, on a queue of the session's. Without
/// ``VTDecodeFrameFlags/_EnableAsynchronousDecompression`` it has been called when the call returns, but for a picture that
/// is shown after others that are to come.
///
/// - Parameters:
///   - session: The session.
///   - sampleBuffer: A compressed picture, in the order of decoding.
///   - decodeFlags: How.
///   - sourceFrameRefCon: Handed to the callback second.
///   - infoFlagsOut: Set to ``VTDecodeInfoFlags/asynchronous``, or to nothing; nil for not asked.
/// - Returns: ``kVTParameterErr`` for a sample that is no compressed picture, and where the session was made without a
///   callback; ``kVTFormatDescriptionChangeNotSupportedErr``, ``kVTInvalidSessionErr``. What does not decode has
///   ``kVTVideoDecoderBadDataErr`` for the callback. The session's `error` says why.
@discardableResult
public func VTDecompressionSessionDecodeFrame(
  _ session: VTDecompressionSession, sampleBuffer: CMSampleBuffer,
  flags decodeFlags: VTDecodeFrameFlags, frameRefcon sourceFrameRefCon: UnsafeMutableRawPointer?,
  infoFlagsOut: UnsafeMutablePointer<VTDecodeInfoFlags>?
) -> OSStatus {
  guard let callback = session.callback else {
    session.refuse(
      AVError(
        .operationNotAllowed,
        "the session has no callback; give VTDecompressionSessionDecodeFrame an outputHandler"))
    return kVTParameterErr
  }
  nonisolated(unsafe) let source = sourceFrameRefCon
  return VTDecompressionSessionDecodeFrame(
    session, sampleBuffer: sampleBuffer, flags: decodeFlags, infoFlagsOut: infoFlagsOut
  ) { status, flags, picture, time, duration in
    callback(nil, source, status, flags, picture, time, duration)
  }
}

/// Decodes a picture for a handler of its own; else as
/// ``VTDecompressionSessionDecodeFrame(_:sampleBuffer:flags:frameRefcon:infoFlagsOut:)``.
@discardableResult
public func VTDecompressionSessionDecodeFrame(
  _ session: VTDecompressionSession, sampleBuffer: CMSampleBuffer,
  flags decodeFlags: VTDecodeFrameFlags, infoFlagsOut: UnsafeMutablePointer<VTDecodeInfoFlags>?,
  outputHandler: @escaping VTDecompressionOutputHandler
) -> OSStatus {
  let status = session.submit(sampleBuffer, decodeFlags, outputHandler)
  let isLater = decodeFlags.contains(._EnableAsynchronousDecompression)
  infoFlagsOut?.pointee = status == noErr && isLater ? .asynchronous : []
  return status
}

/// Has the pictures come out that the decoder holds; it begins anew with one that is decoded without others, where it
/// held some.
///
/// - Returns: ``kVTInvalidSessionErr``.
@discardableResult
public func VTDecompressionSessionFinishDelayedFrames(
  _ session: VTDecompressionSession
) -> OSStatus { session.finish() }

/// Returns once all pictures have come out, as
/// ``VTDecompressionSessionFinishDelayedFrames(_:)`` has them.
///
/// - Returns: ``kVTInvalidSessionErr``.
@discardableResult
public func VTDecompressionSessionWaitForAsynchronousFrames(
  _ session: VTDecompressionSession
) -> OSStatus { session.finish() }

/// True for pictures that the session can go on with: of the same codec, size and parameter sets.
public func VTDecompressionSessionCanAcceptFormatDescription(
  _ session: VTDecompressionSession, formatDescription newFormatDesc: CMFormatDescription
) -> Bool {
  guard case .video(let format) = newFormatDesc else { return false }
  return session.accepts(format)
}

/// Ends a session: pictures that wait are not decoded, and nobody is called any more.
public func VTDecompressionSessionInvalidate(_ session: VTDecompressionSession) {
  session.invalidate()
}
