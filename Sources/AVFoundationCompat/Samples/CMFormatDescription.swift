// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Four characters as a number, the first the most significant.
public typealias FourCharCode = UInt32
/// Four characters as a number.
public typealias OSType = UInt32
/// The code of a codec.
public typealias CMVideoCodecType = FourCharCode
/// The code of a type of media.
public typealias CMMediaType = FourCharCode

/// What a stream of samples holds.
public typealias CMFormatDescription = FormatDescription
/// What a stream of pictures holds.
public typealias CMVideoFormatDescription = FormatDescription
/// What a stream of audio holds.
public typealias CMAudioFormatDescription = FormatDescription

/// The size of a picture, with Apple's 32-bit numbers.
public struct CMVideoDimensions: Sendable, Hashable {
  /// Pixels in a row.
  public var width: Int32
  /// Rows.
  public var height: Int32

  /// No size.
  public init() { self.init(width: 0, height: 0) }
  /// A size.
  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }
  /// A size of the library's own kind.
  public init(_ dimensions: VideoDimensions) {
    self.init(
      width: Int32(clamping: dimensions.width), height: Int32(clamping: dimensions.height))
  }
}

extension FormatDescription {
  /// What the samples are: the class of a pixel format, a codec, or `lpcm`.
  public struct MediaSubType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code.
    public let rawValue: UInt32
    /// A type from its code.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Uncompressed audio.
    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    /// H.264.
    public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
    /// HEVC.
    public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
    /// HEVC with alpha.
    public static let hevcWithAlpha = MediaSubType(rawValue: kCMVideoCodecType_HEVCWithAlpha)
    /// JPEG.
    public static let jpeg = MediaSubType(rawValue: kCMVideoCodecType_JPEG)
    /// ProRes 422 Proxy.
    public static let proRes422Proxy = MediaSubType(
      rawValue: kCMVideoCodecType_AppleProRes422Proxy)
    /// ProRes 422 LT.
    public static let proRes422LT = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422LT)
    /// ProRes 422.
    public static let proRes422 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422)
    /// ProRes 422 HQ.
    public static let proRes422HQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422HQ)
    /// ProRes 4444.
    public static let proRes4444 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444)
    /// ProRes 4444 XQ.
    public static let proRes4444XQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444XQ)
    /// Facts with their times, each in a box.
    public static let boxedMetadata = MediaSubType(rawValue: kCMMetadataFormatType_Boxed)
    /// AAC.
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    /// The four characters.
    public var description: String { MediaCore.FourCharCode(rawValue: rawValue).description }
  }

  /// What the samples are. For pictures that is the class of what the device gives: every 10-bit
  /// 4:2:2 layout is `x422` here, and ``CVPixelBufferGetPixelFormatType(_:)`` tells the layout.
  public var mediaSubType: MediaSubType {
    switch self {
    case .video(let video): MediaSubType(rawValue: video.mediaSubType.rawValue)
    case .audio: .linearPCM
    case .timecode(let timecode): MediaSubType(rawValue: timecode.mediaSubType.rawValue)
    case .metadata: .boxedMetadata
    }
  }

  /// The size of the pictures; 0x0 for audio.
  public var dimensions: CMVideoDimensions {
    if case .video(let video) = self { CMVideoDimensions(video.dimensions) } else { .init() }
  }
}

/// The code of pictures.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// The code of audio.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E

/// What it is: pictures, audio, timecode or metadata.
public func CMFormatDescriptionGetMediaType(_ description: CMFormatDescription) -> CMMediaType {
  switch description {
  case .video: kCMMediaType_Video
  case .audio: kCMMediaType_Audio
  case .timecode: kCMMediaType_TimeCode
  case .metadata: kCMMediaType_Metadata
  }
}

/// What the samples are: see `MediaCore.FormatDescription.mediaSubType`.
public func CMFormatDescriptionGetMediaSubType(
  _ description: CMFormatDescription
) -> FourCharCode {
  description.mediaSubType.rawValue
}

/// The size of the pictures; 0x0 for audio.
public func CMVideoFormatDescriptionGetDimensions(
  _ description: CMVideoFormatDescription
) -> CMVideoDimensions {
  description.dimensions
}

/// The code of ProRes 422 Proxy.
public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = 0x6170_636F
/// The code of ProRes 422 LT.
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = 0x6170_6373
/// The code of ProRes 422.
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636E
/// The code of ProRes 422 HQ.
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = 0x6170_6368
/// The code of ProRes 4444.
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = 0x6170_3468
/// The code of ProRes 4444 XQ.
public let kCMVideoCodecType_AppleProRes4444XQ: CMVideoCodecType = 0x6170_3478
/// The code of H.264.
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
/// The code of HEVC.
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
/// The code of HEVC with alpha.
public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = 0x6D75_7861
/// The code of JPEG.
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6A70_6567
/// The code of MPEG-4 video.
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6D70_3476
/// The code of ProRes RAW: neither read nor written here.
public let kCMVideoCodecType_AppleProResRAW: CMVideoCodecType = 0x6170_726E
/// The code of ProRes RAW HQ: neither read nor written here.
public let kCMVideoCodecType_AppleProResRAWHQ: CMVideoCodecType = 0x6170_7268
/// The code of timecode.
public let kCMMediaType_TimeCode: CMMediaType = 0x746D_6364
/// The code of metadata.
public let kCMMediaType_Metadata: CMMediaType = 0x6D65_7461
/// The code of text.
public let kCMMediaType_Text: CMMediaType = 0x7465_7874
/// The code of pictures and audio in one.
public let kCMMediaType_Muxed: CMMediaType = 0x6D75_7878
