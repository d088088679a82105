// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// The result of a Core Media function; 0 for success.
public typealias OSStatus = Int32
/// Success.
public let noErr: OSStatus = 0
/// The number of timing entries is not 1, that of a sample buffer here.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737

/// The timing of a sample.
public struct CMSampleTimingInfo: Sendable, Hashable {
  /// The duration; invalid if unknown.
  public var duration: CMTime
  public var presentationTimeStamp: CMTime
  /// The decode time of compressed frames that are stored out of presentation order. Otherwise invalid in samples
  /// from this module, and ignored in samples passed to it.
  public var decodeTimeStamp: CMTime

  /// All times invalid.
  public init() {
    self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid)
  }

  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }

  /// All times invalid.
  public static var invalid: CMSampleTimingInfo { CMSampleTimingInfo() }
}

/// All times invalid.
public let kCMTimingInfoInvalid = CMSampleTimingInfo()

extension SampleBuffer {
  /// A copy with another timing.
  ///
  /// - Parameters:
  ///   - original: The sample to copy. Its media are shared, not copied.
  ///   - timing: One entry. For audio the duration is ignored, because its frames determine it.
  /// - Throws: ``AVError/Code/invalidSourceMedia`` for another number of entries.
  public init(copying original: CMSampleBuffer, withNewTiming timing: [CMSampleTimingInfo]) throws {
    guard let entry = timing.first, timing.count == 1 else {
      throw AVError(
        .invalidSourceMedia, "a sample buffer needs one timing entry, not \(timing.count)")
    }
    self = original.withOwnNotes()
    presentationTimeStamp = entry.presentationTimeStamp
    if original.mediaType == .video || original.dataSample != nil { duration = entry.duration }
  }

  /// A sample of a frame.
  ///
  /// - Parameters:
  ///   - imageBuffer: The frame.
  ///   - formatDescription: Ignored: the frame describes itself.
  ///   - sampleTiming: The timing.
  public init(
    imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: CMSampleTimingInfo
  ) {
    self.init(
      .video(imageBuffer), presentationTimeStamp: sampleTiming.presentationTimeStamp,
      duration: sampleTiming.duration)
  }

  /// The only timing entry of a sample buffer here. For audio, its duration is that of all frames.
  ///
  /// - Throws: Nothing; Apple's method throws if the buffer is not ready.
  public func sampleTimingInfos() throws -> [CMSampleTimingInfo] { [timing] }

  /// The only timing entry.
  var timing: CMSampleTimingInfo {
    CMSampleTimingInfo(
      duration: duration, presentationTimeStamp: presentationTimeStamp,
      decodeTimeStamp: decodeTimeStamp)
  }

  /// The timing of a sample.
  ///
  /// - Throws: ``AVError/Code/invalidSourceMedia`` for another index than 0.
  public func sampleTimingInfo(at index: Int) throws -> CMSampleTimingInfo {
    guard index == 0 else {
      throw AVError(
        .invalidSourceMedia, "a sample buffer has one timing entry, but none at index \(index)")
    }
    return timing
  }
}

/// The timing of a sample. Returns ``kCMSampleBufferError_ArrayTooSmall`` for another index than 0.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount, timingInfoOut: inout CMSampleTimingInfo
) -> OSStatus {
  guard sampleIndex == 0 else { return kCMSampleBufferError_ArrayTooSmall }
  timingInfoOut = sbuf.timing
  return noErr
}

/// Fills an array with the timing of the samples: one entry.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - entryCount: The size of the array in entries.
///   - arrayToFill: The array; nil to query only the number of entries.
///   - entriesNeededOut: Set to 1.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall`` for an array without room.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
  _ sbuf: CMSampleBuffer, entryCount: CMItemCount,
  arrayToFill: UnsafeMutablePointer<CMSampleTimingInfo>?,
  entriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  entriesNeededOut?.pointee = 1
  guard let arrayToFill else { return noErr }
  guard entryCount >= 1 else { return kCMSampleBufferError_ArrayTooSmall }
  arrayToFill.pointee = sbuf.timing
  return noErr
}

/// Creates a copy of a sample with another timing, like `CMSampleBuffer.init(copying:withNewTiming:)`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - sampleBuffer: The sample to copy.
///   - sampleTimingEntryCount: Must be 1.
///   - sampleTimingArray: The new timing.
///   - sampleBufferOut: Set to the copy; nil on failure.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall`` for another number of entries.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
  allocator: CFAllocator?, sampleBuffer: CMSampleBuffer, sampleTimingEntryCount: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleBufferOut: inout CMSampleBuffer?
) -> OSStatus {
  sampleBufferOut = nil
  guard let sampleTimingArray, sampleTimingEntryCount == 1,
    let copy = try? CMSampleBuffer(
      copying: sampleBuffer, withNewTiming: [sampleTimingArray.pointee])
  else { return kCMSampleBufferError_ArrayTooSmall }
  sampleBufferOut = copy
  return noErr
}

/// Creates a sample of a frame.
///
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The frame.
///   - formatDescription: Ignored: the frame describes itself.
///   - sampleTiming: The timing.
///   - sampleBufferOut: Set to the sample.
/// - Returns: ``noErr``.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer,
  formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: inout CMSampleBuffer?
) -> OSStatus {
  sampleBufferOut = CMSampleBuffer(
    imageBuffer: imageBuffer, formatDescription: formatDescription,
    sampleTiming: sampleTiming.pointee)
  return noErr
}

/// Creates a sample of a frame, like
/// ``CMSampleBufferCreateReadyWithImageBuffer(allocator:imageBuffer:formatDescription:sampleTiming:sampleBufferOut:)``.
///
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The frame.
///   - dataReady: Ignored: a frame in memory is ready.
///   - makeDataReadyCallback: Must be nil.
///   - refcon: Must be nil.
///   - formatDescription: Ignored: the frame describes itself.
///   - sampleTiming: The timing.
///   - sampleBufferOut: Set to the sample.
/// - Returns: ``noErr``.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
  makeDataReadyCallback: UnsafeRawPointer?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: inout CMSampleBuffer?
) -> OSStatus {
  CMSampleBufferCreateReadyWithImageBuffer(
    allocator: allocator, imageBuffer: imageBuffer, formatDescription: formatDescription,
    sampleTiming: sampleTiming, sampleBufferOut: &sampleBufferOut)
}
