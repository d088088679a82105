import CVideo4Linux
import Foundation
import MediaCore
import MovieTools
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import VideoRecorder

/// A whole recording, from a device's node to the finished movie, in which one system call fails.
@Suite(.tags(.slow)) struct V4L2RecordingFaultTests {
  private static let frameCount = 12

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private enum End {
    /// There is no movie, for this reason.
    case refused(CaptureError)
    case movie(RecordingReport)
  }

  /// Devices that reach different calls: a webcam, a card with a detected signal, and one with
  /// separate planes.
  enum Model: String, CaseIterable {
    case camera, card, planes

    var device: FakeDevice {
      var device = FakeDevice()
      switch self {
      case .camera: break
      case .card:
        device.codes = ["UYVY"]
        device.timings.bt.width = 64
        device.timings.bt.height = 32
        device.timings.bt.pixelclock = 64 * 32 * 25
        device.signal = .success(device.timings)
      case .planes:
        device.capabilities =
          UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) | UInt32(V4L2_CAP_STREAMING)
        device.codes = ["NM16"]
        device.blocks = [(64, 64 * 32), (64, 64 * 32)]
      }
      return device
    }
  }

  // MARK: The recording

  /// Records a few frames, from finding the device to releasing it.
  private func record(_ kernel: FakeKernel, to url: URL) async -> End {
    let session = CaptureSession()
    let output = CaptureMovieFileOutput()
    output.allowedTiers = Set(FormatTier.allCases)
    output.minFreeDiskSpaceLimit = 0
    output.maxRecordedFrameCount = Self.frameCount
    output.options.synchronizesFragments = false
    output.options.stallTimeout = 2
    do throws(CaptureError) {
      let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
      let device = CaptureDevice(driver: driver)
      let format = try device.findFormat(
        where: FormatCriteria(allowedTiers: Set(FormatTier.allCases)))
      try device.configure { device throws(CaptureError) in
        try device.setActiveFormat(format)
        try device.setActiveFrameRate(.fps25)
      }
      let input = try CaptureDeviceInput(device: device)
      input.bufferCount = 3
      try session.add(input)
      try session.add(output)
      try await session.start()
    } catch {
      return .refused(error)
    }
    let feeder = Thread { Self.feed(kernel, while: output) }
    feeder.start()
    let end: End
    do throws(CaptureError) {
      end = .movie(try await output.record(to: url))
    } catch {
      end = .refused(error)
    }
    await session.stop()
    return end
  }

  /// Fills buffers while there is a recording, each as soon as the previous one was taken.
  private static func feed(_ kernel: FakeKernel, while output: CaptureMovieFileOutput) {
    let deadline = Date().addingTimeInterval(120)
    var hasBegun = false
    var number: UInt32 = 0
    while Date() < deadline {
      let isRecording = output.isRecording
      if hasBegun, !isRecording { return }
      hasBegun = hasBegun || isRecording
      let isFree = kernel.read { $0.filled.isEmpty && !$0.queued.isEmpty } == true
      if isRecording, isFree, kernel.fill(number) { number += 1 }
      usleep(300)
    }
  }

  // MARK: Judging

  /// The faults in the end of a recording in which a call failed.
  private func faults(
    of end: End, _ error: Errno, _ call: String, at url: URL
  ) throws -> [String] {
    var faults: [String] = []
    switch end {
    case .refused(let refusal):
      if FileManager.default.fileExists(atPath: url.path) { faults.append("a file is left") }
      if refusal.message.contains("\n") || refusal.message.count < 20 {
        faults.append("\(refusal)")
      }
      // The output reports it if no frame came, and the input if the device does not list the
      // chosen format; otherwise the failed call is reported.
      let isSecondary =
        [.outputFailed, .nothingRecorded, .formatUnavailable].contains(refusal.code)
      if !isSecondary, refusal.errno != error { faults.append("\(refusal)") }
      if error == .interrupted { faults.append("not repeated: \(refusal)") }
    case .movie(let report):
      let verified = try MovieVerifier(path: url.path).run()
      if verified.completion != "finished" || !verified.isValid {
        faults.append("\(verified.findings)")
      }
      if verified.framesDecoded != report.movie.frameCount {
        faults.append("\(verified.framesDecoded) of \(report.movie.frameCount) frames")
      }
      let isWhole = report.movie.frameCount == Self.frameCount
      let expected: (RecordingReport.End, RecordingReport.Outcome) =
        isWhole ? (.maximumDurationReached, .complete) : (Self.end(for: error), .endedEarly)
      if report.end != expected.0 || report.outcome != expected.1 {
        faults.append("\(report.end), \(report.outcome), \(report.error?.message ?? "")")
      }
      if !isWhole, error == .interrupted { faults.append("not repeated: \(report.end)") }
    }
    return faults
  }

  private static func end(for error: Errno) -> RecordingReport.End {
    error == .deviceGone ? .deviceDisconnected : .deviceFailed
  }

  @Test(.timeLimit(.minutes(20)), arguments: Model.allCases)
  func a_failing_call_ends_in_a_named_error_or_a_valid_movie(_ model: Model) async throws {
    let clean = FakeKernel(["/dev/video0": model.device])
    let url = folder.url("take.mov")
    guard case .movie(let report) = await record(clean, to: url) else {
      Issue.record("a recording without a fault failed")
      return
    }
    #expect(report.movie.frameCount == Self.frameCount && report.outcome == .complete)
    let calls = clean.state.withLock { $0.counts }.filter {
      $0.key.hasPrefix("VIDIOC") || $0.key == "open"
    }
    #expect(calls.count > 8)
    let errors: [Errno] = [
      .ioError, .deviceGone, .interrupted, .resourceTemporarilyUnavailable, .resourceBusy,
      .noMemory,
    ]
    var trials = 0
    for (call, count) in calls.sorted(by: { $0.key < $1.key }) {
      for occurrence in 1...count {
        for (index, error) in errors.enumerated() {
          // Each call at a few of its occurrences, the same every time; all of them in the thorough
          // run.
          guard TestRun.isThorough || (occurrence + call.utf8.count + index) % 30 == 0 else {
            continue
          }
          try? FileManager.default.removeItem(at: url)
          let kernel = FakeKernel(
            ["/dev/video0": model.device],
            faults: [.init(call: call, occurrence: occurrence, error: error)])
          let end = await record(kernel, to: url)
          let what = "\(call) \(occurrence) \(error)"
          for fault in try faults(of: end, error, call, at: url) {
            Issue.record("\(what): \(fault)")
          }
          #expect(kernel.leaks == (0, 0), "\(what)")
          #expect(!kernel.trace.contains { $0.contains(" of ") }, "\(what)")
          trials += 1
        }
      }
    }
    print("\(model.rawValue): \(trials) recordings in which a call failed")
  }
}
