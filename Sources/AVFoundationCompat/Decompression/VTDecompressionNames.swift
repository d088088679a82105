// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The data is not a valid frame.
public let kVTVideoDecoderBadDataErr: OSStatus = -12909
/// The decoder does not support the frame's format.
public let kVTVideoDecoderUnsupportedDataFormatErr: OSStatus = -12910
/// The decoder failed.
public let kVTVideoDecoderMalfunctionErr: OSStatus = -12911
/// Frames cannot be converted to the requested format.
public let kVTPixelTransferNotSupportedErr: OSStatus = -12905
/// A frame's format differs from the session's.
public let kVTFormatDescriptionChangeNotSupportedErr: OSStatus = -12916

/// Whether to decode in real time: has no effect.
public let kVTDecompressionPropertyKey_RealTime = "RealTime"
/// The number of frames submitted and not yet delivered; read-only.
public let kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded = "NumberOfFramesBeingDecoded"
/// False; read-only.
public let kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder =
  "UsingHardwareAcceleratedVideoDecoder"
/// Whether a hardware decoder may be used: there is none.
public let kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder =
  "EnableHardwareAcceleratedVideoDecoder"
/// Whether a hardware decoder must be used: if true, no decoder is found.
public let kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder =
  "RequireHardwareAcceleratedVideoDecoder"

/// How a frame is decoded.
public struct VTDecodeFrameFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Decode asynchronously.
  public static let _EnableAsynchronousDecompression = VTDecodeFrameFlags(rawValue: 1)
  /// Decode only as a reference: the callback receives no frame.
  public static let _DoNotOutputFrame = VTDecodeFrameFlags(rawValue: 2)
  /// Decode at playback speed: has no effect.
  public static let _1xRealTimePlayback = VTDecodeFrameFlags(rawValue: 4)
  /// Frames may be delivered later, in display order: always so here if frames are reordered.
  public static let _EnableTemporalProcessing = VTDecodeFrameFlags(rawValue: 8)
}

/// The result of decoding a frame.
public struct VTDecodeInfoFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The frame is decoded asynchronously.
  public static let asynchronous = VTDecodeInfoFlags(rawValue: 1)
  /// The frame is not delivered.
  public static let frameDropped = VTDecodeInfoFlags(rawValue: 2)
  /// The program may modify the frame: never set here.
  public static let imageBufferModifiable = VTDecodeInfoFlags(rawValue: 4)
}

/// Receives a frame with its time and duration, or the status of a failure. A Swift function, because a C function
/// cannot take a time.
public typealias VTDecompressionOutputCallback =
  @Sendable (
    UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTDecodeInfoFlags, CVImageBuffer?,
    CMTime, CMTime
  ) -> Void
/// Receives a frame with its time and duration, or the status of a failure.
public typealias VTDecompressionOutputHandler =
  @Sendable (
    OSStatus, VTDecodeInfoFlags, CVImageBuffer?, CMTime, CMTime
  ) -> Void

/// A callback and its first argument.
public struct VTDecompressionOutputCallbackRecord {
  /// The callback; nil if each frame has its own handler.
  public var decompressionOutputCallback: VTDecompressionOutputCallback?
  /// Passed as the callback's first argument.
  public var decompressionOutputRefCon: UnsafeMutableRawPointer?

  /// No callback.
  public init() { self.init(decompressionOutputCallback: nil, decompressionOutputRefCon: nil) }
  /// A callback and its first argument.
  public init(
    decompressionOutputCallback: VTDecompressionOutputCallback?,
    decompressionOutputRefCon: UnsafeMutableRawPointer?
  ) {
    self.decompressionOutputCallback = decompressionOutputCallback
    self.decompressionOutputRefCon = decompressionOutputRefCon
  }
}

/// False: nothing is decoded in hardware.
public func VTIsHardwareDecodeSupported(_ codecType: CMVideoCodecType) -> Bool { false }
