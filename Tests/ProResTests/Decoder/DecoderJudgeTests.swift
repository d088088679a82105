import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// The same frames in decoders that share no code with this project.
@Suite(.tags(.judges), .enabled(if: OutsideDecoder.ffmpeg != nil, "needs FFmpeg"))
struct DecoderJudgeTests {
  private func compare(_ frame: [UInt8], depth: Int) throws {
    let judge = try #require(OutsideDecoder.ffmpeg)
    let wanted = try #require(judge.decode([frame], depth: depth).first)
    let decoder = try ProResDecoder(configuration: .init(bitDepth: depth, threads: 1))
    let difference = FrameDifference(try decoder.decode(frame).words, wanted)
    #expect(difference.most <= (depth == 10 ? 1 : 2), "\(depth) bits")
  }

  @Test(arguments: ProResDecoderTests.kinds)
  func samples_match_ffmpeg_except_for_rounding(kind: ProResDecoderTests.Kind) throws {
    let frame = try kind.frame()
    try compare(frame, depth: 10)
    if kind.profile.is4444 { try compare(frame, depth: 12) }
  }

  @Test(arguments: [
    ("prores_ks", "yuv422p10le", ["-profile:v", "0"]),
    ("prores_ks", "yuv422p10le", ["-profile:v", "2", "-mbs_per_slice", "4"]),
    ("prores_ks", "yuv444p10le", ["-profile:v", "4"]),
    ("prores_ks", "yuva444p10le", ["-profile:v", "5", "-alpha_bits", "16"]),
    ("prores_ks", "yuv422p10le", ["-flags", "+ildct", "-top", "1"]),
    ("prores_aw", "yuv422p10le", ["-profile:v", "3"]),
  ])
  func frames_of_other_encoders_decode_as_in_ffmpeg(
    encoder: String, format: String, options: [String]
  ) throws {
    let frame = try Judges.frame(
      encoder: encoder, size: "194x98", format: format, options: options)
    try compare(frame, depth: 10)
  }
}
