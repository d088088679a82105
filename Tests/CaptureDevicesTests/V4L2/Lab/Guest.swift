import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices

/// The suites that run in the lab's guest, one after the other because they share its devices.
@Suite(.tags(.lab), .serialized, .enabled(if: Lab.isGuest, "runs in the lab's guest"))
enum InGuest {}

enum Guest {
  static let tools = ProcessInfo.processInfo.environment["V4L2LAB_BIN"] ?? ""

  /// Sets controls of a vivid device: `percentage_of_dropped_buffers=30`.
  static func control(_ node: String, _ settings: String) throws {
    let result = try Command.run("/usr/bin/v4l2-ctl", ["-d", node, "-c", settings])
    try #require(result.status == 0, "v4l2-ctl -c \(settings): \(result.output)")
  }

  static func controlTool(_ arguments: String...) throws -> String {
    try Command.run("/usr/bin/v4l2-ctl", arguments).output
  }

  /// Runs `body` with one of the lab's helper programs, which ends with it.
  static func with<Result>(
    _ tool: String, _ arguments: [String], _ body: (Process) throws -> Result
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: "\(tools)/\(tool)")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    try withSignalsUnblocked { try process.run() }
    defer {
      if process.isRunning { process.terminate() }
      process.waitForExit()
    }
    return try body(process)
  }

  /// Tests run on threads that block all signals. A child inherits that and could not be ended.
  static func withSignalsUnblocked(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  /// Polls until there is a value.
  static func wait<Value>(
    _ seconds: Double = 30, for what: String, _ body: () throws -> Value?
  ) throws -> Value {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if let value = try body() { return value }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return try #require(try body(), "\(what) did not come within \(seconds) s")
  }

  // The test drivers have so many formats that listing them takes seconds on the slow machine.
  private static let known = Mutex<[String: [CaptureDevice.Format]]>([:])

  /// A driver's format with this code and size.
  static func format(
    _ driver: V4L2DeviceDriver, _ code: FourCharCode, _ width: Int, _ height: Int,
    input: Int? = nil
  ) throws -> CaptureDevice.Format {
    let key = driver.identity.uniqueID
    let formats = try known.withLock { known in
      if let formats = known[key] { return formats }
      let formats = try driver.formats()
      known[key] = formats
      return formats
    }
    let size = VideoDimensions(width: width, height: height)
    let list = formats.map { "\($0.nativeCode?.description ?? "") \($0.dimensions)" }
    return try #require(
      formats.first {
        $0.nativeCode == code && $0.dimensions == size && (input == nil || $0.inputIndex == input)
      }, "\(code) \(width)x\(height) among \(list)")
  }
}

/// Collects a stream's events.
final class Recording: Sendable {
  struct Frame: Sendable {
    var sequence: UInt32?
    var time: MediaTime
    var isDamaged: Bool
    var details: PixelBuffer.Description
  }

  struct State {
    var frames: [Frame] = []
    var losses: [(count: Int, reason: DropReason)] = []
    var others: [String] = []
    var failure: CaptureError?
    var held: [SampleBuffer] = []
    var bytes = Data()
    var hasEnded = false
  }

  let state = Mutex(State())
  let holdsFrames: Int
  let keepsBytes: Int
  let stream: V4L2CaptureStream

  /// Starts a stream; holds the first `holds` frames and keeps the bytes of the first `keeping`.
  init(_ stream: V4L2CaptureStream, holds: Int = 0, keeping: Int = 0) throws {
    self.stream = stream
    self.holdsFrames = holds
    self.keepsBytes = keeping
    try stream.start { [weak self] event in self?.take(event) }
  }

  private func take(_ event: CaptureEvent) {
    state.withLock { state in
      switch event {
      case .sample(let sample):
        guard let frame = sample.imageBuffer else { return }
        if state.frames.count < holdsFrames { state.held.append(sample) }
        if state.frames.count < keepsBytes {
          for plane in 0..<frame.planeCount {
            let row = frame.format.minimumBytesPerRow(plane: plane, width: frame.width)
            let step = frame.bytesPerRow(plane: plane)
            frame.withUnsafeBytes(ofPlane: plane) { bytes in
              for begin in stride(from: 0, to: bytes.count, by: step) {
                state.bytes.append(contentsOf: bytes[begin..<begin + min(row, step)])
              }
            }
          }
        }
        state.frames.append(
          Frame(
            sequence: sample.attachments.sequenceNumber, time: sample.presentationTimeStamp,
            isDamaged: sample.attachments.isDamaged, details: frame.details))
      case .lost(let count, let reason, _): state.losses.append((count, reason))
      case .signalLost: state.others.append("signalLost")
      case .signalRestored: state.others.append("signalRestored")
      case .formatChanged:
        state.others.append("formatChanged")
        state.hasEnded = true
      case .ended:
        state.others.append("ended")
        state.hasEnded = true
      case .failed(let error):
        state.failure = error
        state.hasEnded = true
      }
    }
  }

  var frames: [Frame] { state.withLock { $0.frames } }
  var losses: [(count: Int, reason: DropReason)] { state.withLock { $0.losses } }
  var failure: CaptureError? { state.withLock { $0.failure } }
  var others: [String] { state.withLock { $0.others } }
  var bytes: Data { state.withLock { $0.bytes } }
  var held: [SampleBuffer] { state.withLock { $0.held } }
  /// Frames missing from the sequence numbers. (The test driver sometimes delivers a number twice.)
  var gaps: Int {
    let numbers = frames.compactMap(\.sequence)
    return zip(numbers, numbers.dropFirst()).reduce(0) {
      $0 + max(0, Int(Int32(bitPattern: $1.1 &- $1.0)) - 1)
    }
  }
  var lost: Int { losses.reduce(0) { $0 + $1.count } }

  /// Releases the held frames.
  func releaseFrames() { state.withLock { $0.held.removeAll() } }

  /// Waits for this many frames.
  @discardableResult
  func frames(_ count: Int, within seconds: Double = 20) throws -> [Frame] {
    _ = try Guest.wait(
      seconds,
      for: "\(count) frames (\(frames.count) came; \(others), \(String(describing: failure)))"
    ) {
      frames.count >= count ? true : nil
    }
    return frames
  }

  /// Waits for the stream's end.
  func end(within seconds: Double = 10) throws {
    _ = try Guest.wait(seconds, for: "the stream's end") {
      state.withLock { $0.hasEnded } ? true : nil
    }
  }
}

extension V4L2DeviceDriver {
  /// Opens a stream of a format and collects its events.
  func record(
    _ format: CaptureDevice.Format, rate: FrameRate? = nil, buffers: Int = 6, holds: Int = 0,
    keeping: Int = 0
  ) throws -> Recording {
    try Recording(
      openV4L2Stream(
        CaptureStreamRequest(format: format, frameRate: rate, bufferCount: buffers)),
      holds: holds, keeping: keeping)
  }
}
