import Dispatch
import MediaCore
import Synchronization
import Testing

@testable import CaptureDevices

/// Collects a stream's events until there are enough.
final class StreamRecorder: Sendable {
  private let state = Mutex<[CaptureEvent]>([])
  private let done = DispatchSemaphore(value: 0)
  private let isEnough: @Sendable (CaptureEvent, Int) -> Bool

  /// - Parameter isEnough: Receives an event and the number of samples so far.
  init(until isEnough: @escaping @Sendable (CaptureEvent, Int) -> Bool) {
    self.isEnough = isEnough
  }

  func handle(_ event: CaptureEvent) {
    let samples = state.withLock { events in
      events.append(event)
      return events.reduce(0) { if case .sample = $1 { $0 + 1 } else { $0 } }
    }
    if isEnough(event, samples) { done.signal() }
  }

  var events: [CaptureEvent] { state.withLock { $0 } }

  var samples: [SampleBuffer] {
    events.compactMap { if case .sample(let sample) = $0 { sample } else { nil } }
  }

  var losses: [(count: Int, reason: DropReason)] {
    events.compactMap {
      if case .lost(let count, let reason, _) = $0 { (count, reason) } else { nil }
    }
  }

  /// Runs a stream until there are enough events; records an issue if there never are.
  ///
  /// The samples are kept, and with them the device's buffers: a device that waits for its consumer
  /// needs as many buffers as samples are requested.
  static func run(
    _ stream: any CaptureStream, until isEnough: @escaping @Sendable (CaptureEvent, Int) -> Bool
  ) throws -> StreamRecorder {
    let recorder = StreamRecorder(until: isEnough)
    try stream.start { recorder.handle($0) }
    let isDone = recorder.done.wait(timeout: .now() + 60) == .success
    stream.stop()
    if !isDone { Issue.record("not enough in a minute: \(recorder.samples.count) samples") }
    return recorder
  }
}

extension PatternDeviceDriver {
  func format(
    _ layout: PixelFormat, _ width: Int, _ height: Int, _ order: FieldOrder = .progressive
  ) throws -> CaptureDevice.Format? {
    try formats().first {
      $0.video?.pixelFormat == layout && $0.video?.fieldOrder == order
        && $0.dimensions == VideoDimensions(width: width, height: height)
    }
  }
}
