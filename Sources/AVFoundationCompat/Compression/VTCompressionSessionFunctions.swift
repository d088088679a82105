// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Makes a session that compresses pictures.
///
/// - Parameters:
///   - allocator: Ignored.
///   - width: Pixels in a row, of every picture: nothing is scaled.
///   - height: Rows, of every picture.
///   - codecType: `kCMVideoCodecType_AppleProRes…`, and H.264 or HEVC where libavcodec has an encoder.
///   - encoderSpecification: By `kVTVideoEncoderSpecification_…`.
///   - imageBufferAttributes: What pictures of the session's pool are.
///   - compressedDataAllocator: Ignored.
///   - outputCallback: Given the compressed pictures; nil where each picture comes with a handler.
///   - refcon: Handed to it first.
///   - compressionSessionOut: Set to the session; nil where there is none.
/// - Returns: ``kVTCouldNotFindVideoEncoderErr``; ``kVTParameterErr`` for a size that the codec cannot have, and for
///   attributes with a mistake.
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
  // An address that is handed back to the program that gave it.
  nonisolated(unsafe) let refcon = refcon
  let callback = outputCallback.map { outputCallback -> VTCompressionOutputCallback in
    { _, source, status, flags, sample in outputCallback(refcon, source, status, flags, sample) }
  }
  compressionSessionOut.pointee = VTCompressionSession(codec, size, attributes, callback)
  return noErr
}

/// Looks at what was set of a session; the encoder is made of the first picture.
///
/// - Returns: ``kVTParameterErr`` for what no encoder can be told, ``kVTInvalidSessionErr``.
@discardableResult
public func VTCompressionSessionPrepareToEncodeFrames(_ session: VTCompressionSession) -> OSStatus {
  session.prepare()
}

/// Pictures of the session's size, in the layout of its attributes: else 4:2:0 of 8 bits for H.264 and HEVC, 4:2:2 of
/// 10 bits for ProRes 422, 4:4:4 of 10 bits for ProRes 4444. Nil without memory.
public func VTCompressionSessionGetPixelBufferPool(
  _ session: VTCompressionSession
) -> CVPixelBufferPool? { session.pixelBufferPool }

/// Hands a picture over; the session's callback is given what becomes of it, on a queue of the session's. While eight
/// pictures wait, the call waits with them.
///
/// - Parameters:
///   - session: The session.
///   - imageBuffer: The picture, of the session's size.
///   - presentationTimeStamp: Later than that of the one before.
///   - duration: How long it is shown; `.invalid` where not known.
///   - frameProperties: ``kVTEncodeFrameOptionKey_ForceKeyFrame``, or nil.
///   - sourceFrameRefcon: Handed to the callback second.
///   - infoFlagsOut: Set to ``VTEncodeInfoFlags/asynchronous``; nil for not asked.
/// - Returns: ``kVTParameterErr`` for a picture of another size, a time that is no later, for frame properties with a
///   mistake, and where the session was made without a callback; ``kVTInvalidSessionErr``. The session's `error` says
///   why.
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
  nonisolated(unsafe) let source = sourceFrameRefcon
  return VTCompressionSessionEncodeFrame(
    session, imageBuffer: imageBuffer, presentationTimeStamp: presentationTimeStamp,
    duration: duration, frameProperties: frameProperties, infoFlagsOut: infoFlagsOut
  ) { status, flags, sample in callback(nil, source, status, flags, sample) }
}

/// Hands a picture over with a handler of its own; else as
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

/// Returns once the pictures up to a time have come out, and their handlers have been called; all pictures for a time
/// that is no number. Where the encoder held some, it begins anew after this, with one that is decoded without others.
///
/// - Returns: ``kVTInvalidSessionErr``. What failed was handed to the handlers.
@discardableResult
public func VTCompressionSessionCompleteFrames(
  _ session: VTCompressionSession,
  untilPresentationTimeStamp completeUntilPresentationTimeStamp: CMTime
) -> OSStatus {
  session.complete(until: completeUntilPresentationTimeStamp)
}

/// Ends a session: pictures that wait are not compressed, and their handlers are not called.
public func VTCompressionSessionInvalidate(_ session: VTCompressionSession) { session.invalidate() }
