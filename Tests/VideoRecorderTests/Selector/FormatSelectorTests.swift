import CaptureTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

@Suite struct FormatSelectorTests {
  private func device(_ formats: [CaptureDevice.Format]) -> CaptureDevice {
    CaptureDevice(driver: ScriptedDriver(formats: formats))
  }

  @Test func the_best_tier_comes_first_regardless_of_size() throws {
    let device = device([
      .frames(.uyvy, 3840, 2160), .frames(.y216, 1920, 1080), .frames(.v210, 1280, 720),
    ])
    #expect(try device.findFormat().video?.pixelFormat == .v210)
    #expect(device.activeFormat?.video?.pixelFormat == .v210)
  }

  @Test(arguments: [
    PixelFormat.v210, .y210, .p210, .nv20, .yuv422p10,
  ])
  func any_10_bit_422_layout_matches_x422_as_in_the_technote(_ format: PixelFormat) throws {
    let device = device([.frames(.nv12), .frames(.p010), .frames(format)])
    let found = try device.findFormat(where: FormatCriteria(mediaSubType: "x422"))
    #expect(found.video?.pixelFormat == format)
    let byClosure = device.findFormat { $0.video?.mediaSubType == "x422" }
    #expect(byClosure == found)
  }

  @Test func formats_are_filtered_by_size_rate_field_order_and_layout() throws {
    let wanted = CaptureDevice.Format.frames(
      .y210, 1920, 1080, rates: [.fps25], fieldOrder: .topFieldFirst)
    let device = device([
      .frames(.y210, 1920, 1080, rates: [.fps50, .fps25]),
      .frames(.v210, 1920, 1080, rates: [.fps29_97], fieldOrder: .topFieldFirst),
      .frames(.y210, 1280, 720, rates: [.fps25], fieldOrder: .topFieldFirst),
      wanted,
    ])
    let found = try device.findFormat(
      where: FormatCriteria(
        pixelFormats: [.y210], dimensions: VideoDimensions(width: 1920, height: 1080),
        frameRate: .fps25, fieldOrder: .topFieldFirst))
    #expect(found == wanted)
  }

