// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// A sample cannot be made of media in this format.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// A required argument is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The samples' sizes do not match the size of the block.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738

/// A packet of compressed audio. Must be nil for samples here: a packet of PCM is a frame.
public struct AudioStreamPacketDescription: Sendable, Hashable {
  public var mStartOffset: Int64
  public var mVariableFramesInPacket: UInt32
  public var mDataByteSize: UInt32

  public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
    self.mStartOffset = mStartOffset
    self.mVariableFramesInPacket = mVariableFramesInPacket
    self.mDataByteSize = mDataByteSize
  }
}

extension SampleBuffer {
  /// The bytes of a compressed frame, timecode or metadata, or a copy of the audio's bytes, which the sample retains:
  /// an address in it is valid as long as the sample, and writing to it does not change the sample. Nil for
  /// uncompressed video, for audio that was not set yet, and if memory is exhausted.
  public var dataBuffer: CMBlockBuffer? {
    if let dataSample { return dataSample.block }
    guard let audio else { return nil }
    if let suppliedBlock { return suppliedBlock }
    guard let notes else { return try? CMBlockBuffer(copying: audio.bytes) }
    return notes.contents.withLock { contents in
      if let block = contents.lent as? CMBlockBuffer { return block }
      let block = try? CMBlockBuffer(copying: audio.bytes)
      contents.lent = block
      return block
    }
  }

  /// The total size of the samples in bytes; 0 for video frames in memory.
  public var totalSampleSize: Int {
    dataSample?.block.dataLength ?? audio?.bytes.count ?? 0
  }
}

/// The bytes of a sample: see ``MediaCore/SampleBuffer/dataBuffer``.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? {
  sbuf.dataBuffer
}

/// The total size of the samples in bytes; 0 for video frames in memory.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
  sbuf.totalSampleSize
}

/// Creates a sample of one timecode number, one compressed frame, or whole audio frames (16, 24 or 32 bits,
/// interleaved). Timecode and compressed frames retain the block. Audio is copied: the block may be released, and
/// later changes to it do not change the sample.
///
/// Without a block, and with `dataReady` false, the sample waits for its audio, and writers reject it until then: see
/// ``CMSampleBufferSetDataBufferFromAudioBufferList(_:blockBufferAllocator:blockBufferMemoryAllocator:flags:bufferList:)``.
///
/// - Returns: ``kCMSampleBufferError_RequiredParameterMissing`` without bytes or description, and for a
///   `makeDataReadyCallback` without bytes, which would never be called, ``kCMSampleBufferError_InvalidMediaFormat``
///   for a description of uncompressed video or of metadata, ``kCMSampleBufferError_InvalidEntryCount`` if the size
///   does not match the number of frames.
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
      CompressedFrame(
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
    sampleBufferOut = CMSampleBuffer(awaitingAudioOf: format, count: sampleCount, at: time)
    return sampleBufferOut == nil ? kCMSampleBufferError_InvalidEntryCount : noErr
  }
  guard sampleCount > 0,
    dataBuffer.dataLength
      == sampleCount.multipliedReportingOverflow(by: format.bytesPerFrame)
      .partialValue,
    let audio = try? MediaCore.AudioBuffer(format: format, bytes: dataBuffer.contents)
  else { return kCMSampleBufferError_InvalidEntryCount }
  guard sampleTimingEntryCount > 0, let time = sampleTimingArray?.pointee.presentationTimeStamp
  else { return kCMSampleBufferError_ArrayTooSmall }
  sampleBufferOut = CMSampleBuffer(
    .audio(audio), presentationTimeStamp: time, duration: audio.duration)
  return noErr
}

/// Creates a sample of audio, like
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

/// Creates a sample of audio at a time, like `CMSampleBufferCreate`; packet descriptions must be nil.
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
