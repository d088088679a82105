import AssetWriter
import Foundation
import MediaCore
import QuickTime
import Testing

/// Movies as the outside sees them.
@Suite struct MovieTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a movie with pictures, sound and timecode satisfies every judge")
  func whole_movie() async throws {
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    let rate = FrameRate.fps29_97
    writer.configuration.startTimecode = Timecode("01:00:00;00", frameRate: rate)
    writer.metadata.software = "AssetWriterTests"
    let video = AssetWriterInput(
      outputSettings: VideoOutputSettings(
        codec: .proRes422, width: 128, height: 96, frameRate: rate))
    let audio = AssetWriterInput(outputSettings: AudioOutputSettings(format: TestMedia.stereo24))
    try writer.add(video)
    try writer.add(audio)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let pictures = try writer.inputReceiver(for: video)
    let sound = try writer.inputReceiver(for: audio)
    for number in 0..<60 {
      try await pictures.append(TestMedia.video(number, rate: rate))
      try await sound.append(TestMedia.audio(from: number * 1602, count: 1602))
    }
    try writer.endSession(atSourceTime: rate.time(ofFrame: 60))
    let report = try await writer.finishWriting()

    #expect(writer.status == .completed)
    #expect(try Judges.strictDecode(path) == "")
    let probe = try Judges.probe(path)
    let track = try probe.stream("video")
    #expect(track.codec_name == "prores")
    #expect(track.codec_tag_string == "apcn")
    #expect(track.profile == "Standard")
    #expect(track.pix_fmt == "yuv422p10le")
    #expect(track.r_frame_rate == "30000/1001")
    #expect(track.avg_frame_rate == "30000/1001")
    #expect(track.nb_frames == "60")
    #expect(track.color_space == "bt709")
    #expect(track.color_primaries == "bt709")
    #expect(track.color_transfer == "bt709")
    #expect(track.field_order == "progressive")
    #expect(track.tags?["timecode"] == "01:00:00;00")
    let frames = try Judges.frames(path)
    #expect(frames.count == 60)
    #expect(frames.allSatisfy { $0.color_space == "bt709" && $0.color_transfer == "bt709" })
    let audioTrack = try probe.stream("audio")
    #expect(audioTrack.codec_name == "pcm_s24le")
    // 60 frames of 1001/30000 s are 96096 samples.
    #expect(audioTrack.duration == "2.002000")
    #expect(try Judges.decodeAudio(path).count == 2 * 96_096)
    #expect(try Judges.mediaInfo(path, "Video", "Format") == "ProRes")
    #expect(try Judges.mediaInfo(path, "Video", "Format_Profile") == "422")
    #expect(try Judges.mediaInfo(path, "General", "IsTruncated") == "")
    #expect(report.video.first?.framesWritten == 60)
    #expect(report.audio.first?.samplesWritten == 96_096)
    #expect(report.audio.first?.samplesTrimmed == 24)
  }
}
