import Foundation
import TestSupport
import Testing

/// Real kernel drivers: each test boots the lab's machine and runs suites in it.
@Suite(.tags(.lab), .serialized, .enabled(if: Lab.canBoot, Lab.reason))
struct LabTests {
  // A boot takes longer than the tests in it, so there is only one for each set of options.
  @Test func vivid_cameras_and_snd_aloop_tones_are_captured_with_faults() async throws {
    try await Lab.run(suite: "InGuest.(Vivid|HDMI|MultiPlanar|ALSALoopback)")
  }

  @Test func v4l2loopback_and_a_usb_camera_are_captured_byte_for_byte() async throws {
    let folder = "/var/tmp/v4l2-tests-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let reference = try await decodeCameraFrames(in: folder)
    try await Lab.run(
      suite: "InGuest.(Loopback|USBCamera)", ["--usb", "--env", "JPEG_REFERENCE=\(reference)"])
  }

  /// The software camera's first JPEG images, decoded by FFmpeg.
  private func decodeCameraFrames(in folder: String) async throws -> String {
    let source = "\(folder)/camera.mjpg"
    let raw = "\(folder)/camera.yuv"
    let emitted = try await Command.runAside(
      "\(Lab.cache)/bin/lab-usb",
      ["--emit-mjpeg", source, "--size", "320x240", "--frames", "60"])
    try #require(emitted.status == 0, "\(emitted.output)")
    let decoded = try await Command.runAside(
      "/usr/bin/env",
      [
        "ffmpeg", "-v", "error", "-y", "-f", "mjpeg", "-i", source, "-pix_fmt", "yuvj420p", "-f",
        "rawvideo", raw,
      ])
    try #require(decoded.status == 0, "\(decoded.output)")
    return raw
  }
}
