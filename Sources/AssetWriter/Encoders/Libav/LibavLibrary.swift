import CFFmpeg
import MediaCore
import ProRes

/// What is common to all uses of libavcodec here.
enum LibavLibrary {
  /// Stops the libraries from printing to standard error, once: their failures arrive as errors.
  static func prepare() { _ = quiet }
  private static let quiet: Void = av_log_set_level(AV_LOG_QUIET)

  /// Name and version.
  static var version: String {
    let number = avcodec_version()
    return "libavcodec \(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)"
  }

  static var outOfMemory: AssetWriterError {
    AssetWriterError(.outOfResources, "no memory for libavcodec; end other programs")
  }

  /// The library's words for an error.
  static func message(_ status: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    av_strerror(status, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// True where the library was built with the encoder.
  static func has(_ kind: EncoderChoice.LibavEncoder) -> Bool {
    avcodec_find_encoder_by_name(kind.rawValue) != nil
  }
}

extension ProResProfile {
  /// libavcodec's number of the profile. Its names of them changed with FFmpeg 6.1, the numbers
  /// never.
  var libavProfile: Int32 {
    switch self {
    case .proxy: 0
    case .lt: 1
    case .standard: 2
    case .hq: 3
    case .p4444: 4
    case .xq: 5
    }
  }
}

extension VideoEncoderConfiguration {
  /// The layout that libavcodec encodes: always 10 bits.
  var planarFormat: PixelFormat {
    guard profile.is4444 else { return .yuv422p10 }
    return hasAlpha ? .yuva444p10 : .yuv444p10
  }

  var libavPixelFormat: AVPixelFormat {
    switch planarFormat {
    case .yuva444p10: AV_PIX_FMT_YUVA444P10LE
    case .yuv444p10: AV_PIX_FMT_YUV444P10LE
    default: AV_PIX_FMT_YUV422P10LE
    }
  }
}

extension ColorDescription {
  // libav's numbers are those of ITU-T H.273, as ours.
  var libavPrimaries: AVColorPrimaries { AVColorPrimaries(UInt32(primaries.rawValue)) }
  var libavTransfer: AVColorTransferCharacteristic {
    AVColorTransferCharacteristic(UInt32(transferFunction.rawValue))
  }
  var libavMatrix: AVColorSpace { AVColorSpace(UInt32(matrix.rawValue)) }
}
