import AssetWriter
import CaptureTestSupport
import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

/// Which settings are accepted, and how they fit the device's active format.
extension MovieFileOutputTests {
  private func select(_ format: CaptureDevice.Format, of rig: MovieRig) throws {
    try rig.camera.configure { device throws(CaptureError) in try device.setActiveFormat(format) }
  }

  @Test func codecs_depend_on_the_active_format_and_allowed_tiers() throws {
    let rig = try MovieRig(formats: [.frames(.yuyv), .frames(.v210), .frames(.yuv444p12)])
    defer { rig.cleanUp() }
    let connection = try #require(rig.output.connection(with: .video))
    try select(.frames(.yuyv), of: rig)
    #expect(rig.output.availableVideoCodecTypes.isEmpty)
    let refused = #expect(throws: CaptureError.self) {
      try rig.output.setVideoCodec(.proRes422, for: connection)
    }
    #expect(refused?.message.contains("tier 3 (8-bit 4:2:2)") == true)
    rig.output.allowedTiers = FormatTier.eightBit422.andBetter
    #expect(rig.output.availableVideoCodecTypes.contains(.proRes422HQ))
    rig.output.allowedTiers = FormatTier.true10Bit422
    try select(.frames(.v210), of: rig)
    #expect(
      rig.output.availableVideoCodecTypes
        == [.proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ])
    let error = #expect(throws: CaptureError.self) {
      try rig.output.setVideoCodec(.proRes4444, for: connection)
    }
    #expect(error?.code == .codecUnavailable)
    try select(.frames(.yuv444p12), of: rig)
    #expect(rig.output.availableVideoCodecTypes == VideoCodecType.allProRes)
  }

  @Test func an_unsupported_size_is_refused_with_the_devices_sizes() async throws {
    let small = CaptureDevice.Format.frames(.v210, 320, 180)
    let large = CaptureDevice.Format.frames(.v210, 640, 360)
    let rig = try MovieRig(formats: [small, large], hasAudio: false)
    defer { rig.cleanUp() }
    try select(large, of: rig)
    let connection = try #require(rig.output.connection(with: .video))
    let fitting = try #require(rig.output.chosenSettings(for: connection))
    var settings = fitting
    settings.width = 322
    let refused = #expect(throws: CaptureError.self) {
      try rig.output.setOutputSettings(settings, for: connection)
    }
    #expect(refused?.code == .invalidArgument)
    let message = refused?.message ?? ""
    for size in ["322x360", "delivers 640x360", "320x180, 640x360"] {
      #expect(message.contains(size), "\(message)")
    }
    #expect(rig.output.chosenSettings(for: connection) == fitting)

    // A size that fitted until another format was made active.
    try rig.output.setOutputSettings(fitting, for: connection)
    try select(small, of: rig)
    try await rig.session.start()
    let error = await #expect(throws: CaptureError.self) {
      try await rig.output.record(to: rig.url)
    }
    await rig.session.stop()
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("make a format of 640x360 active") == true)
    #expect(!FileManager.default.fileExists(atPath: rig.url.path))
  }

  @Test func a_chosen_codec_applies_to_the_format_active_at_the_start() async throws {
    let large = CaptureDevice.Format.frames(.v210, 640, 360, rates: [.fps50])
    let rig = try MovieRig(formats: [.frames(.v210, 320, 180), large], hasAudio: false)
    defer { rig.cleanUp() }
    let connection = try #require(rig.output.connection(with: .video))
    try select(.frames(.v210, 320, 180), of: rig)
    try rig.output.setVideoCodec(.proRes422LT, for: connection)
    try select(large, of: rig)
    rig.output.maxRecordedFrameCount = 5
    let report = try await rig.record { camera, _ in try rig.feed(0..<10, camera, nil) }
    await rig.session.stop()
    #expect(report.movie.frameCount == 5)
    let video = try rig.judge().stream("video")
    #expect(video.profile == "LT" && video.width == 640 && video.height == 360)
    #expect(video.avg_frame_rate == "50/1")
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func hdr_metadata_and_channel_layout_of_sources_are_in_the_movie() async throws {
    let frames = PixelBuffer.Description(
      format: .v210, width: 64, height: 32, color: .bt2100PQ)
    let format = CaptureDevice.Format(
      formatDescription: .video(VideoFormatDescription(frames)), frameRates: [.fps25])
    let rig = try MovieRig(formats: [format], channels: 6)
    defer { rig.cleanUp() }
    rig.cameraDriver.state.withLock { state in
      state.metadata.masteringDisplay = MasteringDisplayColorVolume("p3-d65:1000:0.005")
      state.metadata.contentLightLevel = ContentLightLevel(
        maximum: 1000, maximumFrameAverage: 400)
    }
    rig.microphoneDriver.state.withLock {
      $0.metadata.channelLayout = AudioChannelLayout(name: "5.1")
    }
    // The option overrides what the source says.
    rig.output.options.contentLightLevel = ContentLightLevel(
      maximum: 900, maximumFrameAverage: 300)
    rig.output.maxRecordedFrameCount = 5
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<10, camera, microphone)
    }
    await rig.session.stop()
    #expect(report.movie.masteringDisplay != nil)
    let words = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=channel_layout:stream_side_data", "-of",
        "default=nw=1", rig.url.path,
      ]
    ).output
    #expect(words.contains("max_content=900") && words.contains("red_x=34000/50000"))
    #expect(words.contains("channel_layout=5.1"))
  }
}
