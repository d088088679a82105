import CFFmpeg
import MediaCore

/// What an encoder of libavcodec is told in its own terms.
struct VideoCompressorOptions {
  private let codec: VideoCodecType
  private let compression: VideoCompression
  private let isRealTime: Bool
  private let isPrompt: Bool

  init(_ settings: VideoOutputSettings, isRealTime: Bool, isPrompt: Bool) {
    codec = settings.codec
    compression = settings.compression
    self.isRealTime = isRealTime
    self.isPrompt = isPrompt
  }

  /// Tells an encoder that is not open yet.
  func apply(to encoder: EncoderContext) {
    if let rate = compression.averageBitRate {
      encoder.context.pointee.bit_rate = Int64(rate)
    } else {
      encoder.set("crf", "\(rateFactor)")
    }
    encoder.set("forced-idr", "1")
    switch encoder.name {
    case "libx264": tellX264(encoder)
    case "libx265": tellX265(encoder)
    case "libkvazaar":
      if compression.averageBitRate == nil {
        encoder.set("kvazaar-params", "qp=\(Int(rateFactor))")
      }
    default:
      // libopenh264 has no constant quality: a rate stands for it.
      if compression.averageBitRate == nil {
        encoder.context.pointee.bit_rate = Int64(Self.fallbackRate(encoder, quality))
      }
      if let profile { encoder.set("profile", profile) }
    }
  }

  private var quality: Double { compression.quality ?? 0.6 }

  /// The rate factor of x264 and x265: 34 at quality 0, 10 at 1, and 19.6 unless told.
  private var rateFactor: Double { ((34 - 24 * quality) * 10).rounded() / 10 }

  /// A tenth of a bit a pixel, give or take what the quality says.
  private static func fallbackRate(_ encoder: EncoderContext, _ quality: Double) -> Int {
    let context = encoder.context.pointee
    let pixels = Double(context.width) * Double(context.height)
    let frames = Double(context.framerate.num) / Double(max(context.framerate.den, 1))
    return max(Int(pixels * frames * (0.02 + 0.16 * quality)), 64_000)
  }

  private var profile: String? {
    switch compression.profile {
    case .baseline: "baseline"
    case .main: "main"
    case .high: "high"
    case .main10: "main10"
    case nil: nil
    }
  }

  private func tellX264(_ encoder: EncoderContext) {
    encoder.set("preset", isRealTime ? "veryfast" : "medium")
    encoder.set("profile", profile ?? "high")
    if isPrompt { encoder.set("tune", "zerolatency") }
    if let level = compression.level { encoder.set("level", level) }
    switch compression.entropyCoding {
    case .cabac: encoder.set("coder", "cabac")
    case .cavlc: encoder.set("coder", "cavlc")
    case nil: break
    }
  }

  private func tellX265(_ encoder: EncoderContext) {
    encoder.set("preset", isRealTime ? "ultrafast" : "fast")
    if isPrompt { encoder.set("tune", "zerolatency") }
    if let profile { encoder.set("profile", profile) }
    // x265 logs unless disabled. Pictures after a key frame of an open group may refer to pictures before it:
    // Apple's files have no such groups, and a forced key frame would not be a fresh start.
    encoder.set("x265-params", "log-level=none:open-gop=0")
  }
}
