import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CaptureDevices

/// v4l2loopback, fed with known frames, which must come out unchanged.
extension InGuest {
  @Suite(.serialized) struct Loopback {
    /// Feeds /dev/video10 while `body` runs.
    private func feed<Result>(
      _ code: String, _ options: [String] = [], size: String = "320x180", rate: Int = 25,
      _ body: (V4L2DeviceDriver) throws -> Result
    ) throws -> Result {
      try Guest.with(
        "lab-feed", ["--quiet", "--fourcc", code, "--size", size, "--fps", "\(rate)"] + options
      ) { _ in
        let driver = try Guest.wait(for: "the feeder") {
          try? V4L2DeviceDriver(identifier: "/dev/video10")
        }
        return try body(driver)
      }
    }

    private func only(_ driver: V4L2DeviceDriver, _ code: String) throws -> CaptureDevice.Format {
      try #require(try driver.formats().first { $0.nativeCode?.description == code })
    }

    @Test(arguments: [
      ("Y210", 1), ("v210", 1), ("P210", 1), ("NV20", 1), ("Y216", 2), ("UYVY", 3), ("NV16", 3),
      ("P010", 4), ("422P", 3), ("YV12", 5),
    ])
    func a_loopbacks_frames_arrive_byte_for_byte(_ code: String, _ tier: Int) throws {
      // v4l2loopback reuses a buffer once it has been through the other seven, even if it is still
      // in use: a slow machine must have copied the frame by then.
      try feed(code, ["--colorspace", "709"], rate: 8) { driver in
        let format = try only(driver, code)
        #expect(format.tier?.rawValue == tier)
        #expect(format.video?.color == .bt709)
        #expect(driver.identity.uniqueID == "v4l2:platform:v4l2loopback-000")
        let recording = try driver.record(format, keeping: 8)
        try recording.frames(8)
        recording.stream.stop()
        #expect(recording.frames.allSatisfy { !$0.isDamaged })
        #expect(recording.lost == recording.gaps)
        // YV12's planes arrive in the order of the pixel format: Cb before Cr.
        let delivered = code == "YV12" ? "YU12" : code
        try check(recording.bytes, code: delivered)
      }
    }

    private func check(_ bytes: Data, code: String) throws {
      let path = "/tmp/captured.raw"
      try bytes.write(to: URL(filePath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let result = try Command.run(
        "\(Guest.tools)/lab-feed", ["--check", path, "--fourcc", code, "--size", "320x180"])
      #expect(result.status == 0, "\(result.output)")
      #expect(result.output.contains(" 8 frames of") && result.output.contains(" 0 bad"))
    }

    @Test func color_comes_from_the_feeder() throws {
      try feed("Y210", ["--colorspace", "2020", "--transfer", "pq"]) { driver in
        let format = try only(driver, "Y210")
        #expect(format.video?.color == .bt2100PQ)
      }
      try feed("UYVY", ["--colorspace", "601", "--quantization", "full"]) { driver in
        let format = try only(driver, "UYVY")
        #expect(format.video?.color == .smpte170M.with(range: .full))
      }
    }

    @Test func an_odd_width_of_v210_keeps_its_padding() throws {
      try feed("v210", size: "322x180") { driver in
        let recording = try driver.record(try only(driver, "v210"), keeping: 1)
        try recording.frames(2)
        recording.stream.stop()
        #expect(recording.bytes.count == (322 + 47) / 48 * 128 * 180)
        #expect(recording.frames.first?.details.width == 322)
      }
    }

    @Test func a_short_frame_is_flagged_as_damaged() throws {
      try feed("UYVY", ["--short-after", "40"]) { driver in
        let recording = try driver.record(try only(driver, "UYVY"))
        _ = try Guest.wait(for: "the short frame") {
          recording.frames.contains { $0.isDamaged } ? true : nil
        }
        try recording.frames(recording.frames.count + 3)
        recording.stream.stop()
        #expect(recording.stream.statistics.damaged == 1)
      }
    }

    @Test func a_silent_video_device_is_reported_as_stalled() throws {
      try feed("UYVY", ["--stall-after", "30", "--stall-ms", "8000"]) { found in
        var options = V4L2StreamOptions()
        options.stallTimeout = 700
        let driver = V4L2DeviceDriver(
          found.identity, calls: LinuxSystemCalls(), options: options)
        let recording = try driver.record(try only(driver, "UYVY"))
        try recording.end()
        recording.stream.stop()
        #expect(recording.failure?.code == .deviceStalled)
      }
    }
  }
}
