import Foundation
import MediaCore
import SystemPackage
import Testing

@testable import CaptureDevices

/// The camera of the kernel's test driver, and its faults.
extension InGuest {
  @Suite(.serialized) struct Vivid {
    let camera: V4L2DeviceDriver

    init() throws { camera = try V4L2DeviceDriver(identifier: "/dev/video0") }

    private func yuyv() throws -> CaptureDevice.Format {
      try Guest.format(camera, "YUYV", 320, 180)
    }

    // MARK: Who and what

    @Test func devices_are_found_under_their_bus_paths() throws {
      let devices = V4L2DeviceDriver.discover().map(\.identity)
      #expect(
        devices.map(\.uniqueID) == [
          "v4l2:platform:vivid-000", "v4l2:platform:vivid-001", "v4l2:platform:vivid-002",
        ], "loopback devices without a feeder capture nothing")
      #expect(devices.map(\.node) == ["/dev/video0", "/dev/video1", "/dev/video2"])
      let again = try V4L2DeviceDriver(identifier: "v4l2:platform:vivid-001")
      #expect(again.identity == devices[1])
      #expect(again.isConnected)
      #expect(try V4L2DeviceDriver(identifier: "v4l2:/dev/video1").identity == devices[1])
      #expect(throws: CaptureError.self) { try V4L2DeviceDriver(identifier: "/dev/video77") }
      #expect(throws: CaptureError.self) { try V4L2DeviceDriver(identifier: "v4l2:usb-none") }
      #expect(throws: CaptureError.self) { try V4L2DeviceDriver(identifier: "/dev/null") }
    }

    @Test func formats_have_sizes_rates_tiers_and_color() throws {
      let formats = try camera.formats()
      let y210 = formats.filter { $0.nativeCode == "Y210" }
      #expect(y210.map(\.dimensions.description).contains("1920x1080"))
      #expect(y210.allSatisfy { $0.tier == .native10Bit422 && $0.video?.mediaSubType == "x422" })
      let small = try Guest.format(camera, "Y210", 320, 180)
      #expect(small.frameRates.contains(.fps30) && small.frameRates.contains(.fps60))
      #expect(small.frameRates == small.frameRates.sorted(by: >))
      #expect(small.video?.pixelFormat == .y210)
      #expect(small.video?.color.range == .video)
      let codes = Set(formats.compactMap(\.nativeCode))
      for code in ["YUYV", "UYVY", "NV16", "NV12", "P210"] as [FourCharCode] {
        #expect(codes.contains(code))
      }
      let bayer = formats.first { $0.nativeCode == "RGGB" }
      #expect(bayer?.isEmulated == true && bayer?.video?.pixelFormat == .bgr24)
    }

    @Test func controls_are_listed_read_and_set() throws {
      let controls = try camera.controls()
      let brightness = try #require(controls.first { $0.name == "Brightness" })
      #expect(brightness.range == 0...255 && brightness.kind == .integer)
      try camera.setValue(77, of: brightness)
      #expect(try camera.value(of: brightness) == 77)
      try camera.setValue(brightness.defaultValue, of: brightness)
      // The kernel takes the nearest value in the control's range.
      try camera.setValue(9999, of: brightness)
      #expect(try camera.value(of: brightness) == 255)
      try camera.setValue(brightness.defaultValue, of: brightness)
      let pattern = try #require(controls.first { $0.name == "Test Pattern" })
      guard case .menu(let items) = pattern.kind else {
        Issue.record("the test pattern is not a menu: \(pattern.kind)")
        return
      }
      #expect(items.contains { $0.name.contains("75% Colorbar") })
      #expect(throws: CaptureError.self) { try camera.setValue(9999, of: pattern) }
    }

    // MARK: Frames

