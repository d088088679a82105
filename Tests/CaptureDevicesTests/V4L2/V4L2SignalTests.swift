import CVideo4Linux
import Foundation
import MediaCore
import SystemPackage
import Testing

@testable import CaptureDevices

/// Digital signals: their timings, and what happens to a stream when they go, come or change.
@Suite struct V4L2SignalTests {
  private static func timings(
    _ width: UInt32, _ height: UInt32, total: (UInt32, UInt32), clock: UInt64,
    interlaced: Bool = false, flags: Int32 = 0
  ) -> v4l2_dv_timings {
    var raw = v4l2_dv_timings()
    raw.type = UInt32(V4L2_DV_BT_656_1120)
    raw.bt.width = width
    raw.bt.height = height
    raw.bt.hsync = total.0 - width
    raw.bt.vsync = total.1 - height
    raw.bt.interlaced = interlaced ? 1 : 0
    raw.bt.pixelclock = clock
    raw.bt.flags = UInt32(bitPattern: flags)
    return raw
  }

  private static let hd = timings(64, 32, total: (88, 45), clock: 99_000)

  /// The figures of CEA-861, and how receivers report them.
  @Test func rates_follow_from_the_pixel_clock() {
    func rate(_ raw: v4l2_dv_timings) -> FrameRate? { V4L2Timings(raw).frameRate }
    #expect(rate(Self.timings(1920, 1080, total: (2200, 1125), clock: 148_500_000)) == .fps60)
    #expect(rate(Self.timings(1920, 1080, total: (2200, 1125), clock: 148_351_648)) == .fps59_94)
    #expect(rate(Self.timings(1920, 1080, total: (2640, 1125), clock: 148_500_000)) == .fps50)
    #expect(rate(Self.timings(1920, 1080, total: (2750, 1125), clock: 74_175_824)) == .fps23_976)
    #expect(
      rate(Self.timings(1920, 1080, total: (2640, 1125), clock: 74_250_000, interlaced: true))
        == .fps25)
    #expect(rate(Self.timings(3840, 2160, total: (4400, 2250), clock: 297_000_000)) == .fps30)
    #expect(rate(Self.timings(1920, 1080, total: (1920, 1080), clock: 0)) == nil)
    let lowered =
      Int32(V4L2_DV_FL_REDUCED_FPS) | Int32(V4L2_DV_FL_CAN_DETECT_REDUCED_FPS)
    #expect(
      rate(Self.timings(1920, 1080, total: (2200, 1125), clock: 148_500_000, flags: lowered))
        == .fps59_94)
  }

  /// As reported by a driver that reads a source's size while it changes: porches wrap below 0.
  @Test func negative_blanking_gives_no_rate() {
    var raw = Self.timings(1920, 1080, total: (2200, 1125), clock: 148_500_000, interlaced: true)
    (raw.bt.hfrontporch, raw.bt.hsync, raw.bt.hbackporch) = (.max, .max, .max)
    (raw.bt.vfrontporch, raw.bt.vsync, raw.bt.vbackporch) = (.max, .max, .max)
    (raw.bt.il_vfrontporch, raw.bt.il_vsync, raw.bt.il_vbackporch) = (.max, .max, .max)
    let timings = V4L2Timings(raw)
    #expect(timings.frameRate == nil && timings.matches(timings))
  }

  @Test func signals_with_equal_clocks_differ_by_rate() {
    let hd60 = V4L2Timings(Self.timings(1920, 1080, total: (2200, 1125), clock: 148_500_000))
    let hd50 = V4L2Timings(Self.timings(1920, 1080, total: (2640, 1125), clock: 148_500_000))
    let hd24 = V4L2Timings(Self.timings(1920, 1080, total: (2750, 1125), clock: 74_250_000))
    let hd25 = V4L2Timings(Self.timings(1920, 1080, total: (2640, 1125), clock: 74_250_000))
    #expect(!hd60.matches(hd50) && !hd50.matches(hd60) && !hd24.matches(hd25))
    let measured = V4L2Timings(Self.timings(1920, 1080, total: (2201, 1125), clock: 148_400_000))
    #expect(hd60.matches(measured))
    // A receiver that measures no blanking.
    let plain = V4L2Timings(Self.timings(1920, 1080, total: (1920, 1080), clock: 148_500_000))
    #expect(hd60.matches(plain) && plain.matches(hd50))
  }

  @Test func a_receiver_that_cannot_distinguish_60_from_59_94_offers_both() {
    let raw = Self.timings(1920, 1080, total: (2200, 1125), clock: 148_500_000)
    #expect(V4L2FormatEnumerator.rates(of: V4L2Timings(raw)).list == [.fps60, .fps59_94])
    let exact = Self.timings(
      1920, 1080, total: (2200, 1125), clock: 148_500_000,
      flags: Int32(V4L2_DV_FL_CAN_DETECT_REDUCED_FPS))
    #expect(V4L2FormatEnumerator.rates(of: V4L2Timings(exact)).list == [.fps60])
  }

  private func kernel() -> FakeKernel {
    FakeKernel(["/dev/video0": FakeDevice(signal: .success(Self.hd), timings: Self.hd)])
  }

  private func start(_ kernel: FakeKernel) throws -> Recording {
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    return try driver.record(try #require(try driver.formats().first))
  }

  /// Standard definition by its declared aspect ratio, by its video code, and by neither.
  @Test func pixel_shape_follows_the_signals_aspect_ratio() throws {
    var raw = Self.timings(720, 576, total: (864, 625), clock: 27_000_000)
    #expect(V4L2Timings(raw).pixelAspectRatio == nil)
    raw.bt.cea861_vic = 18
    #expect(V4L2Timings(raw).pixelAspectRatio == nil, "the code is not flagged")
    raw.bt.flags = UInt32(V4L2_DV_FL_HAS_CEA861_VIC)
    #expect(V4L2Timings(raw).pixelAspectRatio == PixelAspectRatio(64, 45))
    raw.bt.flags |= UInt32(V4L2_DV_FL_HAS_PICTURE_ASPECT)
    #expect(V4L2Timings(raw).pixelAspectRatio == PixelAspectRatio(64, 45), "0 of 0 gives no ratio")
    raw.bt.picture_aspect = v4l2_fract(numerator: 4, denominator: 3)
    #expect(V4L2Timings(raw).pixelAspectRatio == PixelAspectRatio(16, 15))

    let kernel = FakeKernel([
      "/dev/video0": FakeDevice(
        sizes: .list([(720, 576)]), width: 720, height: 576, signal: .success(raw), timings: raw)
    ])
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    let format = try #require(try driver.formats().first)
    #expect(format.video?.pixelAspectRatio == PixelAspectRatio(16, 15))
    let stream = try driver.openV4L2Stream(CaptureStreamRequest(format: format))
    stream.stop()
    #expect(stream.formatDescription == format.formatDescription)
  }

  @Test(arguments: [
    (Errno.noLink, "signalLost"), (.noLocks, "signalLost"), (.outOfRange, "formatUnavailable"),
    (.deviceGone, "deviceDisconnected"),
  ])
  func an_unusable_signal_prevents_streaming(_ error: Errno, _ code: String) throws {
    let kernel = kernel()
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    let format = try #require(try driver.formats().first)
    kernel.change { $0.signal = .failure(error) }
    let refusal = #expect(throws: CaptureError.self) {
      _ = try driver.openV4L2Stream(CaptureStreamRequest(format: format))
    }
    #expect(refusal?.code.name == code)
    #expect(kernel.leaks == (0, 0))
  }

  @Test func signal_loss_follows_events_and_the_inputs_status() throws {
    let kernel = kernel()
    let recording = try start(kernel)
    kernel.change {
      $0.signal = .failure(.noLink)
      $0.events = [UInt32(V4L2_EVENT_SOURCE_CHANGE)]
    }
    _ = try Guest.wait(for: "the loss") { recording.others == ["signalLost"] ? true : nil }
    // Longer than the limit for a stall: without a signal, silence is no fault of the device.
    kernel.advance(milliseconds: 20_000)
    kernel.change { $0.signal = .success(Self.hd) }
    kernel.advance(milliseconds: 600)
    _ = try Guest.wait(for: "the return") {
      recording.others == ["signalLost", "signalRestored"] ? true : nil
    }
    kernel.change { $0.inputStatus = UInt32(V4L2_IN_ST_NO_SIGNAL) }
    kernel.advance(milliseconds: 600)
    _ = try Guest.wait(for: "the second loss") { recording.others.count == 3 ? true : nil }
    recording.stream.stop()
    #expect(recording.failure == nil)
  }

  @Test func a_changed_signal_ends_the_stream() throws {
    for signal in [
      Result<v4l2_dv_timings, Errno>.success(
        Self.timings(128, 32, total: (160, 45), clock: 99_000)),
      .failure(.outOfRange),
    ] {
      let kernel = kernel()
      let recording = try start(kernel)
      kernel.change {
        $0.signal = signal
        $0.events = [UInt32(V4L2_EVENT_SOURCE_CHANGE)]
      }
      try recording.end()
      recording.stream.stop()
      #expect(recording.others == ["formatChanged"])
    }
  }

  @Test func an_end_of_stream_event_ends_the_stream() throws {
    let kernel = kernel()
    let recording = try start(kernel)
    kernel.change { $0.events = [UInt32(V4L2_EVENT_EOS)] }
    try recording.end()
    recording.stream.stop()
    #expect(recording.others == ["ended"])
  }
}
