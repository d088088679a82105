import AssetWriter
import CaptureTestSupport
import Dispatch
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

/// The flow of TN3104, "Recording and saving with AVCaptureVideoDataOutput and AVAssetWriter", and
/// its first half, on the pattern device.
@Suite(.tags(.judges), .serialized, .timeLimit(.minutes(20)))
struct TechnoteFlowTests {
  @Test func an_asset_writer_records_frames_of_a_data_output() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("flow.mov")

    let device = try CaptureDevice.device(identifier: "pattern:bars")
    try Self.choose(device, width: 640, height: 360, rate: .fps25)
    let session = CaptureSession()
    session.sessionPreset = .inputPriority
    let output = CaptureVideoDataOutput()
    output.alwaysDiscardsLateVideoFrames = false
    try session.configure { session throws(CaptureError) in
      try session.add(CaptureDeviceInput(device: device))
      try session.add(output)
    }
    let settings = try #require(
      output.recommendedVideoSettings(
        forVideoCodecType: .proRes422, assetWriterOutputFileType: .mov))
    #expect(settings.frameRate == .fps25 && settings.width == 640)
    #expect(
      output.recommendedVideoSettings(
        forVideoCodecType: .proRes4444, assetWriterOutputFileType: .mov) == nil)

    let recorder = try Recorder(url: url, settings: settings)
    output.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "pictures"))
    try await session.start()
    try await eventually("twenty frames are appended") { recorder.count >= 20 }
    await session.stop()
    let report = try await recorder.finish()

    let track = try #require(report.video.first)
    #expect(track.framesAppended >= 20)
    let video = try Judges.probe(url.path, countingFrames: true).stream("video")
    #expect(video.codec_name == "prores" && video.profile == "Standard")
    #expect(video.pix_fmt == "yuv422p10le")
    #expect(video.nb_read_frames == "\(track.framesWritten)")
  }

  @Test func the_pattern_and_its_tone_are_recorded_completely_and_in_sync() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("take.mov")

    let device = try CaptureDevice.device(identifier: "pattern:bars")
    try Self.choose(device, width: 640, height: 360, rate: .fps29_97)
    let input = try CaptureDeviceInput(device: device)
    input.startTimecode = Timecode("01:00:00;00", frameRate: .fps29_97)
    let tone = try CaptureDeviceInput(device: CaptureDevice.device(identifier: "tone"))
    let session = CaptureSession()
    let output = CaptureMovieFileOutput()
    try session.configure { session throws(CaptureError) in
      try session.add(input)
      try session.add(tone)
      try session.add(output)
    }
    let connection = try #require(output.connection(with: .video))
    #expect(output.availableVideoCodecTypes.contains(.proRes422))
    try output.setVideoCodec(.proRes422, for: connection)
    output.maxRecordedFrameCount = 60
    try await session.start()
    let report = try await output.record(to: url)
    await session.stop()

    #expect(report.movie.frameCount == 60)
    #expect(report.frames.written == 60)
    #expect(report.frames.encoded + report.frames.repeated == 60)
    let audio = try #require(report.audio.first)
    // 60 x 1001 / 30000 s at 48 kHz. The tone may start a moment late on a busy machine.
    #expect(audio.written == 96_096)
    #expect(audio.silence < 9600 && audio.lost == 0)
    #expect(audio.peaks.compactMap { $0 }.count == audio.channelCount)
    let start = try #require(report.movie.startTimecode)
    #expect(start.hasPrefix("01:00:0") && start.contains(";"))

    #expect(try Judges.strictDecode(url.path) == "")
    let text = try Judges.run(
      "ffprobe",
      ["-v", "error", "-count_frames", "-show_streams", "-of", "default=nw=1", url.path]
    ).output
    for fact in [
      "profile=Standard", "r_frame_rate=30000/1001", "avg_frame_rate=30000/1001",
      "nb_read_frames=60", "pix_fmt=yuv422p10le", "color_space=bt709", "color_primaries=bt709",
      "color_transfer=bt709", "TAG:timecode=\(start)", "duration_ts=96096",
    ] {
      #expect(text.contains(fact), "\(fact)")
    }
  }

  private static func choose(
    _ device: CaptureDevice, width: Int, height: Int, rate: FrameRate
  ) throws {
    let format = try device.findFormat(
      where: FormatCriteria(
        mediaSubType: "x422", dimensions: VideoDimensions(width: width, height: height),
        frameRate: rate))
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(format)
      try device.setActiveFrameRate(rate)
    }
  }

  /// Appends samples from the first frame on.
  private final class Recorder: CaptureVideoDataOutputSampleBufferDelegate {
    private let writer: AssetWriter
    private let input: AssetWriterInput
    private let appended = Counter()
    var count: Int { appended.value }

    init(url: URL, settings: VideoOutputSettings) throws {
      input = AssetWriterInput(mediaType: .video, outputSettings: settings)
      input.expectsMediaDataInRealTime = true
      writer = try AssetWriter(outputURL: url, fileType: .mov)
      try writer.add(input)
    }

    func captureOutput(
      _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
      from connection: CaptureConnection
    ) {
      if writer.status == .unknown {
        writer.startWriting()
        try? writer.startSession(atSourceTime: sampleBuffer.presentationTimeStamp)
      }
      guard input.isReadyForMoreMediaData else { return }
      do {
        try input.append(sampleBuffer)
        appended.add()
      } catch {
        Issue.record(error)
      }
    }

    func finish() async throws -> AssetWriter.Report { try await writer.finishWriting() }
  }
}
