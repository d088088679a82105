// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// A four-character code, with the first character in the most significant byte.
public typealias FourCharCode = UInt32
/// A four-character code.
public typealias OSType = UInt32
/// The code of a video codec.
public typealias CMVideoCodecType = FourCharCode
/// The code of a media type.
public typealias CMMediaType = FourCharCode

/// The format of a stream of samples.
public typealias CMFormatDescription = FormatDescription
/// The format of video.
public typealias CMVideoFormatDescription = FormatDescription
/// The format of audio.
public typealias CMAudioFormatDescription = FormatDescription

/// A frame size, with Apple's 32-bit integers.
public struct CMVideoDimensions: Sendable, Hashable {
  /// Width in pixels.
  public var width: Int32
  /// Height in pixels.
  public var height: Int32

  public init() { self.init(width: 0, height: 0) }
  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }
  public init(_ dimensions: VideoDimensions) {
    self.init(
      width: Int32(clamping: dimensions.width), height: Int32(clamping: dimensions.height))
  }
}

extension FormatDescription {
  /// The kind of samples: the class of a pixel format, a codec, or `lpcm`.
  public struct MediaSubType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Uncompressed audio.
    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
    public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
    public static let hevcWithAlpha = MediaSubType(rawValue: kCMVideoCodecType_HEVCWithAlpha)
    public static let jpeg = MediaSubType(rawValue: kCMVideoCodecType_JPEG)
    public static let proRes422Proxy = MediaSubType(
      rawValue: kCMVideoCodecType_AppleProRes422Proxy)
    public static let proRes422LT = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422LT)
    public static let proRes422 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422)
    public static let proRes422HQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422HQ)
    public static let proRes4444 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444)
    public static let proRes4444XQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444XQ)
    /// Timed metadata, each item in a box.
    public static let boxedMetadata = MediaSubType(rawValue: kCMMetadataFormatType_Boxed)
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    public var description: String { MediaCore.FourCharCode(rawValue: rawValue).description }
  }

  /// The kind of samples. For uncompressed video it is the class of the device's pixel format: `x422` for every
  /// 10-bit 4:2:2 format. ``CVPixelBufferGetPixelFormatType(_:)`` returns the exact format.
  public var mediaSubType: MediaSubType {
    switch self {
    case .video(let video): MediaSubType(rawValue: video.mediaSubType.rawValue)
    case .audio: .linearPCM
    case .timecode(let timecode): MediaSubType(rawValue: timecode.mediaSubType.rawValue)
    case .metadata: .boxedMetadata
    }
  }

  /// The frame size; 0x0 for audio.
  public var dimensions: CMVideoDimensions {
    if case .video(let video) = self { CMVideoDimensions(video.dimensions) } else { .init() }
  }
}

public let kCMMediaType_Video: CMMediaType = 0x7669_6465
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E

/// The media type: video, audio, timecode or metadata.
public func CMFormatDescriptionGetMediaType(_ description: CMFormatDescription) -> CMMediaType {
  switch description {
  case .video: kCMMediaType_Video
  case .audio: kCMMediaType_Audio
  case .timecode: kCMMediaType_TimeCode
  case .metadata: kCMMediaType_Metadata
  }
}

/// The kind of samples: see `MediaCore.FormatDescription.mediaSubType`.
public func CMFormatDescriptionGetMediaSubType(
  _ description: CMFormatDescription
) -> FourCharCode {
  description.mediaSubType.rawValue
}

/// The frame size; 0x0 for audio.
public func CMVideoFormatDescriptionGetDimensions(
  _ description: CMVideoFormatDescription
) -> CMVideoDimensions {
  description.dimensions
}

public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = 0x6170_636F
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = 0x6170_6373
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636E
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = 0x6170_6368
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = 0x6170_3468
public let kCMVideoCodecType_AppleProRes4444XQ: CMVideoCodecType = 0x6170_3478
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = 0x6D75_7861
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6A70_6567
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6D70_3476
/// ProRes RAW: neither read nor written here.
public let kCMVideoCodecType_AppleProResRAW: CMVideoCodecType = 0x6170_726E
/// ProRes RAW HQ: neither read nor written here.
public let kCMVideoCodecType_AppleProResRAWHQ: CMVideoCodecType = 0x6170_7268
public let kCMMediaType_TimeCode: CMMediaType = 0x746D_6364
public let kCMMediaType_Metadata: CMMediaType = 0x6D65_7461
public let kCMMediaType_Text: CMMediaType = 0x7465_7874
/// Interleaved video and audio.
public let kCMMediaType_Muxed: CMMediaType = 0x6D75_7878
