// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetReader
import MediaCore
import VideoRecorder

/// Creates a session that decompresses frames.
///
/// - Parameters:
///   - allocator: Ignored.
///   - formatDescription: The frames' format, from an encoder's sample or a stream's parameter sets: ProRes, H.264,
///     HEVC or JPEG.
///   - decoderSpecification: Keys `kVTVideoDecoderSpecification_…`.
///   - imageBufferAttributes: 32BGRA, 32ARGB, `420v`, `420f`, `2vuy` or `yuvs`; nil for the codec's native pixel
///     format.
///   - outputCallback: Receives the frames; nil if each frame has its own handler.
///   - decompressionSessionOut: Set to the session, or to nil on failure.
/// - Returns: ``kVTCouldNotFindVideoDecoderErr``; ``kVTParameterErr`` for invalid attributes;
///   ``kVTPixelTransferNotSupportedErr`` for another pixel format or size: frames are not scaled.
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
  var wanted: FrameConversion?
  do throws(AVError) {
    let attributes = try PixelBufferAttributes(destinationImageBufferAttributes ?? [:])
    guard attributes.width ?? format.dimensions.width == format.dimensions.width,
      attributes.height ?? format.dimensions.height == format.dimensions.height
    else { return kVTPixelTransferNotSupportedErr }
    if let layout = attributes.format {
      let isRGB = layout.descriptor.subsampling == .rgb
      let conversion = FrameConversion(layout, range: isRGB ? .full : attributes.range)
      guard FrameConversion.available.contains(conversion) else {
        return kVTPixelTransferNotSupportedErr
      }
      wanted = conversion
    }
  } catch { return kVTParameterErr }
  // Only passed back to the program that supplied it, never dereferenced.
  nonisolated(unsafe) let refcon = outputCallback?.pointee.decompressionOutputRefCon
  let given = outputCallback?.pointee.decompressionOutputCallback
  let callback = given.map { given -> VTDecompressionOutputCallback in
    { _, source, status, flags, frame, time, duration in
      given(refcon, source, status, flags, frame, time, duration)
    }
  }
  decompressionSessionOut.pointee = VTDecompressionSession(format, wanted, callback)
  return noErr
}

/// Decodes a frame; the session's callback receives the result on the session's queue. Without
/// ``VTDecodeFrameFlags/_EnableAsynchronousDecompression`` this returns after the callback, except for a frame that is
/// displayed after frames not yet submitted.
///
/// - Parameters:
///   - session: The session.
///   - sampleBuffer: A compressed frame, in decode order.
///   - decodeFlags: How to decode the frame.
///   - sourceFrameRefCon: Passed as the callback's second argument.
///   - infoFlagsOut: Set to ``VTDecodeInfoFlags/asynchronous`` or to no flags; may be nil.
/// - Returns: ``kVTParameterErr`` for a sample that is not a compressed frame, or a session without a callback;
///   ``kVTFormatDescriptionChangeNotSupportedErr``, ``kVTInvalidSessionErr``. For a frame that cannot be decoded the
///   callback receives ``kVTVideoDecoderBadDataErr``. The session's `error` gives the reason.
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
  // Only passed back to the program that supplied it, never dereferenced.
  nonisolated(unsafe) let source = sourceFrameRefCon
  return VTDecompressionSessionDecodeFrame(
    session, sampleBuffer: sampleBuffer, flags: decodeFlags, infoFlagsOut: infoFlagsOut
  ) { status, flags, frame, time, duration in
    callback(nil, source, status, flags, frame, time, duration)
  }
}

/// Decodes a frame for its own handler; otherwise as
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

/// Delivers the frames that the decoder holds. If it held any, the decoder restarts; before a frame that depends on
/// others, it decodes the frames since the last key frame again.
///
/// - Returns: ``kVTInvalidSessionErr``.
@discardableResult
public func VTDecompressionSessionFinishDelayedFrames(
  _ session: VTDecompressionSession
) -> OSStatus { session.finish() }

/// Blocks until all frames have been delivered, as ``VTDecompressionSessionFinishDelayedFrames(_:)`` does.
///
/// - Returns: ``kVTInvalidSessionErr``.
@discardableResult
public func VTDecompressionSessionWaitForAsynchronousFrames(
  _ session: VTDecompressionSession
) -> OSStatus { session.finish() }

/// True for frames that the session can decode: same codec, size and parameter sets.
public func VTDecompressionSessionCanAcceptFormatDescription(
  _ session: VTDecompressionSession, formatDescription newFormatDesc: CMFormatDescription
) -> Bool {
  guard case .video(let format) = newFormatDesc else { return false }
  return session.accepts(format)
}

/// Ends a session: waiting frames are not decoded, and no handler is called any more.
public func VTDecompressionSessionInvalidate(_ session: VTDecompressionSession) {
  session.invalidate()
}
