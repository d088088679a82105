import AssetReader
import MediaCore

/// The samples that an audio encoder puts before the first of its input.
///
/// A container whose clock is coarser than a sample (Matroska and FLV count milliseconds) states
/// only roughly where they end. If that agrees with the codec's usual delay, audio and video began
/// together, and the usual delay is exact. A container that counts frames (AVI) states nothing
/// about it, even if something seems to agree.
enum EncoderDelay {
  /// Usual delays in samples, by libavcodec's name of the codec: one AAC frame, two, and the delay
  /// of Apple's encoder; LAME's plus the decoder's; the filter bank of MPEG layer II; half an AC-3
  /// transform.
  private static let usual: [String: [Int64]] = [
    "aac": [1024, 2048, 2112], "mp3": [1105], "mp2": [481], "ac3": [256], "eac3": [256],
  ]

  /// The coarsest clock that counts as one of times rather than frames: half of it is less than any
  /// delay except AC-3's.
  private static let coarsest = MediaTime(value: 2, timescale: 1000)

  /// How much earlier a track's audio is than its time stamps.
  ///
  /// - Parameters:
  ///   - audio: The time of the track's first samples.
  ///   - frame: The time of the first frame.
  ///   - unit: The tick of the video's times.
  static func correction(
    _ track: AssetTrack, from audio: MediaTime, to frame: MediaTime, unit: MediaTime
  ) -> MediaTime {
    guard let rate = track.audio?.sampleRate, audio.isNumeric, frame.isNumeric else {
      return .zero
    }
    let clock = max(unit, track.timeUnit)
    let tick = clock.seconds * Double(rate)
    guard tick > 1, clock <= coarsest, let delays = usual[track.codecName] else { return .zero }
    let lead = frame - audio
    let exact = delays.map { MediaTime(value: $0, timescale: Int32(clamping: rate)) }
    // Allows half a tick for the rounding of a difference.
    return exact.map { $0 - lead }.first { abs($0.seconds) * Double(rate) <= tick / 2 } ?? .zero
  }

  /// A note that an audio track's encoder delay is unknown; nil if the container states it.
  ///
  /// - Parameters:
  ///   - unit: The tick of the video's times.
  ///   - container: libavformat's name of it. QuickTime and MPEG-4 files state the delay in an edit
  ///     list, to the sample, even if their video clock counts frames.
  ///   - subject: A prefix of the message, such as the track.
  static func note(
    _ track: AssetTrack, unit: MediaTime, in container: String, of subject: String
  ) -> ExportNote? {
    guard let rate = track.audio?.sampleRate, max(unit, track.timeUnit) > coarsest,
      !container.split(separator: ",").contains("mov"),
      let delay = usual[track.codecName]?.first
    else { return nil }
    let milliseconds = (Double(delay * 1000) / Double(rate)).text(decimals: 0)
    return ExportNote(
      .assumed, "audio",
      "\(subject)the container does not give the encoder's delay (usually \(delay) samples, \(milliseconds) ms, for "
        + "\(track.codecName)): it is not removed, and the audio may be late by that much"
    )
  }
}
