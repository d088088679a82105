import AssetWriter
import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// Movies as other programs see them.
@Suite(.tags(.judges)) struct MovieTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func other_programs_accept_video_audio_and_timecode() async throws {
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
    let videoInput = try writer.inputReceiver(for: video)
    let audioInput = try writer.inputReceiver(for: audio)
    for number in 0..<60 {
      try await videoInput.append(TestMedia.video(number, rate: rate))
      try await audioInput.append(TestMedia.audio(from: number * 1602, count: 1602))
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
    #expect(try Judges.mediaInfo(path, "Video", "%Format%") == "ProRes")
    #expect(try Judges.mediaInfo(path, "Video", "%Format_Profile%") == "422")
    #expect(try Judges.mediaInfo(path, "General", "%IsTruncated%") == "")
    #expect(report.video.first?.framesWritten == 60)
    #expect(report.audio.first?.samplesWritten == 96_096)
    #expect(report.audio.first?.samplesTrimmed == 24)
  }

  @Test func the_receivers_pool_never_runs_out_of_buffers() async throws {
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    let input = AssetWriterInput(outputSettings: Recording.settings())
    let receiver = try writer.inputPixelBufferReceiver(
      for: input,
      pixelBufferAttributes: PixelBuffer.Description(format: .uyvy, width: 128, height: 96))
    let pool = try #require(receiver.pixelBufferPool)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<40 {
      try await input.waitUntilReadyForMoreMediaData()
      var frame = try pool.makeBuffer()
      frame.withUnsafeMutableBytes(ofPlane: 0) { bytes in
        for index in bytes.indices { bytes[index] = 128 }
      }
      try await receiver.append(
        frame.finish(), with: MediaTime(value: Int64(number), timescale: 25))
    }
    try receiver.finish()
    let report = try await writer.finishWriting()
    #expect(report.video.first?.framesWritten == 40)
    #expect(pool.available == pool.capacity)
    #expect(try Judges.strictDecode(path) == "")
  }

  @Test func progress_and_report_agree_with_the_file() async throws {
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    let input = AssetWriterInput(outputSettings: Recording.settings())
    let receiver = try writer.inputReceiver(for: input)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<30 { try await receiver.append(TestMedia.video(number)) }
    #expect(writer.progress.appendedDuration == MediaTime(value: 30, timescale: 25))
    #expect(writer.progress.framesInFlight <= writer.progress.queueDepth)
    let report = try await writer.finishWriting()
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
    #expect(report.fileBytes == size)
    #expect(writer.writtenByteCount == size)
    #expect(report.duration == 1.2)
    #expect(report.status == "completed")
    let sizes = try Judges.packets(path, stream: "v:0").compactMap { Int64($0.size) }
    #expect(report.video.first?.bytes == sizes.reduce(0, +))
    #expect(report.video.first?.encodeTime.count == 30)
    let copy = try JSONDecoder().decode(
      AssetWriter.Report.self, from: JSONEncoder().encode(report))
    #expect(copy == report)
  }
}
