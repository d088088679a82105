import CaptureTestSupport
import Dispatch
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

@Suite(.timeLimit(.minutes(20)))
struct DataOutputTests {
  @Test func frames_arrive_in_a_sequence_that_ends_with_the_session() async throws {
    let (session, driver, output) = try Self.videoRig()
    output.alwaysDiscardsLateVideoFrames = false
    let samples = output.sampleBuffers
    try await session.start()
    for index in 0..<5 { try #require(driver.stream).sendFrame(index) }
    await session.stop()
    var count = 0
    for await sample in samples {
      #expect(sample.presentationTimeStamp == FrameRate.fps25.time(ofFrame: Int64(count)))
      count += 1
    }
    #expect(count == 5)
  }

  @Test func a_slow_reader_gets_reports_of_dropped_frames() async throws {
    let (session, driver, output) = try Self.videoRig()
    let samples = output.sampleBuffers
    let drops = output.droppedSamples
    try await session.start()
    for index in 0..<4 { try #require(driver.stream).sendFrame(index) }
    try #require(driver.stream).send(
      .lost(count: 2, reason: .deviceSequenceGap, time: FrameRate.fps25.time(ofFrame: 6)))
    await session.stop()
    var kept: [MediaTime] = []
    for await sample in samples { kept.append(sample.presentationTimeStamp) }
    #expect(kept == [.zero])
    var lost: [DroppedSamples] = []
    for await drop in drops { lost.append(drop) }
    #expect(lost.map(\.reason) == [.lateData, .lateData, .lateData, .deviceSequenceGap])
    #expect(lost.map(\.count) == [1, 1, 1, 2])
    #expect(lost.first?.presentationTimeStamp == FrameRate.fps25.time(ofFrame: 1))
  }

  /// Sends frames that all arrive before the delegate finishes its last call.
  private func send(
    _ frames: Range<Int>, to stream: ScriptedStream, whileBlocked queue: DispatchQueue
  ) throws {
    queue.suspend()
    defer {
      queue.resume()
      queue.sync {}
    }
    for index in frames { try stream.sendFrame(index) }
  }

  /// They are in the device's own memory, and none would be left for the recording.
  @Test func a_blocked_delegate_holds_few_frames() async throws {
    let (session, driver, output) = try Self.videoRig()
    let queue = DispatchQueue(label: "delegate")
    let delegate = Delegate()
    output.setSampleBufferDelegate(delegate, queue: queue)
    try await session.start()
    let stream = try #require(driver.stream)
    try send(0..<60, to: stream, whileBlocked: queue)
    #expect(delegate.received == [.zero])
    #expect(delegate.dropped.count == 59 && delegate.droppedBuffers == 2)
    // Once the delegate keeps up again, each drop is reported with its frame.
    try send(60..<62, to: stream, whileBlocked: queue)
    #expect(delegate.droppedBuffers == 3)
    await session.stop()
  }

  @Test func only_due_frames_are_reported_as_late() async throws {
    let (session, driver, output) = try Self.videoRig()
    let queue = DispatchQueue(label: "delegate")
    let delegate = Delegate()
    #expect(!output.minFrameDuration.isValid)
    output.minFrameDuration = MediaTime(value: 1, timescale: 5)
    output.setSampleBufferDelegate(delegate, queue: queue)
    try await session.start()
    let stream = try #require(driver.stream)
    try send(0..<5, to: stream, whileBlocked: queue)
    #expect(delegate.received == [.zero] && delegate.dropped.isEmpty)
    try send(5..<13, to: stream, whileBlocked: queue)
    let times = (0..<15).map { FrameRate.fps25.time(ofFrame: $0) }
    #expect(delegate.received == [times[0], times[5]])
    #expect(delegate.dropped.map(\.presentationTimeStamp) == [times[10], times[11], times[12]])
    output.minFrameDuration = .invalid
    for index in 13..<15 { try send(index..<index + 1, to: stream, whileBlocked: queue) }
    #expect(delegate.received == [times[0], times[5], times[13], times[14]])
    await session.stop()
  }

  @Test func frames_in_an_unwanted_layout_are_not_held() async throws {
    let (session, driver, output) = try Self.videoRig()
    output.pixelFormat = .nv12
    let queue = DispatchQueue(label: "delegate")
    let delegate = Delegate()
    output.setSampleBufferDelegate(delegate, queue: queue)
    let drops = output.droppedSamples
    try await session.start()
    try send(0..<20, to: try #require(driver.stream), whileBlocked: queue)
    #expect(delegate.received.isEmpty && delegate.dropped.count == 20)
    #expect(delegate.dropped.allSatisfy { $0.reason == .formatMismatch })
    #expect(delegate.droppedBuffers == 2)
    await session.stop()
    var count = 0
    for await drop in drops {
      #expect(drop.sampleBuffer == nil)
      count += 1
    }
    #expect(count == 20)
  }

  @Test func a_long_blocked_delegate_gets_few_reports_of_all_drops() async throws {
    let (session, driver, output) = try Self.videoRig()
    let queue = DispatchQueue(label: "delegate")
    let delegate = Delegate()
    output.setSampleBufferDelegate(delegate, queue: queue)
    try await session.start()
    let stream = try #require(driver.stream)
    try send(0..<300, to: stream, whileBlocked: queue)
    #expect(delegate.received == [.zero] && delegate.dropped.count < 100)
    #expect(delegate.dropped.reduce(0) { $0 + $1.count } == 299)
    let times = delegate.dropped.map(\.presentationTimeStamp)
    #expect(times == times.sorted() && times.first == FrameRate.fps25.time(ofFrame: 1))
    // Nothing is reported twice.
    try send(300..<303, to: stream, whileBlocked: queue)
    #expect(delegate.dropped.reduce(0) { $0 + $1.count } == 301)
    await session.stop()
  }

  @Test func a_busy_delegate_misses_frames_only_if_late_ones_are_discarded() async throws {
    let (session, driver, output) = try Self.videoRig()
    let queue = DispatchQueue(label: "delegate")
    let delegate = Delegate()
    output.setSampleBufferDelegate(delegate, queue: queue)
    #expect(output.sampleBufferDelegate === delegate)
    try await session.start()
    let stream = try #require(driver.stream)
    try send(0..<3, to: stream, whileBlocked: queue)
    #expect(delegate.received == [.zero])
    #expect(delegate.dropped.map(\.reason) == [.lateData, .lateData])
    #expect(delegate.droppedBuffers == 2)

    output.alwaysDiscardsLateVideoFrames = false
    output.maximumQueueDepth = 3
    try send(3..<8, to: stream, whileBlocked: queue)
    #expect(delegate.received == [0, 3, 4, 5].map { FrameRate.fps25.time(ofFrame: $0) })
    #expect(delegate.dropped.count == 4)

    output.setSampleBufferDelegate(nil, queue: nil)
    try stream.sendFrame(9)
    queue.sync {}
    #expect(delegate.received.count == 4)
    await session.stop()
  }

  @Test func audio_arrives_completely_at_the_delegate_and_the_sequence() async throws {
    let driver = ScriptedDriver("alsa:test", mediaType: .audio, formats: [.audio()])
    let session = CaptureSession()
    let output = CaptureAudioDataOutput()
    try session.add(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
    try session.add(output)
    let queue = DispatchQueue(label: "delegate")
    let delegate = AudioDelegate()
    output.setSampleBufferDelegate(delegate, queue: queue)
    let samples = output.sampleBuffers
    try await session.start()
    for run in 0..<50 { try #require(driver.stream).sendAudio(from: run * 480, frames: 480) }
    await session.stop()
    queue.sync {}
    var frames = 0
    for await sample in samples { frames += sample.sampleCount }
    #expect(frames == 24_000)
    #expect(delegate.frames.value == 24_000)
  }

  @Test func a_substitute_handler_gets_the_frames_until_it_is_removed() async throws {
    let (session, driver, output) = try Self.videoRig()
    let queue = DispatchQueue(label: "delegate")
    let delegate = Delegate()
    output.setSampleBufferDelegate(delegate, queue: queue)
    let substitutes = DispatchQueue(label: "substitute")
    let times = Mutex<[MediaTime]>([])
    let stops = Counter()
    let handler = SampleHandler(
      queue: substitutes,
      deliver: { sample, _ in times.withLock { $0.append(sample.presentationTimeStamp) } },
      drop: { _, _ in }, stop: { stops.add() })
    let owner = ObjectIdentifier(delegate)
    output.setSubstituteHandler(handler, of: owner)
    try await session.start()
    let stream = try #require(driver.stream)
    try stream.sendFrame(0)
    substitutes.sync {}
    // Another owner cannot remove this owner's handler.
    output.setSubstituteHandler(nil, of: ObjectIdentifier(session))
    try stream.sendFrame(1)
    substitutes.sync {}
    #expect(times.withLock { $0 } == [0, 1].map { FrameRate.fps25.time(ofFrame: $0) })
    queue.sync {}
    #expect(delegate.received.isEmpty)
    await session.stop()
    substitutes.sync {}
    #expect(stops.value == 1)

    output.setSubstituteHandler(nil, of: owner)
    try await session.start()
    try #require(driver.stream).sendFrame(2)
    queue.sync {}
    #expect(delegate.received == [FrameRate.fps25.time(ofFrame: 2)])
    await session.stop()
    substitutes.sync {}
    #expect(stops.value == 1 && times.withLock { $0 }.count == 2)
  }

  @Test func unwanted_frames_are_neither_delivered_nor_reported_as_dropped() async throws {
    let (session, driver, output) = try Self.videoRig()
    let queue = DispatchQueue(label: "handler")
    let wants = Mutex(true)
    let times = Mutex<[MediaTime]>([])
    let drops = Counter()
    output.setSampleBufferHandler(
      SampleHandler(
        queue: queue, isWanted: { wants.withLock { $0 } },
        deliver: { sample, _ in times.withLock { $0.append(sample.presentationTimeStamp) } },
        drop: { _, _ in drops.add() }))
    try await session.start()
    let stream = try #require(driver.stream)
    try send(0..<1, to: stream, whileBlocked: queue)
    wants.withLock { $0 = false }
    try send(1..<4, to: stream, whileBlocked: queue)
    wants.withLock { $0 = true }
    try send(4..<6, to: stream, whileBlocked: queue)
    #expect(times.withLock { $0 } == [0, 4].map { FrameRate.fps25.time(ofFrame: $0) })
    #expect(drops.value == 1, "one of the last two frames was late")
    await session.stop()
  }

  static func videoRig() throws -> (CaptureSession, ScriptedDriver, CaptureVideoDataOutput) {
    let driver = ScriptedDriver(formats: [.frames(.v210)])
    let session = CaptureSession()
    let output = CaptureVideoDataOutput()
    try session.add(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
    try session.add(output)
    return (session, driver, output)
  }

  private final class Delegate: CaptureVideoDataOutputSampleBufferDelegate {
    private let log = Mutex<(received: [MediaTime], dropped: [DroppedSamples])>(([], []))
    private let buffers = Counter()
    var received: [MediaTime] { log.withLock { $0.received } }
    var dropped: [DroppedSamples] { log.withLock { $0.dropped } }
    var droppedBuffers: Int { buffers.value }

    func captureOutput(
      _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
      from connection: CaptureConnection
    ) {
      log.withLock { $0.received.append(sampleBuffer.presentationTimeStamp) }
    }

    func captureOutput(
      _ output: CaptureOutput, didDrop sampleBuffer: SampleBuffer,
      from connection: CaptureConnection
    ) {
      buffers.add()
    }

    func captureOutput(
      _ output: CaptureOutput, didDrop samples: DroppedSamples,
      from connection: CaptureConnection
    ) {
      log.withLock { $0.dropped.append(samples) }
      guard let sample = samples.sampleBuffer else { return }
      captureOutput(output, didDrop: sample, from: connection)
    }
  }

  private final class AudioDelegate: CaptureAudioDataOutputSampleBufferDelegate {
    let frames = Counter()
    func captureOutput(
      _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
      from connection: CaptureConnection
    ) {
      frames.add(sampleBuffer.sampleCount)
    }
  }
}