  @Test func a_rate_within_a_range_is_found() throws {
    var format = CaptureDevice.Format.frames(.v210, rates: [])
    format.videoSupportedFrameRateRanges = [
      CaptureDevice.FrameRateRange(minFrameRate: .fps24, maxFrameRate: .fps60)
    ]
    let device = device([format])
    #expect(throws: Never.self) {
      try device.findFormat(where: FormatCriteria(frameRate: .fps29_97))
    }
    let slow = try #require(FrameRate(10))
    #expect(throws: CaptureError.self) {
      try device.findFormat(where: FormatCriteria(frameRate: slow))
    }
  }

  @Test func refusing_8_bit_formats_names_them_and_the_fallback() throws {
    let device = device([.frames(.yuyv, 1280, 720), .frames(.nv12, 1920, 1080)])
    let error = #expect(throws: CaptureError.self) { try device.findFormat() }
    let message = try #require(error?.message)
    #expect(error?.code == .formatUnavailable)
    #expect(message.contains("YUYV (tier 3)"))
    #expect(message.contains("NV12 (tier 5"))
    #expect(message.contains("allow a fallback to tier 3"))
    #expect(!message.contains("\n"))
    let allowed = FormatCriteria(allowedTiers: FormatTier.eightBit422.andBetter)
    #expect(try device.findFormat(where: allowed).video?.pixelFormat == .yuyv)
  }

  @Test func an_unmet_rate_size_or_codec_is_named() throws {
    let device = device([.frames(.v210, 1920, 1080, rates: [.fps25])])
    func message(_ criteria: FormatCriteria) -> String {
      do { return try "\(device.findFormat(where: criteria))" } catch { return error.message }
    }
    #expect(message(FormatCriteria(frameRate: .fps24)).contains("its rates are"))
    #expect(
      message(FormatCriteria(dimensions: VideoDimensions(width: 640, height: 480)))
        .contains("its sizes are"))
    #expect(message(FormatCriteria(codec: .proRes4444)).contains("422 family"))
  }

  @Test func codec_4444_selects_only_444_formats() throws {
    let device = device([.frames(.v210), .frames(.yuv444p12)])
    #expect(
      try device.findFormat(where: FormatCriteria(codec: .proRes4444)).video?.pixelFormat
        == .yuv444p12)
  }

  @Test func undecodable_formats_are_listed_but_never_chosen() throws {
    var jpeg = CaptureDevice.Format.frames(.uyvy, 1920, 1080)
    jpeg.formatDescription = .video(
      VideoFormatDescription(
        codec: "MJPG", dimensions: VideoDimensions(width: 1920, height: 1080)))
    jpeg.nativeCode = "MJPG"
    let any = FormatCriteria(allowedTiers: Set(FormatTier.allCases))
    let both = device([jpeg, .frames(.nv12, 640, 360)])
    #expect(try both.findFormat(where: any).video?.pixelFormat == .nv12)
    #expect(FormatSelector.ordered(both.formats).count == 2)
    let error = #expect(throws: CaptureError.self) { try device([jpeg]).findFormat(where: any) }
    #expect(error?.message.contains("MJPG") == true)
    #expect(error?.message.contains("choose another device") == true)
    #expect(error?.message.contains("fallback") == false)
  }

  @Test func an_audio_device_is_refused_where_video_is_wanted() {
    let error = #expect(throws: CaptureError.self) { try device([.audio()]).findFormat() }
    #expect(error?.message.contains("as the audio device") == true)
  }

  @Test func emulated_formats_never_count_as_10_bit() {
    let device = device([.frames(.yuv422p10, emulated: true)])
    #expect(throws: CaptureError.self) { try device.findFormat() }
  }

  @Test func bayer_formats_are_chosen_only_for_photos() {
    let formats: [CaptureDevice.Format] = [
      .frames(.yuyv, 1920, 1080), .frames(.rggb8, 1280, 720), .frames(.bggr10, 1280, 720),
    ]
    #expect(FormatSelector.ordered(formats) == [formats[0]])
    #expect(FormatSelector.bestForPhotos(formats) == formats[2])
    #expect(formats[1].tier == nil && formats[1].videoCodecTypes.isEmpty)
  }

  @Test func the_order_is_independent_of_the_devices_list_order() {
    var formats: [CaptureDevice.Format] = []
    for format in PixelFormat.allCases where !format.isBayer {
      formats.append(.frames(format, 1920, 1080))
      formats.append(.frames(format, 1280, 720, rates: [.fps60, .fps50]))
    }
    let expected = FormatSelector.ordered(formats).map {
      [$0.tier?.rawValue ?? 0, $0.dimensions.width]
    }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      formats.shuffle(using: &generator)
      let order = FormatSelector.ordered(formats)
      #expect(order.map { [$0.tier?.rawValue ?? 0, $0.dimensions.width] } == expected)
      #expect(order.count == formats.count)
    }
  }

  @Test func audio_prefers_48_khz_24_bits_and_two_channels() throws {
    let device = CaptureDevice(
      driver: ScriptedDriver(
        "alsa:test", mediaType: .audio,
        formats: [
          .audio(44_100), .audio(48_000, channels: 8), .audio(48_000, .int16), .audio(48_000),
        ]))
    #expect(try device.findAudioFormat() == .audio(48_000))
    #expect(device.activeFormat == .audio(48_000))
    #expect(
      try device.findAudioFormat(where: AudioFormatCriteria(channelCount: 8)).audio?.channelCount
        == 8)
    let error = #expect(throws: CaptureError.self) {
      try device.findAudioFormat(where: AudioFormatCriteria(sampleRate: 96_000))
    }
    #expect(error?.message.contains("96000 Hz") == true)
  }

  @Test func a_device_without_formats_reports_the_cause() {
    let driver = ScriptedDriver(formats: [])
    driver.state.withLock { $0.formatsError = CaptureError(.deviceDisconnected, "gone", errno: 19) }
    let device = CaptureDevice(driver: driver)
    let error = #expect(throws: CaptureError.self) { try device.findFormat() }
    #expect(error?.code == .deviceDisconnected)
    #expect(device.formats.isEmpty)
    #expect(device.activeFormat == nil)
  }
}
