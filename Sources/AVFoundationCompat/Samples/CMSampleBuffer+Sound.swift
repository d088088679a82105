// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// A sample cannot be made of what was given.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// A sample lacks something that it cannot be without.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The samples' sizes and the block's do not agree.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738

/// How large the packets of compressed audio are: nil here, for a packet of PCM is a frame.
public struct AudioStreamPacketDescription: Sendable, Hashable {
  public var mStartOffset: Int64
  public var mVariableFramesInPacket: UInt32
  public var mDataByteSize: UInt32

  /// A description from its numbers.
  public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
    self.mStartOffset = mStartOffset
    self.mVariableFramesInPacket = mVariableFramesInPacket
    self.mDataByteSize = mDataByteSize
  }
}

extension SampleBuffer {
  /// The bytes of audio, as a copy that the sample keeps: an address within it is good for as long as the sample
  /// is held. What is written there is not in the sample. Nil for a picture, for audio that is yet to be set, and
  /// without memory.
  public var dataBuffer: CMBlockBuffer? {
    if let dataSample { return dataSample.block }
    guard let sound else { return nil }
    if let suppliedBlock { return suppliedBlock }
    guard let notes else { return try? CMBlockBuffer(copying: sound.bytes) }
    return notes.contents.withLock { contents in
      if let block = contents.lent as? CMBlockBuffer { return block }
      let block = try? CMBlockBuffer(copying: sound.bytes)
      contents.lent = block
      return block
    }
  }

  /// Bytes of all samples; 0 for a picture.
  public var totalSampleSize: Int {
    dataSample?.block.dataLength ?? sound?.bytes.count ?? 0
  }
}

/// The bytes of audio, as a copy that the sample keeps: an address within it is good for as long as the sample is
/// held. What is written there is not in the sample. Nil for a picture, for audio that is yet to be set, and without
/// memory.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? {
  sbuf.dataBuffer
}

/// Bytes of all samples; 0 for a picture.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
  sbuf.totalSampleSize
}

/// Makes a sample of timecode, of one number, of one compressed picture, whose block it keeps, or of audio: whole frames of 16, 24 or 32 bits, interleaved. It has a copy of the bytes: the
/// block and its memory may go away after this, and what is written to it then is not in the sample.
///
/// Without a block, and with `dataReady` of false, the sample waits for its audio, and no writer takes it before: see
/// ``CMSampleBufferSetDataBufferFromAudioBufferList(_:blockBufferAllocator:blockBufferMemoryAllocator:flags:bufferList:)``.
///
/// - Returns: ``kCMSampleBufferError_RequiredParameterMissing`` without bytes or description, and for a
///   `makeDataReadyCallback` without bytes, which nothing here calls,
///   ``kCMSampleBufferError_InvalidMediaFormat`` where the description is of pictures in memory, or of metadata,
///   ``kCMSampleBufferError_InvalidEntryCount`` where the bytes are not so many frames.
@discardableResult
public func CMSampleBufferCreate(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: UnsafeRawPointer?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription?, sampleCount: CMItemCount,
  sampleTimingEntryCount: CMItemCount, sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleSizeEntryCount: CMItemCount, sampleSizeArray: UnsafePointer<Int>?,
  sampleBufferOut: inout CMSampleBuffer?
) -> OSStatus {
  sampleBufferOut = nil
  let isAwaited = dataBuffer == nil && !dataReady && makeDataReadyCallback == nil
  guard dataBuffer != nil || isAwaited, let formatDescription else {
    return kCMSampleBufferError_RequiredParameterMissing
  }
  if case .timecode(let format) = formatDescription {
    guard let dataBuffer, sampleCount == 1 else { return kCMSampleBufferError_InvalidEntryCount }
    guard sampleTimingEntryCount > 0, let timing = sampleTimingArray?.pointee else {
      return kCMSampleBufferError_ArrayTooSmall
    }
    sampleBufferOut = CMSampleBuffer(dataBuffer, of: format, timing: timing)
    return sampleBufferOut == nil ? kCMSampleBufferError_InvalidEntryCount : noErr
  }
  if case .video(let format) = formatDescription, format.pixelFormat == nil {
    guard let dataBuffer, sampleCount == 1, dataBuffer.dataLength > 0 else {
      return kCMSampleBufferError_InvalidEntryCount
    }
    guard sampleTimingEntryCount > 0, let timing = sampleTimingArray?.pointee else {
      return kCMSampleBufferError_ArrayTooSmall
    }
    sampleBufferOut = CMSampleBuffer(
      CompressedPicture(
        format: format, block: dataBuffer, decodeTime: timing.decodeTimeStamp, isSync: true),
      presentationTimeStamp: timing.presentationTimeStamp, duration: timing.duration)
    return sampleBufferOut == nil ? kCMSampleBufferError_InvalidEntryCount : noErr
  }
  guard case .audio(let format) = formatDescription else {
    return kCMSampleBufferError_InvalidMediaFormat
  }
  guard let dataBuffer else {
    guard sampleTimingEntryCount > 0, let time = sampleTimingArray?.pointee.presentationTimeStamp
    else { return kCMSampleBufferError_ArrayTooSmall }
    sampleBufferOut = CMSampleBuffer(awaitingSoundOf: format, count: sampleCount, at: time)
    return sampleBufferOut == nil ? kCMSampleBufferError_InvalidEntryCount : noErr
  }
  guard sampleCount > 0,
    dataBuffer.dataLength
      == sampleCount.multipliedReportingOverflow(by: format.bytesPerFrame)
      .partialValue,
    let sound = try? MediaCore.AudioBuffer(format: format, bytes: dataBuffer.contents)
  else { return kCMSampleBufferError_InvalidEntryCount }
  guard sampleTimingEntryCount > 0, let time = sampleTimingArray?.pointee.presentationTimeStamp
  else { return kCMSampleBufferError_ArrayTooSmall }
  sampleBufferOut = CMSampleBuffer(
    .audio(sound), presentationTimeStamp: time, duration: sound.duration)
  return noErr
}

/// Makes a sample of audio, as
/// ``CMSampleBufferCreate(allocator:dataBuffer:dataReady:makeDataReadyCallback:refcon:formatDescription:sampleCount:sampleTimingEntryCount:sampleTimingArray:sampleSizeEntryCount:sampleSizeArray:sampleBufferOut:)``.
@discardableResult
public func CMSampleBufferCreateReady(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
  sampleCount: CMItemCount, sampleTimingEntryCount: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: inout CMSampleBuffer?
) -> OSStatus {
  CMSampleBufferCreate(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil,
    refcon: nil, formatDescription: formatDescription, sampleCount: sampleCount,
    sampleTimingEntryCount: sampleTimingEntryCount, sampleTimingArray: sampleTimingArray,
    sampleSizeEntryCount: sampleSizeEntryCount, sampleSizeArray: sampleSizeArray,
    sampleBufferOut: &sampleBufferOut)
}

/// Makes a sample of audio at a time, as `CMSampleBufferCreate` does; packet descriptions are nil.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
  sampleCount: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: inout CMSampleBuffer?
) -> OSStatus {
  var timing = CMSampleTimingInfo(
    duration: .invalid, presentationTimeStamp: presentationTimeStamp, decodeTimeStamp: .invalid)
  return CMSampleBufferCreateReady(
    allocator: allocator, dataBuffer: dataBuffer, formatDescription: formatDescription,
    sampleCount: sampleCount, sampleTimingEntryCount: 1, sampleTimingArray: &timing,
    sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &sampleBufferOut)
}
