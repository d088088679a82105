import Foundation
import MediaCore
import MovieTools
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

@Suite struct V4L2ReplugTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func a_device_replugged_at_another_node_continues_the_movie() async throws {
    let kernel = FakeKernel()
    // Set before the device is opened, or the first frame would seem late by the machine's uptime.
    kernel.state.withLock { $0.now = MonotonicClock.now }
    let device = CaptureDevice(
      driver: try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel))
    let session = CaptureSession()
    session.reconnectsDevices = true
    let output = CaptureMovieFileOutput()
    output.allowedTiers = Set(FormatTier.allCases)
    output.minFreeDiskSpaceLimit = 0
    output.options.signalLossPolicy = .holdLastFrame
    output.options.stallTimeout = 30
    try session.add(CaptureDeviceInput(device: device))
    try session.add(output)
    try await session.start()
    let url = folder.url("take.mov")
    async let result = output.record(to: url)
    try await eventually("the recording begins") { output.isRecording }
    /// Frames at the clock's actual times, each with the next number.
    func feed(_ count: UInt32, to node: String) async throws {
      for number in 0..<count {
        try await eventually("the device has a buffer to fill") {
          let time = MonotonicClock.now
          kernel.state.withLock { $0.now = time }
          return kernel.fill(number, after: 0, of: node)
        }
        try await Task.sleep(for: .milliseconds(40))
      }
    }
    try await feed(10, to: "/dev/video0")
    let camera = try #require(kernel.unplug())
    // The clock continues: the driver checks its device and finds it gone.
    try await eventually("the gap is bridged") {
      kernel.state.withLock { $0.now = MonotonicClock.now }
      return !output.isRecording || output.progress?.repeated ?? 0 >= 10
        || output.progress?.frames ?? 0 >= 25
    }
    kernel.plug(camera, as: "/dev/video1")
    try await feed(10, to: "/dev/video1")
    output.stopRecording()
    let report = try await result
    await session.stop()
    #expect(report.isValid && report.end == .stopped && report.outcome == .imperfect)
    #expect(report.incidents.contains { $0.kind == .deviceLost })
    #expect(report.incidents.contains { $0.kind == .deviceRestored })
    #expect(device.identity.node == "/dev/video1")
    #expect(report.frames.repeated >= 10)
    let verified = try MovieVerifier(path: url.path).run()
    #expect(verified.isValid && verified.framesDecoded == report.movie.frameCount)
    #expect(kernel.leaks == (0, 0))
  }
}
