// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// How a stream of timecode counts.
public typealias CMTimeCodeFormatDescription = FormatDescription

/// Addresses before zero make sense.
public let kCMTimeCodeFlag_NegTimesOK: UInt32 = 4

/// Describes timecode.
///
/// - Parameters:
///   - allocator: Ignored.
///   - timeCodeFormatType: ``kCMTimeCodeFormatType_TimeCode32`` or ``kCMTimeCodeFormatType_TimeCode64``.
///   - frameDuration: How long a frame lasts.
///   - frameQuanta: Frames that are counted in a second, 1 to 255.
///   - flags: `kCMTimeCodeFlag_…`.
///   - extensions: Ignored: a reel has a name in the writer's own settings.
///   - formatDescriptionOut: Set to the description; nil if there is none.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for another type, quanta, or a frame of no length.
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

/// How long a frame lasts; invalid for what is no timecode.
public func CMTimeCodeFormatDescriptionGetFrameDuration(
  _ timeCodeFormatDescription: CMTimeCodeFormatDescription
) -> CMTime {
  timeCodeFormatDescription.frameDuration
}

/// Frames that are counted in a second; 0 for what is no timecode.
public func CMTimeCodeFormatDescriptionGetFrameQuanta(
  _ timeCodeFormatDescription: CMTimeCodeFormatDescription
) -> UInt32 {
  timeCodeFormatDescription.frameQuanta
}

/// `kCMTimeCodeFlag_…`; 0 for what is no timecode.
public func CMTimeCodeFormatDescriptionGetTimeCodeFlags(
  _ desc: CMTimeCodeFormatDescription
) -> UInt32 {
  desc.timeCodeFlags.rawValue
}

extension FormatDescription {
  /// What timecode has of its own.
  public enum TimeCode {
    /// How frames are counted.
    public struct Flag: OptionSet, Sendable, Hashable {
      /// The bits of `kCMTimeCodeFlag_…`.
      public let rawValue: UInt32
      /// Flags from their bits.
      public init(rawValue: UInt32) { self.rawValue = rawValue }

      /// Numbers are left out, so that the count keeps to the clock.
      public static let dropFrame = Flag(rawValue: kCMTimeCodeFlag_DropFrame)
      /// The count begins again at 24 hours.
      public static let twentyFourHourMax = Flag(rawValue: kCMTimeCodeFlag_24HourMax)
      /// Addresses before zero make sense.
      public static let negTimesOK = Flag(rawValue: kCMTimeCodeFlag_NegTimesOK)
    }
  }

  /// Describes timecode.
  ///
  /// - Throws: ``AVError/Code/formatUnsupported`` as ``CMTimeCodeFormatDescriptionCreate`` refuses it.
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
      throw AVError(.formatUnsupported, "no timecode counts \(frameQuanta) frames of such a length")
    }
    self = description
  }

  /// How long a frame lasts; invalid for what is no timecode.
  public var frameDuration: CMTime {
    if case .timecode(let timecode) = self { timecode.frameDuration } else { .invalid }
  }

  /// Frames that are counted in a second; 0 for what is no timecode.
  public var frameQuanta: UInt32 {
    if case .timecode(let timecode) = self { UInt32(timecode.frameQuanta) } else { 0 }
  }

  /// How frames are counted; nothing for what is no timecode.
  public var timeCodeFlags: TimeCode.Flag {
    guard case .timecode(let timecode) = self else { return [] }
    var flags: TimeCode.Flag = timecode.isDropFrame ? .dropFrame : []
    if timecode.wrapsAt24Hours { flags.insert(.twentyFourHourMax) }
    if timecode.allowsNegative { flags.insert(.negTimesOK) }
    return flags
  }
}
