// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// The format of a timecode stream.
public typealias CMTimeCodeFormatDescription = FormatDescription

/// Negative timecode is valid.
public let kCMTimeCodeFlag_NegTimesOK: UInt32 = 4

/// Creates a description of timecode.
///
/// - Parameters:
///   - allocator: Ignored.
///   - timeCodeFormatType: ``kCMTimeCodeFormatType_TimeCode32`` or ``kCMTimeCodeFormatType_TimeCode64``.
///   - frameDuration: The duration of a frame.
///   - frameQuanta: The frames counted per second, 1 to 255.
///   - flags: `kCMTimeCodeFlag_…`.
///   - extensions: Ignored: the writer's settings have the reel name.
///   - formatDescriptionOut: Set to the description; nil on failure.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for another type, invalid quanta, or an invalid frame
///   duration.
@discardableResult
public func CMTimeCodeFormatDescriptionCreate(
  allocator: CFAllocator?, timeCodeFormatType: CMTimeCodeFormatType, frameDuration: CMTime,
  frameQuanta: UInt32, flags: UInt32, extensions: CFDictionary?,
  formatDescriptionOut: inout CMTimeCodeFormatDescription?
) -> OSStatus {
  formatDescriptionOut = nil
  guard
    [kCMTimeCodeFormatType_TimeCode32, kCMTimeCodeFormatType_TimeCode64]
      .contains(timeCodeFormatType), frameDuration.isNumeric, frameDuration > .zero,
    let quanta = UInt8(exactly: frameQuanta), quanta > 0
  else { return kCMFormatDescriptionError_InvalidParameter }
  let flags = FormatDescription.TimeCode.Flag(rawValue: flags)
  formatDescriptionOut = .timecode(
    TimecodeFormatDescription(
      mediaSubType: MediaCore.FourCharCode(rawValue: timeCodeFormatType),
      frameDuration: frameDuration, frameQuanta: quanta, isDropFrame: flags.contains(.dropFrame),
      wrapsAt24Hours: flags.contains(.twentyFourHourMax),
      allowsNegative: flags.contains(.negTimesOK)))
  return noErr
}

/// The duration of a frame; invalid for another media type.
public func CMTimeCodeFormatDescriptionGetFrameDuration(
  _ timeCodeFormatDescription: CMTimeCodeFormatDescription
) -> CMTime {
  timeCodeFormatDescription.frameDuration
}

/// The frames counted per second; 0 for another media type.
public func CMTimeCodeFormatDescriptionGetFrameQuanta(
  _ timeCodeFormatDescription: CMTimeCodeFormatDescription
) -> UInt32 {
  timeCodeFormatDescription.frameQuanta
}

/// `kCMTimeCodeFlag_…`; 0 for another media type.
public func CMTimeCodeFormatDescriptionGetTimeCodeFlags(
  _ desc: CMTimeCodeFormatDescription
) -> UInt32 {
  desc.timeCodeFlags.rawValue
}

extension FormatDescription {
  /// Types for timecode.
  public enum TimeCode {
    /// How frames are counted.
    public struct Flag: OptionSet, Sendable, Hashable {
      /// The bits of `kCMTimeCodeFlag_…`.
      public let rawValue: UInt32
      public init(rawValue: UInt32) { self.rawValue = rawValue }

      /// Drop-frame timecode: skips numbers to stay close to the clock.
      public static let dropFrame = Flag(rawValue: kCMTimeCodeFlag_DropFrame)
      /// Timecode wraps after 24 hours.
      public static let twentyFourHourMax = Flag(rawValue: kCMTimeCodeFlag_24HourMax)
      /// Negative timecode is valid.
      public static let negTimesOK = Flag(rawValue: kCMTimeCodeFlag_NegTimesOK)
    }
  }

  /// A description of timecode.
  ///
  /// - Throws: ``AVError/Code/formatUnsupported`` for arguments that ``CMTimeCodeFormatDescriptionCreate`` rejects.
  public init(
    timeCodeFormatType: MediaSubType, frameDuration: CMTime, frameQuanta: UInt32,
    flags: TimeCode.Flag, extensions: CFDictionary? = nil
  ) throws {
    var description: FormatDescription?
    _ = CMTimeCodeFormatDescriptionCreate(
      allocator: nil, timeCodeFormatType: timeCodeFormatType.rawValue,
      frameDuration: frameDuration, frameQuanta: frameQuanta, flags: flags.rawValue,
      extensions: extensions, formatDescriptionOut: &description)
    guard let description else {
      throw AVError(
        .formatUnsupported,
        "invalid timecode format: type, frame duration or frameQuanta \(frameQuanta)")
    }
    self = description
  }

  /// The duration of a frame; invalid for another media type.
  public var frameDuration: CMTime {
    if case .timecode(let timecode) = self { timecode.frameDuration } else { .invalid }
  }

  /// The frames counted per second; 0 for another media type.
  public var frameQuanta: UInt32 {
    if case .timecode(let timecode) = self { UInt32(timecode.frameQuanta) } else { 0 }
  }

  /// How frames are counted; empty for another media type.
  public var timeCodeFlags: TimeCode.Flag {
    guard case .timecode(let timecode) = self else { return [] }
    var flags: TimeCode.Flag = timecode.isDropFrame ? .dropFrame : []
    if timecode.wrapsAt24Hours { flags.insert(.twentyFourHourMax) }
    if timecode.allowsNegative { flags.insert(.negTimesOK) }
    return flags
  }
}
