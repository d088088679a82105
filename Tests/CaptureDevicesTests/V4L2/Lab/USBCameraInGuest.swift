import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CaptureDevices

/// A software USB camera on the kernel's real USB video driver.
extension InGuest {
  @Suite(.serialized) struct USBCamera {
    private func plugIn<Result>(
      _ options: [String] = [], _ body: (V4L2DeviceDriver, Process) throws -> Result
    ) throws -> Result {
      try Guest.with(
        "lab-usb",
        ["--quiet", "--no-audio", "--size", "320x240", "--fps", "30,15", "--serial", "CAM-7"]
          + options
      ) { process in
        let identity = try Guest.wait(for: "the camera") {
          V4L2DeviceDriver.discover().map(\.identity).first { $0.uniqueID.contains("usb-") }
        }
        return try body(V4L2DeviceDriver(identity, calls: LinuxSystemCalls()), process)
      }
    }

    @Test func a_cameras_identity_has_path_model_and_serial() throws {
      try plugIn { camera, _ in
        let identity = camera.identity
        #expect(identity.uniqueID == "v4l2:usb-vhci_hcd.0-1")
        #expect(identity.serialNumber == "CAM-7")
        #expect(identity.modelID.hasPrefix("usb:"))
        #expect(identity.localizedName.contains("Camera"))
        // Its metadata node is not a camera.
        let nodes = V4L2DeviceDriver.discover().filter { $0.identity.serialNumber == "CAM-7" }
        #expect(nodes.count == 1)
        let formats = try camera.formats()
        let mjpg = try #require(formats.first { $0.nativeCode == "MJPG" })
        #expect(mjpg.isEmulated && mjpg.video?.pixelFormat == .yuv420p8)
        #expect(mjpg.tier == .eightBit420)
        #expect(mjpg.frameRates == [.fps30, FrameRate(15)].compactMap(\.self))
        let yuyv = try #require(formats.first { $0.nativeCode == "YUYV" })
        #expect(!yuyv.isEmulated && yuyv.tier == .eightBit422)
        #expect(try camera.controls().contains { $0.name == "Brightness" })
      }
    }

    @Test func a_usb_cameras_frames_arrive_byte_for_byte() throws {
      try plugIn { camera, _ in
        let format = try Guest.format(camera, "YUYV", 320, 240)
        let recording = try camera.record(format, rate: FrameRate(15), keeping: 6)
        try recording.frames(6)
        recording.stream.stop()
        #expect(recording.stream.frameRate == FrameRate(15))
        let path = "/tmp/usb.raw"
        try recording.bytes.write(to: URL(filePath: path))
        let result = try Command.run(
          "\(Guest.tools)/lab-feed", ["--check", path, "--fourcc", "YUYV", "--size", "320x240"])
        #expect(result.status == 0 && result.output.contains(" 0 bad"), "\(result.output)")
      }
    }

    @Test func motion_jpeg_is_decoded_by_libv4l2() throws {
      try plugIn { camera, _ in
        let recording = try camera.record(try Guest.format(camera, "MJPG", 320, 240), keeping: 3)
        try recording.frames(6)
        recording.stream.stop()
        #expect(recording.frames.allSatisfy { $0.details.format == .yuv420p8 && !$0.isDamaged })
        #expect(recording.frames.first?.details.color.range == .full)
        #expect(recording.bytes.count == 3 * 320 * 240 * 3 / 2)
        let first = try #require(recording.frames.first?.sequence)
        try compare(recording.bytes, sequence: first)
      }
    }

    /// Compares with the camera's JPEG images as another decoder outside the machine decoded them:
    /// frame n of a stream is image n.
    private func compare(_ bytes: Data, sequence: UInt32) throws {
      let path = try #require(
        ProcessInfo.processInfo.environment["JPEG_REFERENCE"], "the host decodes the reference")
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      let size = 320 * 240 * 3 / 2
      try file.seek(toOffset: UInt64(Int(sequence) * size))
      let judged = try [UInt8](#require(try file.read(upToCount: size)))
      let ours = [UInt8](bytes.prefix(size))
      // Flat blocks of eight: the middle of each is the same within rounding.
      let worst = stride(from: 4 * 320 + 4, to: 320 * 240, by: 4 * 320 + 8).reduce(0) {
        max($0, abs(Int(ours[$1]) - Int(judged[$1])))
      }
      #expect(worst <= 2, "luma differs by \(worst)")
    }

    @Test(arguments: ["--error-frame", "--short-frame"])
    func a_damaged_frame_is_flagged_or_counted_as_lost(_ fault: String) throws {
      let parameter = "/sys/module/uvcvideo/parameters/nodrop"
      // The driver passes damaged frames on, or drops them, which leaves a gap.
      for passesOn in [true, false] {
        try (passesOn ? "1" : "0").write(toFile: parameter, atomically: false, encoding: .utf8)
        try plugIn([fault, "6"]) { camera, _ in
          let recording = try camera.record(try Guest.format(camera, "YUYV", 320, 240))
          try recording.frames(10)
          recording.stream.stop()
          #expect(recording.stream.statistics.damaged == (passesOn ? 1 : 0))
          #expect(recording.lost == recording.gaps)
          if !passesOn { #expect(recording.lost >= 1) }
        }
      }
    }

    @Test func plugging_and_unplugging_are_reported() async throws {
      var changes = try CaptureDevice.changes().makeAsyncIterator()
      let expected = "v4l2:usb-vhci_hcd.0-1"
      // Longer than the quiet moment that the watch waits for.
      try plugIn { _, _ in Thread.sleep(forTimeInterval: 1) }
      guard case .connected(let device) = await changes.next(),
        case .disconnected(let gone) = await changes.next()
      else {
        Issue.record("the camera was plugged in and unplugged without a report")
        return
      }
      #expect(device.uniqueID == expected && gone === device)
    }

    @Test func a_replugged_camera_is_found_under_its_identity() throws {
      try plugIn { camera, process in
        let format = try Guest.format(camera, "YUYV", 320, 240)
        let before = try #require(camera.identity.node)
        // Kept open, so its number is taken and the camera comes back under another.
        let recording = try camera.record(format)
        try recording.frames(3)
        kill(process.processIdentifier, SIGUSR1)
        try recording.end()
        #expect(recording.failure?.code == .deviceDisconnected)
        #expect(!camera.isConnected)
        kill(process.processIdentifier, SIGUSR1)
        _ = try Guest.wait(for: "the camera again") { camera.isConnected ? true : nil }
        #expect(camera.identity.node != before)
        #expect(camera.identity.uniqueID == "v4l2:usb-vhci_hcd.0-1")
        recording.stream.stop()
        let again = try camera.record(format)
        try again.frames(3)
        again.stream.stop()
        let found = try V4L2DeviceDriver(identifier: camera.identity.uniqueID)
        #expect(found.identity == camera.identity)
      }
    }
  }
}
