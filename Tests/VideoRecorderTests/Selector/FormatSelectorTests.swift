import CaptureTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

@Suite("Format selector")
struct FormatSelectorTests {
  private func device(_ formats: [CaptureDevice.Format]) -> CaptureDevice {
    CaptureDevice(driver: ScriptedDriver(formats: formats))
  }

  @Test("the best tier comes first, whatever its size")
  func tierBeforeSize() throws {
    let device = device([
      .pictures(.uyvy, 3840, 2160), .pictures(.y216, 1920, 1080), .pictures(.v210, 1280, 720),
    ])
    #expect(try device.findFormat().video?.pixelFormat == .v210)
    #expect(device.activeFormat?.video?.pixelFormat == .v210)
  }

  @Test(
    "any 10-bit 4:2:2 layout answers x422, as the Technote asks",
    arguments: [
      PixelFormat.v210, .y210, .p210, .nv20, .yuv422p10,
    ])
  func classX422(_ format: PixelFormat) throws {
    let device = device([.pictures(.nv12), .pictures(.p010), .pictures(format)])
    let found = try device.findFormat(where: FormatCriteria(mediaSubType: "x422"))
    #expect(found.video?.pixelFormat == format)
    let byClosure = device.findFormat { $0.video?.mediaSubType == "x422" }
    #expect(byClosure == found)
  }

  @Test("size, rate, field order and layout each filter")
  func filters() throws {
    let wanted = CaptureDevice.Format.pictures(
      .y210, 1920, 1080, rates: [.fps25], fieldOrder: .topFieldFirst)
    let device = device([
      .pictures(.y210, 1920, 1080, rates: [.fps50, .fps25]),
      .pictures(.v210, 1920, 1080, rates: [.fps29_97], fieldOrder: .topFieldFirst),
      .pictures(.y210, 1280, 720, rates: [.fps25], fieldOrder: .topFieldFirst),
      wanted,
    ])
    let found = try device.findFormat(
      where: FormatCriteria(
        pixelFormats: [.y210], dimensions: VideoDimensions(width: 1920, height: 1080),
        frameRate: .fps25, fieldOrder: .topFieldFirst))
    #expect(found == wanted)
  }

  @Test("a rate inside a range is had")
  func ranges() throws {
    var format = CaptureDevice.Format.pictures(.v210, rates: [])
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

  @Test("8-bit pictures are refused, with the device's formats and the fallback in the message")
  func refusal() throws {
    let device = device([.pictures(.yuyv, 1280, 720), .pictures(.nv12, 1920, 1080)])
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

  @Test("a missing rate, size or codec is named as what to give up")
  func remedies() throws {
    let device = device([.pictures(.v210, 1920, 1080, rates: [.fps25])])
    func message(_ criteria: FormatCriteria) -> String {
      do { return try "\(device.findFormat(where: criteria))" } catch { return error.message }
    }
    #expect(message(FormatCriteria(frameRate: .fps24)).contains("its rates are"))
    #expect(
      message(FormatCriteria(dimensions: VideoDimensions(width: 640, height: 480)))
        .contains("its sizes are"))
    #expect(message(FormatCriteria(codec: .proRes4444)).contains("422 family"))
  }

  @Test("4444 takes only 4:4:4")
  func codec4444() throws {
    let device = device([.pictures(.v210), .pictures(.yuv444p12)])
    #expect(
      try device.findFormat(where: FormatCriteria(codec: .proRes4444)).video?.pixelFormat
        == .yuv444p12)
  }

  @Test("compressed pictures that nothing here decodes are listed, but never chosen")
  func compressed() throws {
    var jpeg = CaptureDevice.Format.pictures(.uyvy, 1920, 1080)
    jpeg.formatDescription = .video(
      VideoFormatDescription(
        codec: "MJPG", dimensions: VideoDimensions(width: 1920, height: 1080)))
    jpeg.nativeCode = "MJPG"
    let any = FormatCriteria(allowedTiers: Set(FormatTier.allCases))
    let both = device([jpeg, .pictures(.nv12, 640, 360)])
    #expect(try both.findFormat(where: any).video?.pixelFormat == .nv12)
    #expect(FormatSelector.ordered(both.formats).count == 2)
    let error = #expect(throws: CaptureError.self) { try device([jpeg]).findFormat(where: any) }
    #expect(error?.message.contains("MJPG") == true)
    #expect(error?.message.contains("choose another device") == true)
    #expect(error?.message.contains("fallback") == false)
  }

  @Test("a device of sound alone says so where pictures are wanted")
  func soundAlone() {
    let error = #expect(throws: CaptureError.self) { try device([.sound()]).findFormat() }
    #expect(error?.message.contains("as the audio device") == true)
  }

  @Test("emulated pictures never pass for 10-bit")
  func emulation() {
    let device = device([.pictures(.yuv422p10, emulated: true)])
    #expect(throws: CaptureError.self) { try device.findFormat() }
  }

  @Test("a sensor's mosaic is for stills: no movie is made of it, and photos prefer it")
  func mosaicsAreForStills() {
    let formats: [CaptureDevice.Format] = [
      .pictures(.yuyv, 1920, 1080), .pictures(.rggb8, 1280, 720), .pictures(.bggr10, 1280, 720),
    ]
    #expect(FormatSelector.ordered(formats) == [formats[0]])
    #expect(FormatSelector.bestForPhotos(formats) == formats[2])
    #expect(formats[1].tier == nil && formats[1].videoCodecTypes.isEmpty)
  }

  @Test("the order does not depend on the order that a device lists")
  func orderIsStable() {
    var formats: [CaptureDevice.Format] = []
    for format in PixelFormat.allCases where !format.isBayer {
      formats.append(.pictures(format, 1920, 1080))
      formats.append(.pictures(format, 1280, 720, rates: [.fps60, .fps50]))
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

  @Test("sound: 48 kHz, 24 bits and two channels are preferred, and what was asked is had")
  func sound() throws {
    let device = CaptureDevice(
      driver: ScriptedDriver(
        "alsa:test", mediaType: .audio,
        formats: [
          .sound(44_100), .sound(48_000, channels: 8), .sound(48_000, .int16), .sound(48_000),
        ]))
    #expect(try device.findAudioFormat() == .sound(48_000))
    #expect(device.activeFormat == .sound(48_000))
    #expect(
      try device.findAudioFormat(where: AudioFormatCriteria(channelCount: 8)).audio?.channelCount
        == 8)
    let error = #expect(throws: CaptureError.self) {
      try device.findAudioFormat(where: AudioFormatCriteria(sampleRate: 96_000))
    }
    #expect(error?.message.contains("96000 Hz") == true)
  }

  @Test("a device that does not answer says why")
  func deadDevice() {
    let driver = ScriptedDriver(formats: [])
    driver.state.withLock { $0.formatsError = CaptureError(.deviceDisconnected, "gone", errno: 19) }
    let device = CaptureDevice(driver: driver)
    let error = #expect(throws: CaptureError.self) { try device.findFormat() }
    #expect(error?.code == .deviceDisconnected)
    #expect(device.formats.isEmpty)
    #expect(device.activeFormat == nil)
  }
}
