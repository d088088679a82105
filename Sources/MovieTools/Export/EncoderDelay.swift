import AssetReader
import MediaCore

/// The samples that an encoder of sound puts before the first of its input.
///
/// A container whose clock is coarser than a sample (Matroska and FLV count milliseconds) says only
/// roughly where they end. Where what it says fits the usual delay of the codec, sound and pictures began
/// together, and the delay is exact.
enum EncoderDelay {
  /// Usual delays in samples, by libavcodec's name of the codec: a frame of AAC, two, and that of Apple's
  /// encoder; LAME's with a decoder's own; the filter bank of MPEG layer II; half a transform of AC-3.
  private static let usual: [String: [Int64]] = [
    "aac": [1024, 2048, 2112], "mp3": [1105], "mp2": [481], "ac3": [256], "eac3": [256],
  ]

  /// How much earlier than its times say the sound of a track is.
  ///
  /// - Parameters:
  ///   - sound: The time of the track's first samples.
  ///   - picture: The time of the first picture.
  ///   - unit: The tick of the pictures' times.
  static func correction(
    _ track: AssetTrack, from sound: MediaTime, to picture: MediaTime, unit: MediaTime
  ) -> MediaTime {
    guard let rate = track.audio?.sampleRate, sound.isNumeric, picture.isNumeric else {
      return .zero
    }
    let tick = max(unit.seconds, track.timeUnit.seconds) * Double(rate)
    guard tick > 1, let delays = usual[track.codecName] else { return .zero }
    let lead = picture - sound
    let exact = delays.map { MediaTime(value: $0, timescale: Int32(clamping: rate)) }
    // Half a tick for the rounding of a difference.
    return exact.map { $0 - lead }.first { abs($0.seconds) * Double(rate) <= tick / 2 } ?? .zero
  }
}
