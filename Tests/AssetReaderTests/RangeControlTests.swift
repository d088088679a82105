import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// AC-3 audio whose stream requests dynamic range compression.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct RangeControlTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Bytes in a frame of 448 kbit/s at 48 kHz.
  private static let frameSize = 1792

  /// The frame with -6 dB of range control in its first block, which replaces bits at the end of
  /// its last block.
  private static func quieter(_ frame: ArraySlice<UInt8>) throws -> [UInt8] {
    var bits = frame.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    // After the sync information and the two-channel mode with its Dolby Surround mix.
    try #require(Array(bits[48..<51]) == [0, 1, 0])
    var place = 51 + 2 + 1 + 5
    for length in [8, 8, 7] { place += bits[place] == 1 ? 1 + length : 1 }
    place += 2
    for _ in 0..<2 { place += bits[place] == 1 ? 15 : 1 }
    try #require(bits[place] == 0)
    // No additional information; then each channel's block switch and dither flags.
    place += 1 + 4
    try #require(bits[place] == 0)
    let tail = bits.count - 18
    bits.replaceSubrange(tail - 8..<tail, with: [])
    bits.replaceSubrange(place..<place + 1, with: [1, 1, 1, 1, 0, 0, 0, 0, 0])
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  /// The largest sample, relative to full scale.
  private func peak(_ path: String) throws -> Double {
    let reader = try AssetReader(path)
    var peak = 0.0
    while let sample = try reader.nextSample() {
      guard let audio = sample.sampleBuffer.audioBuffer else { continue }
      try #require(audio.format.sampleFormat == .int24)
      for place in stride(from: 0, to: audio.bytes.count, by: 3) {
        let code = (0..<3).reduce(Int32(0)) { $0 | Int32(audio.bytes[place + $1]) << (8 + 8 * $1) }
        peak = max(peak, Double(code).magnitude / 0x1p31)
      }
    }
    return peak
  }

  @Test func samples_ignore_the_dynamic_range_control_of_the_stream() throws {
    let (plain, quiet) = (folder.path("plain.ac3"), folder.path("quiet.ac3"))
    try Judges.ffmpeg("-f lavfi -i sine=f=440:d=0.5:r=48000 -ac 2 -c:a ac3 -b:a 448k \(plain)")
    let bytes = try folder.bytes("plain.ac3")
    let frames = stride(from: 0, to: bytes.count, by: Self.frameSize).map {
      bytes[$0..<min($0 + Self.frameSize, bytes.count)]
    }
    try folder.write(frames.flatMap { try Self.quieter($0) }, "quiet.ac3")
    let peaks = try (peak(plain), peak(quiet))
    #expect(peaks.0 > 0.05)
    #expect((peaks.1 / peaks.0 - 1).magnitude < 0.05, "\(peaks)")
  }
}
