import ArgumentParser
import AssetWriter
import MediaCore
import Takes
import VideoRecorder

// How the command line writes the library's values. A wrong one is answered with what would do.

extension VideoDimensions {
  static func argument(_ text: String) throws -> VideoDimensions {
    guard let size = VideoDimensions(text) else {
      throw ValidationError(
        "'\(text)' is no size; write WIDTHxHEIGHT in pixels, such as 1920x1080")
    }
    guard size.width % 2 == 0 else {
      throw ValidationError(
        "\(size) has an odd width; 4:2:2 pictures come in pairs of pixels, so use "
          + "\(size.width + 1)x\(size.height) or \(size.width - 1)x\(size.height)")
    }
    return size
  }
}

extension FrameRate {
  static func argument(_ text: String) throws -> FrameRate {
    guard let rate = FrameRate(text) else {
      throw ValidationError(
        "'\(text)' is no frame rate; write 25, 29.97, 23.976 or a fraction such as 24000/1001")
    }
    return rate
  }
}

extension VideoCodecType {
  static func argument(_ text: String) throws -> VideoCodecType {
    guard let codec = VideoCodecType(shortName: text) else {
      let names = allProRes.map(\.shortName).joined(separator: ", ")
      throw ValidationError("'\(text)' is no codec; choose one of \(names)")
    }
    return codec
  }

  static let completions = CompletionKind.list(allProRes.map(\.shortName))
}

extension RecordingDuration {
  static func argument(_ text: String) throws -> RecordingDuration {
    guard let duration = RecordingDuration(text) else {
      throw ValidationError(
        "'\(text)' is no duration; write 10, 10s, 1m30s, 2h, or 300f for frames")
    }
    return duration
  }
}

extension EncoderChoice {
  static let names = [
    "auto", "native", "libavcodec", "libavcodec:prores_ks", "libavcodec:prores_aw",
  ]

  static func argument(_ text: String) throws -> EncoderChoice {
    guard let choice = EncoderChoice(text) else {
      throw ValidationError(
        "'\(text)' is no encoder; choose one of \(names.joined(separator: ", "))")
    }
    return choice
  }
}

extension InterruptionPolicy {
  static func argument(_ text: String) throws -> InterruptionPolicy {
    guard let policy = InterruptionPolicy(rawValue: text) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(text)' is no answer to an interruption; choose one of \(names)")
    }
    return policy
  }
}

extension SegmentLimit {
  static func argument(_ text: String) throws -> SegmentLimit {
    guard let limit = SegmentLimit(text) else {
      throw ValidationError(
        "'\(text)' is no length or size of a segment; write 10m, 300f for frames, or 4GB")
    }
    return limit
  }
}

extension StartTime {
  static func argument(_ text: String) throws -> StartTime {
    guard let time = StartTime(text) else {
      throw ValidationError("'\(text)' is no time of day; write 09:30, 09:30:00 or 09:30:00:12")
    }
    return time
  }
}

/// The path of a file or folder on the command line.
enum GivenPath {
  /// An empty one, as of a script's variable that nobody set, would mean the working folder.
  static func argument(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("an empty path; name a file or folder") }
    return text
  }
}
