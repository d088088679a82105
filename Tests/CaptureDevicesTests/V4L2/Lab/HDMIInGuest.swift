import MediaCore
import Testing

@testable import CaptureDevices

/// An HDMI receiver and the multi-planar interface, with the kernel's test driver.
extension InGuest {
  @Suite(.serialized) struct HDMI {
    static let node = "/dev/video1"
    let receiver: V4L2DeviceDriver

    init() throws {
      receiver = try V4L2DeviceDriver(identifier: Self.node)
      // Mode 0 signals the present timings, mode 4 those chosen by number.
      try signal("dv_timings_signal_mode=0")
    }

    private func signal(_ settings: String) throws { try Guest.control(Self.node, settings) }

    /// The format of this code, which has the one size of the present signal.
    private func format(_ code: FourCharCode) throws -> CaptureDevice.Format {
      try #require(try receiver.formats().first { $0.nativeCode == code })
    }

    @Test func the_signal_determines_size_and_rate() throws {
      let signal = try #require(try receiver.detectedTimings())
      #expect(try !receiver.supportedTimings().isEmpty)
      let formats = try receiver.formats()
      #expect(formats.allSatisfy { $0.dimensions.width == signal.width })
      #expect(formats.allSatisfy { $0.frameRates.first == signal.frameRate })
      let inputs = try receiver.inputs()
      #expect(inputs.count == 1 && inputs[0].hasDigitalTimings && inputs[0].status.hasSignal)
      let y210 = try #require(formats.first { $0.nativeCode == "Y210" })
      #expect(y210.video?.color == .bt709)
      let recording = try receiver.record(y210)
      try recording.frames(5)
      recording.stream.stop()
      #expect(recording.stream.timings?.matches(signal) == true)
      #expect(recording.lost == recording.gaps)
    }

    @Test(arguments: [(1, "signalLost"), (2, "signalLost"), (3, "formatUnavailable")])
    func an_unusable_signal_is_reported_by_cause(_ mode: Int, _ code: String) throws {
      let format = try format("YUYV")
      try signal("dv_timings_signal_mode=\(mode)")
      defer { try? signal("dv_timings_signal_mode=0") }
      let error = #expect(throws: CaptureError.self) {
        _ = try receiver.openV4L2Stream(CaptureStreamRequest(format: format))
      }
      #expect(error?.code.name == code)
      #expect(throws: CaptureError.self) { _ = try receiver.detectedTimings() }
      #expect(try !receiver.formats().isEmpty)
    }

    @Test func loss_and_return_of_the_signal_are_reported() throws {
      let recording = try receiver.record(try format("YUYV"))
      try recording.frames(3)
      try signal("dv_timings_signal_mode=1")
      _ = try Guest.wait(for: "the loss") { recording.others == ["signalLost"] ? true : nil }
      try signal("dv_timings_signal_mode=0")
      _ = try Guest.wait(for: "the return") {
        recording.others == ["signalLost", "signalRestored"] ? true : nil
      }
      try recording.frames(recording.frames.count + 2)
      recording.stream.stop()
      #expect(recording.failure == nil)
    }

    @Test func a_changed_signal_ends_the_stream_and_can_be_recorded() throws {
      let before = try format("YUYV")
      let recording = try receiver.record(before)
      try recording.frames(3)
      // Number 10 in vivid's list of timings: 1920x1080 at 24 fps.
      try signal("dv_timings_signal_mode=4,dv_timings=10")
      defer { try? signal("dv_timings_signal_mode=0") }
      try recording.end()
      recording.stream.stop()
      #expect(recording.others.last == "formatChanged")
      let after = try format("YUYV")
      #expect(after.dimensions == VideoDimensions(width: 1920, height: 1080))
      #expect(after.frameRates.contains(.fps24))
      let again = try receiver.record(after)
      try again.frames(2)
      again.stream.stop()
      #expect(again.frames.first?.details.width == 1920)
    }
  }

  @Suite(.serialized) struct MultiPlanar {
    let device: V4L2DeviceDriver

    init() throws { device = try V4L2DeviceDriver(identifier: "/dev/video2") }

    @Test func both_inputs_are_listed_and_the_current_one_kept() throws {
      #expect(try device.inputs().count == 2)
      try device.selectInput(0)
      let formats = try device.formats()
      #expect(Set(formats.compactMap(\.inputIndex)) == [0, 1])
      #expect(try device.currentInput() == 0)
    }

    @Test(arguments: ["NM16", "YM16", "NV16", "YM12"])
    func planes_in_separate_blocks_arrive(_ code: String) throws {
      let format = try Guest.format(
        device, try #require(FourCharCode(code)), 320, 180, input: 0)
      let recording = try device.record(format, keeping: 1)
      try recording.frames(3)
      recording.stream.stop()
      let layout = try #require(format.video?.pixelFormat)
      #expect(recording.frames.allSatisfy { !$0.isDamaged && $0.details.format == layout })
      #expect(recording.bytes.count == layout.byteCount(width: 320, height: 180))
      let chroma = recording.bytes.dropFirst(320 * 180).prefix(320)
      #expect(Set(chroma).count > 2, "chroma is there")
    }
  }
}
