// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// What a call of Core Media returns: 0 where all is well.
public typealias OSStatus = Int32
/// All is well.
public let noErr: OSStatus = 0
/// Sample timing was asked for, or given, in another number than a sample buffer here has: one.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737

/// When a sample is shown or heard, and for how long.
public struct CMSampleTimingInfo: Sendable, Hashable {
  /// How long the sample lasts; invalid where not known.
  public var duration: CMTime
  /// When it is shown or heard.
  public var presentationTimeStamp: CMTime
  /// When it is decoded: of compressed pictures that are not decoded in the order in which they are shown. Else
  /// invalid in what this module gives, and ignored in what it gets.
  public var decodeTimeStamp: CMTime

  /// Timing of which nothing is known.
  public init() {
    self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid)
  }

  /// Timing from its parts.
  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }

  /// Timing of which nothing is known.
  public static var invalid: CMSampleTimingInfo { CMSampleTimingInfo() }
}

/// Timing of which nothing is known.
public let kCMTimingInfoInvalid = CMSampleTimingInfo()

extension SampleBuffer {
  /// The same media at another time.
  ///
  /// - Parameters:
  ///   - original: The sample to copy. Its media are shared, not copied.
  ///   - timing: One entry. For audio, whose length is that of its frames, the duration is ignored.
  /// - Throws: ``AVError/Code/invalidSourceMedia`` for another number of entries.
  public init(copying original: CMSampleBuffer, withNewTiming timing: [CMSampleTimingInfo]) throws {
    guard let entry = timing.first, timing.count == 1 else {
      throw AVError(
        .invalidSourceMedia, "a sample buffer has one timing entry, not \(timing.count)")
    }
    self = original.withOwnNotes()
    presentationTimeStamp = entry.presentationTimeStamp
    if original.mediaType == .video || original.dataSample != nil { duration = entry.duration }
  }

  /// A picture at a time.
  ///
  /// - Parameters:
  ///   - imageBuffer: The picture.
  ///   - formatDescription: What it is; the picture's own description counts.
  ///   - sampleTiming: When it is shown.
  public init(
    imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: CMSampleTimingInfo
  ) {
    self.init(
      .video(imageBuffer), presentationTimeStamp: sampleTiming.presentationTimeStamp,
      duration: sampleTiming.duration)
  }

  /// The one entry of timing that a sample buffer here has: for audio the length is that of all frames.
  ///
  /// - Throws: Nothing here; Apple's does for a buffer that is not ready.
  public func sampleTimingInfos() throws -> [CMSampleTimingInfo] { [timing] }

  /// The one entry of timing.
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
      throw AVError(.invalidSourceMedia, "a sample buffer has one timing entry, no \(index)")
    }
    return timing
  }
}

/// The timing of a sample: ``kCMSampleBufferError_ArrayTooSmall`` for another index than 0.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount, timingInfoOut: inout CMSampleTimingInfo
) -> OSStatus {
  guard sampleIndex == 0 else { return kCMSampleBufferError_ArrayTooSmall }
  timingInfoOut = sbuf.timing
  return noErr
}

/// Fills an array with the timing of all samples: one entry.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - entryCount: Entries that the array has room for.
///   - arrayToFill: The array; nil to ask for their number alone.
///   - entriesNeededOut: Set to 1.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall`` where there is an array without room.
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

/// Makes a copy of a sample at another time, as `CMSampleBuffer.init(copying:withNewTiming:)` does.
///
/// - Parameters:
///   - allocator: Ignored.
///   - sampleBuffer: The sample to copy.
///   - sampleTimingEntryCount: 1.
///   - sampleTimingArray: The new timing.
///   - sampleBufferOut: Set to the copy; nil if there is none.
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

/// Makes a sample of a picture and its time.
///
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The picture.
///   - formatDescription: What it is; the picture's own description counts.
///   - sampleTiming: When it is shown.
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

/// Makes a sample of a picture and its time, as
/// ``CMSampleBufferCreateReadyWithImageBuffer(allocator:imageBuffer:formatDescription:sampleTiming:sampleBufferOut:)``.
///
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The picture.
///   - dataReady: Ignored: a picture in memory is ready.
///   - makeDataReadyCallback: Nil.
///   - refcon: Nil.
///   - formatDescription: What it is; the picture's own description counts.
///   - sampleTiming: When it is shown.
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
