// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The session does not support the property.
public let kVTPropertyNotSupportedErr: OSStatus = -12900
/// The property is read-only, or must be set before the first frame.
public let kVTPropertyReadOnlyErr: OSStatus = -12901
/// A value is out of range or has the wrong type.
public let kVTParameterErr: OSStatus = -12902
/// The session has ended or is invalid.
public let kVTInvalidSessionErr: OSStatus = -12903
/// Out of memory.
public let kVTAllocationFailedErr: OSStatus = -12904
/// No decoder for the codec.
public let kVTCouldNotFindVideoDecoderErr: OSStatus = -12906
/// No encoder for the codec, or none that matches the specification.
public let kVTCouldNotFindVideoEncoderErr: OSStatus = -12908
/// The encoder failed.
public let kVTVideoEncoderMalfunctionErr: OSStatus = -12912

/// The result of encoding a frame.
public struct VTEncodeInfoFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Compressed asynchronously: always set here.
  public static let asynchronous = VTEncodeInfoFlags(rawValue: 1)
  /// The frame was dropped.
  public static let frameDropped = VTEncodeInfoFlags(rawValue: 2)
}

/// Receives a compressed frame, or the status of a failure. A Swift function, because a C function cannot take a
/// sample: any closure works, not only one without captures as in AVFoundation.
public typealias VTCompressionOutputCallback =
  @Sendable (
    UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTEncodeInfoFlags, CMSampleBuffer?
  ) -> Void
/// Receives a compressed frame, or the status of a failure.
public typealias VTCompressionOutputHandler =
  @Sendable (
    OSStatus, VTEncodeInfoFlags, CMSampleBuffer?
  ) -> Void
/// The common type of Video Toolbox sessions.
public typealias VTSession = CFTypeRef
