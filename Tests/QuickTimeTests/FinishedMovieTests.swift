import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// Outside judges on a finished movie.
@Suite struct FinishedMovieTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("take.mov")
  }

  private func newFile() throws -> PosixMovieFile { try PosixMovieFile(path: path, mode: .create) }

  @Test(.tags(.judges)) func ffmpeg_decodes_a_finished_movie_without_errors() throws {
    let summary = try Take().record(into: newFile())
    #expect(try Judges.strictDecode(path) == "")
    #expect(summary.tracks.map(\.sampleCount) == [60, Take.audioFrames(upTo: 60), 1])
    #expect(summary.duration == MediaTime(value: 60 * 1001, timescale: 30000))
    #expect(UInt64(try Data(contentsOf: URL(fileURLWithPath: path)).count) == summary.fileSize)
  }

  @Test(.tags(.judges)) func ffprobe_reads_the_exact_rate_color_and_timecode() throws {
    try Take().record(into: newFile())
    #expect(
      try Judges.entries(
        path, "v:0",
        "stream=codec_name,profile,codec_tag_string,r_frame_rate,avg_frame_rate,time_base,nb_frames,"
          + "duration_ts,color_primaries,color_transfer,color_space,field_order,pix_fmt"
          + ":stream_tags=timecode,encoder"
      ) == [
        "codec_name=prores", "profile=Standard", "codec_tag_string=apcn", "pix_fmt=yuv422p10le",
        "field_order=progressive", "color_space=bt709", "color_transfer=bt709",
        "color_primaries=bt709", "r_frame_rate=30000/1001", "avg_frame_rate=30000/1001",
        "time_base=1/30000", "duration_ts=60060", "nb_frames=60", "TAG:timecode=01:00:00;00",
        "TAG:encoder=Apple ProRes 422",
      ])
    #expect(
      try Judges.entries(
        path, "a:0", "stream=codec_name,sample_rate,channels,channel_layout,nb_frames")
        == [
          "codec_name=pcm_s24le", "sample_rate=48000", "channels=2", "channel_layout=stereo",
          "nb_frames=\(Take.audioFrames(upTo: 60))",
        ])
  }

  @Test(.tags(.judges)) func mediainfo_reports_a_complete_movie_of_constant_rate() throws {
    try Take().record(into: newFile())
    #expect(
      try Judges.mediaInfo(path, "General", "%IsTruncated%|%Duration%|%Format_Profile%")
        == "|2002|QuickTime")
    #expect(
      try Judges.mediaInfo(
        path, "Video", "%Format_Profile%|%CodecID%|%FrameRate_Mode%|%ScanType%|%colour_primaries%")
        == "422|apcn|CFR|Progressive|BT.709")
    #expect(
      try Judges.mediaInfo(path, "Other", "%TimeCode_FirstFrame%|%TimeCode_LastFrame%")
        == "01:00:00;00|01:00:01;29")
    #expect(
      try Judges.mediaInfo(path, "Audio", "%CodecID%|%BitDepth%|%ChannelLayout%")
        == "lpcm|24|L R")
  }

  @Test(arguments: VideoCodecType.allProRes)
  func each_codec_has_its_sample_entry_and_name(codec: VideoCodecType) throws {
    let file = TraceFile()
    var take = Take(frameCount: 2, audio: nil, timecode: nil)
    take.video.codec = codec
    take.video.hasAlpha = codec.is4444
    try take.record(into: file)
    let video = try #require(try MovieIndex(file).videoTrack)
    #expect(video.codec.description == codec.rawValue)
    #expect(video.video?.compressorName == codec.displayName)
    #expect(video.video?.depth == (codec.is4444 ? 32 : 24))
  }

  @Test(.tags(.judges)) func frames_with_alpha_are_declared_and_decoded() throws {
    let packets = try Packets(
      codec: ["-profile:v", "4", "-pix_fmt", "yuva444p10le"], rate: "24", count: 5)
    var take = Take(audio: nil, timecode: nil)
    take.video.codec = .proRes4444
    take.video.hasAlpha = true
    take.video.frameRate = .fps24
    let (writer, ids) = try take.begin(newFile())
    for frame in packets.frames { try writer.append(frame, to: ids[0]) }
    _ = try writer.finish()
    // FFmpeg 5.1 omits the last run of alpha and reports that: only the errors count.
    #expect(
      try Judges.entries(path, "v:0", "stream=pix_fmt,bits_per_raw_sample,profile").contains(
        "profile=4444"))
    #expect(try Judges.videoFrameCount(path) == 5)
  }

  @Test(.tags(.judges), arguments: [FieldOrder.topFieldFirst, .bottomFieldFirst])
  func field_order_is_declared(order: FieldOrder) throws {
    var take = Take(frameCount: 5)
    take.video.fieldOrder = order
    try take.record(into: newFile())
    let index = try MovieIndex(path: path)
    #expect(index.videoTrack?.video?.fieldOrder == order)
    #expect(
      try Judges.mediaInfo(path, "Video", "%ScanType%|%ScanOrder%").hasPrefix("Interlaced|")
        && Judges.mediaInfo(path, "Video", "%ScanOrder%")
          == (order == .topFieldFirst ? "TFF" : "BFF")
    )
  }

  @Test(.tags(.judges)) func non_square_pixels_give_the_right_display_size() throws {
    var take = Take(frameCount: 5)
    take.video.pixelAspectRatio = PixelAspectRatio(12, 11)
    take.video.cleanAperture = CleanAperture(
      width: .init(150), height: .init(90), horizontalOffset: .init(1, 2))
    try take.record(into: newFile())
    #expect(
      try Judges.entries(path, "v:0", "stream=sample_aspect_ratio,display_aspect_ratio") == [
        "sample_aspect_ratio=12:11", "display_aspect_ratio=20:11",
      ])
    let track = try #require(try MovieIndex(path: path).videoTrack)
    #expect(track.video?.pixelAspectRatio == PixelAspectRatio(12, 11))
    #expect(track.video?.cleanAperture == take.video.cleanAperture)
    #expect(track.video?.hasTrackApertures == true)
    #expect(abs(track.displaySize.width - 160 * 12 / 11.0) < 0.001)
    #expect(try Judges.strictDecode(path) == "")
  }

  @Test(.tags(.judges)) func ffprobe_reads_hdr_metadata() throws {
    var take = Take(frameCount: 5)
    take.video.color = .bt2100PQ
    take.video.masteringDisplay = MasteringDisplayColorVolume(
      red: .init(x: 34000, y: 16000), green: .init(x: 13250, y: 34500),
      blue: .init(x: 7500, y: 3000), white: .init(x: 15635, y: 16450),
      maximumLuminance: 10_000_000, minimumLuminance: 50)
    take.video.contentLightLevel = ContentLightLevel(maximum: 1000, maximumFrameAverage: 400)
    try take.record(into: newFile())
    let facts = try Judges.entries(path, "v:0", "stream=index:stream_side_data_list")
    #expect(
      facts.isSuperset(of: [
        "red_x=34000/50000", "green_y=34500/50000", "blue_x=7500/50000",
        "white_point_x=15635/50000",
        "max_luminance=10000000/10000", "min_luminance=50/10000", "max_content=1000",
        "max_average=400",
      ]), "\(facts)")
    let video = try #require(try MovieIndex(path: path).videoTrack?.video)
    #expect(video.color == .bt2100PQ)
    #expect(video.masteringDisplay == take.video.masteringDisplay)
    #expect(video.contentLightLevel == take.video.contentLightLevel)
  }

  @Test(arguments: FrameRate.standard)
  func every_frame_rate_gives_exact_durations(rate: FrameRate) throws {
    let file = TraceFile()
    var take = Take(frameCount: 0, timecode: nil)
    take.video.frameRate = rate
    let (writer, ids) = try take.begin(file)
    for frame in Packets.standard.frames { try writer.append(frame, to: ids[0]) }
    try writer.appendAudio(pcm(frames: 10, channels: 2, bytes: 3), frames: 10, to: ids[1])
    _ = try writer.finish()
    let index = try MovieIndex(file)
    let track = try #require(index.videoTrack)
    let exact = MediaTime(value: 60 * Int64(rate.denominator), timescale: rate.numerator)
    #expect(track.frameRate == rate)
    #expect(track.mediaDuration == exact)
    #expect(track.duration == exact)
    #expect(index.duration == exact)
    #expect(index.timescale % rate.numerator == 0 && index.timescale % 48000 == 0)
  }

  @Test(.tags(.judges)) func frames_of_different_durations_keep_their_times() throws {
    let (writer, ids) = try Take(audio: nil, timecode: nil).begin(newFile())
    let lengths: [Int64] = [1001, 1001, 2002, 1001, 500, 1502, 1001, 3003]
    for (frame, length) in zip(Packets.standard.frames, lengths) {
      try writer.append(frame, to: ids[0], duration: length)
    }
    _ = try writer.finish()
    let samples = try #require(try MovieIndex(path: path).videoTrack?.samples)
    #expect(samples.map { Int64($0.duration) } == lengths)
    let times = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts", "-of", "csv=p=0",
        path,
      ])
    #expect(
      times.output.split(separator: "\n").compactMap { Int64($0) }
        == lengths.indices.map { lengths[..<$0].reduce(0, +) })
    #expect(try Judges.strictDecode(path) == "")
  }

  @Test(.tags(.judges)) func other_programs_read_the_movies_metadata() throws {
    var take = Take(frameCount: 2)
    take.configuration.metadata.make = "Müller & Söhne"
    take.configuration.metadata.model = "Deck"
    take.configuration.metadata.software = "recordctl"
    take.configuration.metadata.creationDate = "2023-11-14T22:13:20+0000"
    take.configuration.metadata.location = "+48.1374+011.5755/"
    take.configuration.metadata["org.example.tier"] = .integer(-2)
    take.configuration.metadata["org.example.frames"] = .integer(1 << 40)
    take.configuration.metadata["org.example.offset"] = .number(0.5)
    take.configuration.metadata["org.example.raw"] = .data(type: 0, bytes: [1, 2, 3])
    try take.record(into: newFile())
    let index = try MovieIndex(path: path)
    #expect(index.metadata == take.configuration.metadata)
    #expect(index.creationTime == 1_700_000_000)
    let tags = try Judges.entries(path, "v:0", "format_tags")
    #expect(
      tags.isSuperset(of: [
        "TAG:com.apple.quicktime.make=Müller & Söhne", "TAG:com.apple.quicktime.model=Deck",
        "TAG:com.apple.quicktime.location.ISO6709=+48.1374+011.5755/", "TAG:org.example.tier=-2",
        "TAG:creation_time=2023-11-14T22:13:20.000000Z",
      ]), "\(tags)")
    let seen = try Judges.run("mediainfo", [path]).output
    // MediaInfo 25 has its own name for the key.
    #expect(
      seen.contains(/(?m)^(com\.apple\.quicktime\.software|Writing application) +: recordctl$/))
  }

  @Test func dates_are_formatted_as_by_apples_cameras() {
    let text = MovieMetadata.dateText(unixTime: 1_700_000_000)
    #expect(text.wholeMatch(of: /2023-11-1[45]T\d\d:\d\d:20[+-]\d{4}/) != nil)
  }
}
