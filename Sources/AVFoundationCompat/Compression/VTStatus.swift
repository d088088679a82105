// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A session has no such property here.
public let kVTPropertyNotSupportedErr: OSStatus = -12900
/// A property is only to be read, or is set before the first picture.
public let kVTPropertyReadOnlyErr: OSStatus = -12901
/// A value out of its range, or of another type.
public let kVTParameterErr: OSStatus = -12902
/// The session has ended, or is none.
public let kVTInvalidSessionErr: OSStatus = -12903
/// No memory.
public let kVTAllocationFailedErr: OSStatus = -12904
/// No decoder of the codec here.
public let kVTCouldNotFindVideoDecoderErr: OSStatus = -12906
/// No encoder of the codec here, or none as it was asked for.
public let kVTCouldNotFindVideoEncoderErr: OSStatus = -12908
/// The encoder failed.
public let kVTVideoEncoderMalfunctionErr: OSStatus = -12912

/// What became of a picture.
public struct VTEncodeInfoFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// It is compressed while the program goes on: always so here.
  public static let asynchronous = VTEncodeInfoFlags(rawValue: 1)
  /// It was left out.
  public static let frameDropped = VTEncodeInfoFlags(rawValue: 2)
}

/// Given a compressed picture, or the status that says why there is none. A function of Swift and not of C, which could
/// not take a sample: a closure or a function that captures nothing, as for Apple's, and any other.
public typealias VTCompressionOutputCallback =
  @Sendable (
    UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTEncodeInfoFlags, CMSampleBuffer?
  ) -> Void
/// Given a compressed picture, or the status that says why there is none.
public typealias VTCompressionOutputHandler =
  @Sendable (
    OSStatus, VTEncodeInfoFlags, CMSampleBuffer?
  ) -> Void
/// Stands where Video Toolbox's common type of sessions does.
public typealias VTSession = CFTypeRef
