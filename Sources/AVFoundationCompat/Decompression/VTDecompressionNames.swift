// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Bytes that are no sound picture.
public let kVTVideoDecoderBadDataErr: OSStatus = -12909
/// A picture that the decoder does not take.
public let kVTVideoDecoderUnsupportedDataFormatErr: OSStatus = -12910
/// The decoder failed.
public let kVTVideoDecoderMalfunctionErr: OSStatus = -12911
/// Pictures cannot be brought to what was asked for.
public let kVTPixelTransferNotSupportedErr: OSStatus = -12905
/// A picture of another format than the session's.
public let kVTFormatDescriptionChangeNotSupportedErr: OSStatus = -12916

/// Whether pictures are to be decoded no faster than they are shown: changes nothing.
public let kVTDecompressionPropertyKey_RealTime = "RealTime"
/// Pictures that were handed over and have not come out; to be read.
public let kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded = "NumberOfFramesBeingDecoded"
/// False; to be read.
public let kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder =
  "UsingHardwareAcceleratedVideoDecoder"
/// Whether a decoder in hardware may be used: there is none.
public let kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder =
  "EnableHardwareAcceleratedVideoDecoder"
/// Whether a decoder in hardware has to be used: then there is none.
public let kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder =
  "RequireHardwareAcceleratedVideoDecoder"

/// How a picture is decoded.
public struct VTDecodeFrameFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// While the program goes on.
  public static let _EnableAsynchronousDecompression = VTDecodeFrameFlags(rawValue: 1)
  /// For others' sake: the callback is given no picture.
  public static let _DoNotOutputFrame = VTDecodeFrameFlags(rawValue: 2)
  /// No faster than it is shown: changes nothing.
  public static let _1xRealTimePlayback = VTDecodeFrameFlags(rawValue: 4)
  /// Pictures may come out later, in the order in which they are shown: always so here, where they were reordered.
  public static let _EnableTemporalProcessing = VTDecodeFrameFlags(rawValue: 8)
}

/// What became of a picture.
public struct VTDecodeInfoFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// It is decoded while the program goes on.
  public static let asynchronous = VTDecodeInfoFlags(rawValue: 1)
  /// It is not shown.
  public static let frameDropped = VTDecodeInfoFlags(rawValue: 2)
  /// The program may write to it: never so here.
  public static let imageBufferModifiable = VTDecodeInfoFlags(rawValue: 4)
}

/// Given a picture with its time and duration, or the status that says why there is none. A function of Swift and not of
/// C, which could not take a time.
public typealias VTDecompressionOutputCallback =
  @Sendable (
    UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTDecodeInfoFlags, CVImageBuffer?,
    CMTime, CMTime
  ) -> Void
/// Given a picture with its time and duration, or the status that says why there is none.
public typealias VTDecompressionOutputHandler =
  @Sendable (
    OSStatus, VTDecodeInfoFlags, CVImageBuffer?, CMTime, CMTime
  ) -> Void

/// A callback, and what it is handed first.
public struct VTDecompressionOutputCallbackRecord {
  /// The callback; nil where each picture comes with a handler.
  public var decompressionOutputCallback: VTDecompressionOutputCallback?
  /// Handed to it first.
  public var decompressionOutputRefCon: UnsafeMutableRawPointer?

  /// No callback.
  public init() { self.init(decompressionOutputCallback: nil, decompressionOutputRefCon: nil) }
  /// A callback, and what it is handed first.
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
