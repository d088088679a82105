import AssetWriter
import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// Movies of H.264 and HEVC with AAC and Apple Lossless, as other programs see them.
@Suite(.tags(.judges), .enabled(if: CompressedTake.hasEncoders, CompressedTake.absence))
struct CompressedMovieTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    arguments: zip(
      [VideoCodecType.h264, .h264, .hevc, .h264], [FileType.mp4, .mov, .mp4, .m4v]))
  func frames_keep_their_times_and_audio_its_duration(
    codec: VideoCodecType, fileType: FileType
  ) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    var take = CompressedTake(fileType: fileType, video: CompressedTake.settings(codec))
    take.times = [0, 40, 55, 200, 233, 500, 520, 980]
    let report = try await take.write(to: path)
    #expect(report.video[0].framesWritten == 8 && report.audio[0].samplesWritten == 48_000)
    #expect(report.video[0].encoder.contains("264") || report.video[0].encoder.contains("265"))
    #expect(report.video[0].framesOverTarget == 0)
    let sizes = try Judges.packets(path, stream: "v:0").compactMap { Int($0.size) }
    // The muxer replaces the encoder's start codes, some of them a byte shorter, by lengths.
    #expect(abs(report.video[0].largestFrame - (sizes.max() ?? 0)) < 8)
    #expect(abs(report.video[0].bytes - Int64(sizes.reduce(0, +))) < 64)
    #expect(try Judges.strictDecode(path) == "")
    #expect(try CompressedTake.times(path) == take.times)
    #expect(try !CompressedTake.boxes(path).contains("moof"))
    let probe = try Judges.probe(path)
    let video = try probe.stream("video")
    #expect(video.codec_name == (codec == .h264 ? "h264" : "hevc"))
    #expect(video.codec_tag_string == codec.rawValue && video.pix_fmt == "yuv420p")
    #expect(video.color_space == "bt709" && video.color_primaries == "bt709")
    #expect(video.color_transfer == "bt709" && video.color_range == "tv")
    #expect(Double(video.start_time ?? "") == 0)
    let duration = probe.format.duration.flatMap { Double($0) }
    withKnownIssue("with FFmpeg 7.1 the movie ends up to a frame early") {
      #expect(duration == 1.02)
    } when: {
      // Debian 12 has FFmpeg 5.1.
      !EncoderCapabilities.libraryVersion.hasPrefix("libavcodec 59.") && duration != 1.02
    }
    let audio = try probe.stream("audio")
    #expect(audio.codec_name == "aac" && audio.codec_tag_string == "mp4a")
    #expect(Double(audio.duration ?? "") == 1 && audio.profile == "LC")
    #expect(Int64(report.fileBytes) == Int64(try Data(contentsOf: URL(filePath: path)).count))
  }

  @Test(arguments: [VideoCodecType.h264, .hevc])
  func white_black_and_red_keep_their_levels(codec: VideoCodecType) async throws {
    let colors: [[UInt16]] = [[940, 512, 512], [64, 512, 512], [250, 409, 960]]
    for (is10, depth) in codec == .h264 ? [(false, 8)] : [(false, 8), (true, 10)] {
      let path = folder.path("\(depth).mp4")
      var settings = CompressedTake.settings(codec)
      if is10 { settings.compression.profile = .main10 }
      settings.compression.quality = 1
      var take = CompressedTake(video: settings, audio: nil, times: [0, 40, 80])
      take.frames = { try CompressedTake.plain(colors[$0]) }
      try await take.write(to: path)
      #expect(try Judges.probe(path).stream("video").pix_fmt == (is10 ? "yuv420p10le" : "yuv420p"))
      let codes = try Judges.decode(path, pixelFormat: "yuv420p10le")
      let size = 128 * 96 * 3 / 2
      #expect(codes.count == 3 * size)
      for (number, color) in colors.enumerated() {
        let (luma, blue) = (number * size, number * size + 128 * 96)
        let means = [luma..<luma + 128 * 96, blue..<blue + 64 * 48, blue + 64 * 48..<luma + size]
          .map { range in Double(codes[range].reduce(0) { $0 + Int($1) }) / Double(range.count) }
        for (mean, wanted) in zip(means, color) {
          #expect(abs(mean - Double(wanted)) <= 3, "\(codec) \(depth): \(means) for \(color)")
        }
      }
    }
  }

  /// FFmpeg 5.1 also decodes AAC after the edit list's end, even in its own files.
  @Test(.tags(.network)) func aac_audio_keeps_its_pitch_level_and_length() async throws {
    guard let newer = NewerFFmpeg.path else { try Test.cancel("\(NewerFFmpeg.absence)") }
    let path = folder.path("a.m4a")
    var take = CompressedTake(fileType: .m4a, video: nil)
    take.audioFrames = 30_000
    let report = try await take.write(to: path)
    #expect(report.audio[0].samplesWritten == 30_000)
    let samples = try Judges.decodeAudio(path, by: newer)
    #expect(samples.count == 2 * 30_000)
    let left = stride(from: 4800, to: samples.count - 4800, by: 2).map { samples[$0] }
    let crossings = zip(left, left.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - left.count / 48) <= 1)
    let peak = left.map { $0.magnitude }.max() ?? 0
    #expect((0x3800_0000...0x4800_0000).contains(peak))
    #expect(try Judges.mediaInfo(path, "General", "%Format%") == "MPEG-4")
  }

  @Test(arguments: [FileType.m4a, .mov, .mp4])
  func lossless_audio_keeps_every_sample(fileType: FileType) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    var take = CompressedTake(
      fileType: fileType, video: nil, audio: CompressedTake.audio(.appleLossless))
    take.audioFrames = 10_000
    try await take.write(to: path)
    let format = try #require(take.audio).format
    let tone = try CompressedTake.tone(from: 0, count: 10_000, format: format)
    let wanted = stride(from: 0, to: tone.bytes.count, by: 2).map {
      Int32(Int16(bitPattern: UInt16(tone.bytes[$0]) | UInt16(tone.bytes[$0 + 1]) << 8)) << 16
    }
    #expect(try Judges.decodeAudio(path) == wanted)
    #expect(try Judges.probe(path).stream("audio").codec_name == "alac")
  }

  @Test func quicktime_movies_hold_linear_pcm_with_compressed_video() async throws {
    let path = folder.path("a.mov")
    var take = CompressedTake(fileType: .mov, audio: CompressedTake.audio(.none))
    take.audioFrames = 47_999
    try await take.write(to: path)
    #expect(try Judges.strictDecode(path) == "")
    #expect(try Judges.probe(path).stream("audio").codec_name == "pcm_s16le")
    #expect(try Judges.decodeAudio(path).count == 2 * 47_999)
  }

  @Test func quicktime_movies_hold_compressed_audio_with_prores() async throws {
    let path = folder.path("a.mov")
    let take = CompressedTake(fileType: .mov, video: CompressedTake.settings(.proRes422LT))
    let report = try await take.write(to: path)
    #expect(report.video[0].framesWritten == 25)
    #expect(try Judges.strictDecode(path) == "")
    let probe = try Judges.probe(path)
    #expect(try probe.stream("video").codec_tag_string == "apcs")
    #expect(try probe.stream("video").color_space == "bt709")
    #expect(try CompressedTake.times(path) == take.times)
    #expect(try probe.stream("audio").codec_name == "aac")
  }

  @Test(.tags(.network)) func the_sessions_end_trims_compressed_audio_to_the_sample() async throws {
    guard let newer = NewerFFmpeg.path else { try Test.cancel("\(NewerFFmpeg.absence)") }
    let path = folder.path("a.mp4")
    var take = CompressedTake()
    take.end = MediaTime(value: 40_001, timescale: 48_000)
    take.times = (0..<20).map { $0 * 40 }
    let report = try await take.write(to: path)
    #expect(report.audio[0].samplesWritten == 40_001)
    #expect(try Judges.decodeAudio(path, by: newer).count == 2 * 40_001)
    let length = try Judges.probe(path).stream("audio").duration_ts
    #expect(length == 40_001)
  }

  // MARK: Encoder settings

  @Test func the_encoder_follows_the_compression_settings() async throws {
    let path = folder.path("a.mp4")
    var settings = CompressedTake.settings()
    settings.compression.maximumKeyFrameInterval = 10
    settings.compression.allowsFrameReordering = false
    settings.compression.profile = .baseline
    settings.compression.level = "3.1"
    settings.compression.averageBitRate = 400_000
    settings.compression.expectedFrameRate = .fps25
    var take = CompressedTake(video: settings, audio: nil, times: (0..<75).map { $0 * 40 })
    take.frames = { try TestMedia.frame($0, noise: 200) }
    try await take.write(to: path)
    let video = try Judges.entries(
      path, "v:0", "stream=profile,level,has_b_frames,bit_rate:packet=flags")
    #expect(video.contains("profile=Constrained Baseline") && video.contains("level=31"))
    #expect(video.contains("has_b_frames=0"))
    let rate = try #require(
      video.first { $0.hasPrefix("bit_rate=") }.flatMap { Int($0.dropFirst(9)) })
    #expect((250_000...600_000).contains(rate), "\(rate) bits a second")
    let keys = try Judges.frames(path).enumerated().filter { $0.element.key_frame == 1 }
      .map(\.offset)
    #expect(keys.first == 0 && zip(keys, keys.dropFirst()).allSatisfy { $1 - $0 <= 10 })
    #expect(keys.count >= 8)
  }

  @Test func key_frames_respect_the_maximum_interval_at_irregular_frame_times() async throws {
    let path = folder.path("a.mp4")
    var settings = CompressedTake.settings()
    settings.compression.maximumKeyFrameIntervalDuration = 0.5
    let take = CompressedTake(
      video: settings, audio: nil, times: [0, 400, 510, 520, 530, 900, 1020, 1500])
    try await take.write(to: path)
    let keys = try Judges.frames(path).enumerated().filter { $0.element.key_frame == 1 }
      .map { take.times[$0.offset] }
    #expect(Set([0, 510, 1020]).isSubset(of: keys), "\(keys)")
  }

  @Test(arguments: [FileType.mp4, .mov])
  func rotation_metadata_and_timecode_are_in_the_file(fileType: FileType) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    var settings = CompressedTake.settings()
    settings.frameRate = .fps25
    settings.quarterTurns = 1
    settings.language = "deu"
    try await CompressedTake(fileType: fileType, video: settings).write(to: path) { writer in
      writer.metadata["com.apple.quicktime.title"] = .text("A title")
      writer.metadata.location = "+48.1374+011.5755/"
      writer.creationTime = 1_600_000_000
      writer.configuration.startTimecode = Timecode("01:00:00:00", frameRate: .fps25)
    }
    let probe = try Judges.probe(path)
    #expect(probe.format.tags?["com.apple.quicktime.title"] == "A title")
    #expect(probe.format.tags?["com.apple.quicktime.location.ISO6709"] == "+48.1374+011.5755/")
    #expect(probe.format.tags?["creation_time"] == "2020-09-13T12:26:40.000000Z")
    let video = try probe.stream("video")
    #expect(video.tags?["timecode"] == "01:00:00:00")
    #expect(video.tags?["language"] == (fileType == .mov ? "ger" : "deu"))
    #expect(video.r_frame_rate == "25/1" && video.avg_frame_rate == "25/1")
    #expect(try Judges.entries(path, "v:0", "stream_side_data=rotation").contains("rotation=-90"))
  }
}
