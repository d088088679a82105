import ArgumentParser
import AssetWriter
import MediaCore
import QuickTime
import Takes
import VideoRecorder

// How the command line writes the library's values. A wrong one is answered with what would do.

extension VideoDimensions {
  static func argument(_ text: String) throws -> VideoDimensions {
    guard let size = VideoDimensions(text) else {
      throw ValidationError(
        "invalid size '\(text)'; write WIDTHxHEIGHT in pixels, such as 1920x1080")
    }
    guard size.width % 2 == 0 else {
      let widths = size.width > 1 ? [size.width + 1, size.width - 1] : [2]
      throw ValidationError(
        "\(size) has an odd width; 4:2:2 video comes in pairs of pixels, so use "
          + widths.map { "\($0)x\(size.height)" }.joined(separator: " or "))
    }
    return size
  }

  /// Usual sizes, which a shell offers.
  static let completions = CompletionKind.list([
    "1280x720", "1920x1080", "2048x1080", "3840x2160", "4096x2160", "7680x4320",
  ])
}

extension FrameRate {
  static func argument(_ text: String) throws -> FrameRate {
    guard let rate = FrameRate(text) else {
      let form = "write 25, 29.97, 23.976 or a fraction such as 24000/1001"
      throw isNotPositive(text)
        ? ValidationError("'\(text)' must be positive; \(form)")
        : ValidationError("invalid frame rate '\(text)'; \(form)")
    }
    return rate
  }

  /// Usual rates, which a shell offers.
  static let completions = CompletionKind.list([
    "23.976", "24", "25", "29.97", "30", "50", "59.94", "60",
  ])
}

extension VideoCodecType {
  static let names = allProRes.map(\.shortName)

  static func argument(_ text: String) throws -> VideoCodecType {
    guard let codec = VideoCodecType(shortName: text) else { throw unknown("codec", text, names) }
    return codec
  }

  static let completions = CompletionKind.list(names)
}

extension RecordingDuration {
  static func argument(_ text: String) throws -> RecordingDuration {
    guard let duration = RecordingDuration(text) else {
      let form = "write 10, 10s, 1m30s, 2h, or 300f for frames, \(limit)"
      throw isNotPositive(text)
        ? ValidationError("'\(text)' must be positive; \(form)")
        : ValidationError("invalid duration '\(text)'; \(form)")
    }
    return duration
  }
}

extension EncoderChoice {
  static let names = [
    "auto", "native", "libavcodec", "libavcodec:prores_ks", "libavcodec:prores_aw",
  ]

  static func argument(_ text: String) throws -> EncoderChoice {
    guard let choice = EncoderChoice(text) else { throw unknown("encoder", text, names) }
    return choice
  }
}

extension InterruptionPolicy: NamedValue {
  static let noun = "interruption policy"
}

extension SegmentLimit {
  static func argument(_ text: String) throws -> SegmentLimit {
    guard let limit = SegmentLimit(text) else {
      let form = "write 10m, 300f for frames, or 4GB; a time is \(RecordingDuration.limit)"
      throw isNotPositive(text)
        ? ValidationError("'\(text)' must be positive; \(form)")
        : ValidationError("invalid segment length '\(text)'; \(form)")
    }
    return limit
  }
}

extension StartTime {
  static func argument(_ text: String) throws -> StartTime {
    guard let time = StartTime(text) else {
      throw ValidationError("invalid time of day '\(text)'; write 09:30, 09:30:00 or 09:30:00:12")
    }
    return time
  }
}

/// True for a number, with its unit or without, that is zero or less.
private func isNotPositive(_ text: String) -> Bool {
  let digits = text.filter { $0.isASCII && $0.isNumber }
  return !digits.isEmpty && (text.hasPrefix("-") || digits.allSatisfy { $0 == "0" })
}

/// The path of a file or folder on the command line.
enum GivenPath {
  /// Refuses an empty path, such as an unset variable in a script, which would mean the working folder.
  static func argument(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("an empty path; name a file or folder") }
    return text
  }
}

extension AudioChannelLayout {
  static func argument(_ text: String) throws -> AudioChannelLayout {
    guard let layout = AudioChannelLayout(name: text) else {
      throw ValidationError(
        "invalid channel layout '\(text)'; write \(names.joined(separator: ", ")), or channels such as "
          + "L,R,C,LFE,Ls,Rs")
    }
    return layout
  }
}

extension MasteringDisplayColorVolume {
  static func argument(_ text: String) throws -> MasteringDisplayColorVolume {
    guard let display = MasteringDisplayColorVolume(text) else {
      throw ValidationError(
        "invalid mastering display '\(text)'; write p3-d65:1000:0.0001 or "
          + "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)")
    }
    return display
  }
}

extension ContentLightLevel {
  static func argument(_ text: String) throws -> ContentLightLevel {
    guard let level = ContentLightLevel(text) else {
      throw ValidationError(
        "invalid content light '\(text)'; write MaxCLL,MaxFALL such as 1000,400, the first not less than the second"
      )
    }
    return level
  }
}
