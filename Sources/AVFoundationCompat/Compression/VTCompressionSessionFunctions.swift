// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Creates a session that compresses frames.
///
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width of every frame in pixels; frames are not scaled.
///   - height: The height of every frame in pixels.
///   - codecType: `kCMVideoCodecType_AppleProRes…`, and H.264 or HEVC if libavcodec has an encoder.
///   - encoderSpecification: Keys `kVTVideoEncoderSpecification_…`.
///   - imageBufferAttributes: The format of the session's pool.
///   - compressedDataAllocator: Ignored.
///   - outputCallback: Receives the compressed frames; nil if each frame has its own handler.
///   - refcon: Passed as the callback's first argument.
///   - compressionSessionOut: Set to the session, or to nil on failure.
/// - Returns: ``kVTCouldNotFindVideoEncoderErr``; ``kVTParameterErr`` for a size that the codec does not support, and
///   for invalid attributes.
@discardableResult
public func VTCompressionSessionCreate(
  allocator: CFAllocator?, width: Int32, height: Int32, codecType: CMVideoCodecType,
  encoderSpecification: CFDictionary?, imageBufferAttributes: CFDictionary?,
  compressedDataAllocator: CFAllocator?, outputCallback: VTCompressionOutputCallback?,
  refcon: UnsafeMutableRawPointer?,
  compressionSessionOut: UnsafeMutablePointer<VTCompressionSession?>
) -> OSStatus {
  compressionSessionOut.pointee = nil
  guard let codec = VideoEncoderList.codec(codecType, as: encoderSpecification) else {
    return kVTCouldNotFindVideoEncoderErr
  }
  let size = VideoDimensions(width: Int(width), height: Int(height))
  var properties = CompressionProperties(codec, size)
  var attributes: PixelBufferAttributes?
  do throws(AVError) {
    _ = try properties.settings()
    attributes = try imageBufferAttributes.map { given throws(AVError) in
      try PixelBufferAttributes(given)
    }
  } catch { return kVTParameterErr }
  // Only passed back to the program that supplied it, never dereferenced.
  nonisolated(unsafe) let refcon = refcon
  let callback = outputCallback.map { outputCallback -> VTCompressionOutputCallback in
    { _, source, status, flags, sample in outputCallback(refcon, source, status, flags, sample) }
  }
  compressionSessionOut.pointee = VTCompressionSession(codec, size, attributes, callback)
  return noErr
}

/// Checks the session's properties; the encoder is created for the first frame.
///
/// - Returns: ``kVTParameterErr`` for values that no encoder supports, ``kVTInvalidSessionErr``.
@discardableResult
public func VTCompressionSessionPrepareToEncodeFrames(_ session: VTCompressionSession) -> OSStatus {
  session.prepare()
}

/// A pool of frames with the session's size and the pixel format of its attributes. Default formats: 8-bit 4:2:0 for
/// H.264 and HEVC, 10-bit 4:2:2 for ProRes 422, 10-bit 4:4:4 for ProRes 4444. Nil if there is not enough memory.
public func VTCompressionSessionGetPixelBufferPool(
  _ session: VTCompressionSession
) -> CVPixelBufferPool? { session.pixelBufferPool }

/// Submits a frame; the session's callback receives the result on the session's queue. Blocks while eight frames are
/// waiting.
///
/// - Parameters:
///   - session: The session.
///   - imageBuffer: The frame, of the session's size.
///   - presentationTimeStamp: Later than that of the previous frame.
///   - duration: The frame's duration; `.invalid` if unknown.
///   - frameProperties: ``kVTEncodeFrameOptionKey_ForceKeyFrame``, or nil.
///   - sourceFrameRefcon: Passed as the callback's second argument.
///   - infoFlagsOut: Set to ``VTEncodeInfoFlags/asynchronous``; may be nil.
/// - Returns: ``kVTParameterErr`` for a frame of another size, a time that is not later, invalid frame properties, or a
///   session without a callback; ``kVTInvalidSessionErr``. The session's `error` gives the reason.
@discardableResult
public func VTCompressionSessionEncodeFrame(
  _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime,
  duration: CMTime, frameProperties: CFDictionary?, sourceFrameRefcon: UnsafeMutableRawPointer?,
  infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?
) -> OSStatus {
  guard let callback = session.callback else {
    session.refuse(
      AVError(
        .operationNotAllowed,
        "the session has no callback; give VTCompressionSessionEncodeFrame an outputHandler"))
    return kVTParameterErr
  }
  // Only passed back to the program that supplied it, never dereferenced.
  nonisolated(unsafe) let source = sourceFrameRefcon
  return VTCompressionSessionEncodeFrame(
    session, imageBuffer: imageBuffer, presentationTimeStamp: presentationTimeStamp,
    duration: duration, frameProperties: frameProperties, infoFlagsOut: infoFlagsOut
  ) { status, flags, sample in callback(nil, source, status, flags, sample) }
}

/// Submits a frame with its own handler; otherwise as
/// ``VTCompressionSessionEncodeFrame(_:imageBuffer:presentationTimeStamp:duration:frameProperties:sourceFrameRefcon:infoFlagsOut:)``.
@discardableResult
public func VTCompressionSessionEncodeFrame(
  _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime,
  duration: CMTime, frameProperties: CFDictionary?,
  infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?,
  outputHandler: @escaping VTCompressionOutputHandler
) -> OSStatus {
  var reader = SettingsReader(frameProperties ?? [:], "frame properties")
  let isKey: Bool
  do throws(AVError) {
    isKey = try reader.flag(kVTEncodeFrameOptionKey_ForceKeyFrame) ?? false
    try reader.finish()
  } catch {
    session.refuse(error)
    return kVTParameterErr
  }
  let status = session.submit(
    imageBuffer, at: presentationTimeStamp, duration: duration, isKey: isKey, outputHandler)
  infoFlagsOut?.pointee = status == noErr ? .asynchronous : []
  return status
}

/// Blocks until the frames up to a time have been compressed and their handlers called; all frames if the time is not
/// numeric. If the encoder held frames, the next frame is a key frame.
///
/// - Returns: ``kVTInvalidSessionErr``. The handlers receive other failures.
@discardableResult
public func VTCompressionSessionCompleteFrames(
  _ session: VTCompressionSession,
  untilPresentationTimeStamp completeUntilPresentationTimeStamp: CMTime
) -> OSStatus {
  session.complete(until: completeUntilPresentationTimeStamp)
}

/// Ends a session: waiting frames are not compressed, and their handlers are not called.
public func VTCompressionSessionInvalidate(_ session: VTCompressionSession) { session.invalidate() }
