import CaptureTestSupport
import MediaCore
import Synchronization
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

/// What a session asks of its devices: formats, presets, frame rates and buffers.
@Suite(.timeLimit(.minutes(20)))
struct CaptureSessionFormatTests {
  @Test func changing_the_active_format_restarts_only_that_devices_stream() async throws {
    let rig = try Rig()
    rig.session.sessionPreset = .high
    try await rig.session.start()
    try rig.camera.configure { device throws(CaptureError) in
      try device.setActiveFormat(.frames(.uyvy))
    }
    #expect(rig.session.sessionPreset == .inputPriority)
    #expect(rig.cameraDriver.openings == 2)
    #expect(rig.microphoneDriver.openings == 1)
    let request = try #require(rig.cameraDriver.state.withLock { $0.requests.last })
    #expect(request.format == .frames(.uyvy))
    await rig.session.stop()
  }

  @Test func a_format_chosen_after_a_preset_in_a_transaction_is_kept() throws {
    let small = CaptureDevice.Format.frames(.uyvy, 1280, 720)
    let device = CaptureDevice(
      driver: ScriptedDriver(formats: [.frames(.v210, 1920, 1080), small]))
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(small) }
    // The preset asks for the best format; the later choice is the format that the device already
    // has.
    session.beginConfiguration()
    session.sessionPreset = .high
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(small) }
    session.commitConfiguration()
    #expect(device.activeFormat == small)
    #expect(session.sessionPreset == .inputPriority)
  }

  @Test func a_preset_chooses_formats_or_is_refused() throws {
    let driver = ScriptedDriver(formats: [
      .frames(.v210, 3840, 2160), .frames(.v210, 1920, 1080), .frames(.uyvy, 1280, 720),
    ])
    let device = CaptureDevice(driver: driver)
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    #expect(session.sessionPreset == .inputPriority)
    session.sessionPreset = .hd1280x720
    #expect(device.activeFormat == .frames(.uyvy, 1280, 720))
    #expect(session.sessionPreset == .hd1280x720)
    driver.state.withLock { _ = $0.formats.removeLast() }
    try device.queryFormats()
    #expect(!session.canSetSessionPreset(.hd1280x720))
    #expect(session.canSetSessionPreset(.hd1920x1080))
    #expect(!session.canSetSessionPreset(CaptureSession.Preset(rawValue: "nonsense")))
  }

  @Test func setting_a_rate_keeps_the_preset_and_changes_the_format() throws {
    let (slow, fast) = (
      CaptureDevice.Format.frames(.v210, 1280, 720, rates: [.fps25]),
      CaptureDevice.Format.frames(.uyvy, 1280, 720, rates: [.fps25, .fps50])
    )
    let device = CaptureDevice(
      driver: ScriptedDriver(formats: [
        .frames(.v210, 1920, 1080, rates: [.fps25, .fps50]), slow, fast,
      ]))
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    session.sessionPreset = .hd1280x720
    #expect(device.activeFormat == slow)
    try device.lockForConfiguration()
    device.activeVideoMinFrameDuration = FrameRate.fps50.frameDuration
    device.activeVideoMaxFrameDuration = FrameRate.fps50.frameDuration
    device.unlockForConfiguration()
    #expect(session.sessionPreset == .hd1280x720)
    #expect(device.activeFormat == fast && device.activeFrameRate == .fps50)
    session.sessionPreset = .hd1920x1080
    #expect(device.activeFormat?.dimensions == VideoDimensions(width: 1920, height: 1080))
    #expect(device.activeFrameRate == .fps50)
  }

  @Test func a_device_without_a_format_for_the_chosen_preset_is_not_added() throws {
    let device = CaptureDevice(driver: ScriptedDriver(formats: [.frames(.v210, 1920, 1080)]))
    let input = try CaptureDeviceInput(device: device)
    let session = CaptureSession()
    session.sessionPreset = .hd1280x720
    #expect(!session.canAddInput(input))
    #expect(throws: CaptureError.self) { try session.add(input) }
    session.sessionPreset = .high
    #expect(session.canAddInput(input))
    try session.add(input)
  }

  @Test func the_start_timecode_and_the_rate_reach_the_device() async throws {
    let rig = try Rig()
    let format = try #require(TimecodeFormat(frameRate: .fps25, isDropFrame: false))
    let timecode = Timecode(frameNumber: 90_000, format: format)
    rig.cameraInput.startTimecode = timecode
    rig.cameraInput.bufferCount = 1
    try await rig.session.start()
    let request = try #require(rig.cameraDriver.state.withLock { $0.requests.last })
    #expect(request.startTimecode == timecode)
    #expect(request.frameRate == .fps25)
    #expect(request.bufferCount == 2)
    await rig.session.stop()
  }

  @Test(arguments: [
    (PixelFormat.v210, 1920, 1080, FrameRate.fps25, 13), (.v210, 1920, 1080, .fps60, 30),
    (.p210, 1280, 720, .fps24, 12), (.p210, 1920, 1080, .fps60, 28),
    (.v210, 3840, 2160, .fps60, 10),
    (.p210, 3840, 2160, .fps60, 8), (.v210, 7680, 4320, .fps25, 8),
  ])
  func a_device_gets_buffers_for_half_a_second(
    _ layout: PixelFormat, _ width: Int, _ height: Int, _ rate: FrameRate, _ count: Int
  ) async throws {
    let slow = try #require(FrameRate(5, 1))
    let camera = ScriptedDriver(formats: [.frames(layout, width, height, rates: [rate, slow])])
    let input = try CaptureDeviceInput(device: CaptureDevice(driver: camera))
    #expect(input.bufferCount == count)
    let session = CaptureSession()
    try session.add(input)
    try session.add(RecordingOutput(.video))
    try await session.start()
    #expect(camera.state.withLock { $0.requests.last?.bufferCount } == count)
    try input.device.configure { device throws(CaptureError) in
      try device.setActiveFrameRate(slow)
    }
    #expect(camera.state.withLock { $0.requests.last?.bufferCount } == 8)
    await session.stop()
    input.bufferCount = 5
    #expect(input.bufferCount == 5)
    let audio = ScriptedDriver("alsa:test", mediaType: .audio, formats: [.audio()])
    #expect(try CaptureDeviceInput(device: CaptureDevice(driver: audio)).bufferCount == 8)
  }

  @Test func buffers_hold_half_a_second_or_224_mb_and_never_fewer_than_eight() {
    for layout in [PixelFormat.v210, .p210, .uyvy, .yuv444p12] {
      for (width, height) in [(320, 180), (1920, 1080), (3840, 2160), (8192, 4320)] {
        for rate in FrameRate.standard {
          let count = CaptureStreamRequest.bufferCount(
            for: .frames(layout, width, height, rates: [rate]), rate)
          let bytes = layout.byteCount(width: width, height: height)
          #expect((8...32).contains(count))
          #expect(count == 8 || count * bytes <= 224 << 20, "\(layout) \(width) at \(rate)")
          let isFull = count == 32 || (count + 1) * bytes > 224 << 20
          #expect(isFull || Double(count) >= rate.framesPerSecond / 2)
          #expect(count == 8 || Double(count - 1) < rate.framesPerSecond / 2)
        }
      }
    }
  }
}