    @Test(arguments: ["YUYV", "UYVY", "NV16", "Y210", "P210", "NV12"] as [String])
    func frames_arrive_complete_and_on_time(_ code: String) throws {
      let format = try Guest.format(camera, try #require(FourCharCode(code)), 320, 180)
      let recording = try camera.record(format, rate: .fps25, keeping: 1)
      try recording.frames(10)
      recording.stream.stop()
      let frames = recording.frames
      #expect(recording.stream.frameRate == .fps25)
      #expect(recording.failure == nil)
      #expect(frames.allSatisfy { !$0.isDamaged && $0.details.format == format.video?.pixelFormat })
      var missing = 0
      for (before, after) in zip(frames, frames.dropFirst()) {
        let step = Int(try #require(after.sequence) - #require(before.sequence))
        missing += step - 1
        let frame = (after.time - before.time).seconds / Double(step)
        #expect(frame > 0.005 && frame < 0.2, "about 25 frames a second on a slow machine")
      }
      // The slow machine may itself drop a frame, but it must be reported.
      #expect(recording.lost == missing)
      let bytes = recording.bytes
      let pixelFormat = try #require(format.video?.pixelFormat)
      #expect(bytes.count == pixelFormat.byteCount(width: 320, height: 180))
      let row = bytes.prefix(1280)
      if code == "Y210" || code == "P210" {
        let low = stride(from: 0, to: 640, by: 2).allSatisfy { row[$0] & 0x3F == 0 }
        #expect(low, "10 bits at the top of 16")
      }
      #expect(Set(row).count > 4, "the frame is not blank")
    }

    @Test func an_unsupported_rate_is_refused() throws {
      let error = #expect(throws: CaptureError.self) {
        _ = try camera.openV4L2Stream(
          CaptureStreamRequest(format: try yuyv(), frameRate: FrameRate(17)))
      }
      #expect(error?.code == .formatUnavailable)
    }

    @Test func emulated_formats_are_decoded_by_libv4l2() throws {
      let format = try Guest.format(camera, "RGGB", 320, 180)
      let recording = try camera.record(format, keeping: 1)
      try recording.frames(3)
      recording.stream.stop()
      #expect(recording.frames.first?.details.format == .bgr24)
      #expect(recording.bytes.count == 320 * 180 * 3)
      #expect(Set(recording.bytes.prefix(960)).count > 2)
    }

    // MARK: Losses and damage

    @Test func every_dropped_frame_is_counted() throws {
      try Guest.control("/dev/video0", "percentage_of_dropped_buffers=30")
      defer { try? Guest.control("/dev/video0", "percentage_of_dropped_buffers=0") }
      let recording = try camera.record(try yuyv(), rate: .fps50)
      let frames = try recording.frames(60)
      recording.stream.stop()
      let missing = recording.gaps
      #expect(missing > 5)
      #expect(recording.lost == missing)
      #expect(recording.stream.statistics.sequenceGaps == missing)
      #expect(recording.losses.allSatisfy { $0.reason == .deviceSequenceGap })
      #expect(frames.count >= 60)
    }

    @Test func every_damaged_frame_is_flagged() throws {
      let recording = try camera.record(try yuyv(), rate: .fps50)
      for round in 1...4 {
        try Guest.control("/dev/video0", "inject_v4l2_buf_flag_error=1")
        _ = try Guest.wait(for: "damaged frame \(round)") {
          recording.frames.count(where: \.isDamaged) >= round ? true : nil
        }
      }
      try recording.frames(recording.frames.count + 5)
      recording.stream.stop()
      #expect(recording.frames.count(where: \.isDamaged) == 4)
      #expect(recording.stream.statistics.damaged == 4)
      #expect(recording.lost == recording.gaps)
    }

    @Test func sequence_numbers_wrap_without_a_loss() throws {
      try Guest.control("/dev/video0", "wrap_sequence_number=1")
      defer { try? Guest.control("/dev/video0", "wrap_sequence_number=0") }
      let recording = try camera.record(try yuyv(), rate: .fps60)
      _ = try Guest.wait(20, for: "the wrap") {
        recording.frames.contains { ($0.sequence ?? .max) < 5 } ? true : nil
      }
      recording.stream.stop()
      #expect(recording.frames.contains { ($0.sequence ?? 0) > .max - 100 })
      #expect(recording.lost == recording.gaps)
    }

    @Test(arguments: [1, 2])
    func times_stay_on_the_monotonic_clock(_ wrap: Int) throws {
      try Guest.control("/dev/video0", "wrap_timestamp=\(wrap)")
      defer { try? Guest.control("/dev/video0", "wrap_timestamp=0") }
      let begin = LinuxSystemCalls().monotonicNanoseconds()
      let recording = try camera.record(try yuyv(), rate: .fps25)
      let frames = try recording.frames(20)
      recording.stream.stop()
      let end = LinuxSystemCalls().monotonicNanoseconds()
      for (before, after) in zip(frames, frames.dropFirst()) { #expect(after.time > before.time) }
      let times = frames.compactMap(\.time.nanoseconds)
      let frame: Int64 = 40_000_000
      #expect(times.allSatisfy { $0 >= begin - 2 * frame && $0 <= end })
    }

    @Test func losses_from_held_buffers_differ_from_the_devices_losses() throws {
      let recording = try camera.record(try yuyv(), rate: .fps50, buffers: 3, holds: 3)
      try recording.frames(3)
      Thread.sleep(forTimeInterval: 0.3)
      recording.releaseFrames()
      try recording.frames(10)
      recording.stream.stop()
      let reasons = Set(recording.losses.map(\.reason))
      #expect(reasons.contains(.outOfBuffers))
      let statistics = recording.stream.statistics
      #expect(statistics.outOfBuffers >= 5)
      #expect(recording.lost == recording.gaps && statistics.lost == recording.lost)
    }

    @Test func held_frames_outlive_their_stream_and_release_the_device() throws {
      let format = try yuyv()
      let recording = try camera.record(format, rate: .fps25, holds: 2)
      try recording.frames(4)
      recording.stream.stop()
      let count = recording.frames.count
      let next = try camera.record(format, rate: .fps25)
      try next.frames(3)
      next.stream.stop()
      #expect(recording.frames.count == count, "a stopped stream calls no handler")
      for sample in recording.held {
        let sum = sample.imageBuffer?.withUnsafeBytes(ofPlane: 0) {
          $0.reduce(0) { $0 &+ Int($1) }
        }
        #expect((sum ?? 0) > 0)
      }
      recording.releaseFrames()
    }

    // MARK: Failures

    @Test func a_streaming_device_is_busy() throws {
      let first = try camera.record(try yuyv())
      defer { first.stream.stop() }
      let error = #expect(throws: CaptureError.self) {
        _ = try camera.openV4L2Stream(CaptureStreamRequest(format: try yuyv()))
      }
      #expect(error?.code == .deviceBusy)
      #expect(error?.message.contains("/dev/video0") == true)
      #expect(try !camera.formats().isEmpty, "a busy device still lists its formats")
    }

    @Test(arguments: ["reqbufs", "qbuf", "streamon"])
    func a_failing_start_is_an_error_and_leaves_the_device_usable(_ call: String) throws {
      try Guest.control("/dev/video0", "inject_vidioc_\(call)_error=1")
      let error = #expect(throws: CaptureError.self) { _ = try camera.record(try yuyv()) }
      #expect(error?.code == .deviceFailed)
      #expect(error?.message.contains("VIDIOC_\(call.uppercased())") == true)
      let recording = try camera.record(try yuyv())
      try recording.frames(3)
      recording.stream.stop()
    }

    @Test func a_fatal_error_ends_the_stream() throws {
      let recording = try camera.record(try yuyv())
      try recording.frames(3)
      try Guest.control("/dev/video0", "inject_fatal_streaming_error=1")
      try recording.end()
      recording.stream.stop()
      #expect(recording.failure?.code == .deviceFailed)
      #expect(recording.failure?.errno == .ioError)
      let again = try camera.record(try yuyv())
      try again.frames(3)
      again.stream.stop()
    }

    @Test func a_disconnected_device_ends_the_stream_and_works_again() throws {
      let recording = try camera.record(try yuyv())
      try recording.frames(3)
      try Guest.control("/dev/video0", "disconnect=1")
      try recording.end()
      #expect(recording.failure?.code == .deviceDisconnected)
      recording.stream.stop()
      recording.releaseFrames()
    }

    @Test func unplugged_nodes_return() throws {
      let recording = try camera.record(try yuyv())
      try recording.frames(3)
      try "vivid.0".write(
        toFile: "/sys/bus/platform/drivers/vivid/unbind", atomically: false, encoding: .utf8)
      try recording.end()
      #expect(recording.failure?.code == .deviceDisconnected)
      recording.stream.stop()
      #expect(!camera.isConnected)
      let error = #expect(throws: CaptureError.self) { _ = try camera.formats() }
      #expect(error?.code == .deviceDisconnected)
      try "vivid.0".write(
        toFile: "/sys/bus/platform/drivers/vivid/bind", atomically: false, encoding: .utf8)
      _ = try Guest.wait(for: "the camera") { camera.isConnected ? true : nil }
      let again = try camera.record(try yuyv())
      try again.frames(3)
      again.stream.stop()
    }
  }
}
