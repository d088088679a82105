import CVideo4Linux
import Foundation
import MediaCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import CaptureDevices

/// A stream on the fake kernel.
@Suite struct V4L2StreamTests {
  private func driver(
    _ kernel: FakeKernel, _ options: V4L2StreamOptions = .init()
  ) throws -> V4L2DeviceDriver {
    try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel, options: options)
  }

  private func open(
    _ kernel: FakeKernel, buffers: Int = 3, _ options: V4L2StreamOptions = .init(),
    holds: Int = 0, keeping: Int = 0
  ) throws -> Recording {
    let driver = try driver(kernel, options)
    let format = try #require(try driver.formats().first)
    return try driver.record(format, buffers: buffers, holds: holds, keeping: keeping)
  }

  private func expectClean(_ kernel: FakeKernel) {
    #expect(kernel.leaks == (0, 0))
    #expect(!kernel.trace.contains { $0.contains(" of ") })
  }

  // MARK: The way of a buffer

  @Test func a_buffer_returns_to_the_device_when_its_frame_is_released() throws {
    let kernel = FakeKernel()
    do {
      let recording = try open(kernel, holds: 2)
      for number in 0..<3 as Range<UInt32> { #expect(kernel.fill(number)) }
      try recording.frames(3)
      _ = try Guest.wait(for: "the third buffer") {
        kernel.read { $0.queued.count } == 1 ? true : nil
      }
      recording.releaseFrames()
      #expect(kernel.read { $0.queued.count } == 3)
      recording.stream.stop()
    }
    expectClean(kernel)
  }

  @Test func memory_stays_mapped_until_the_last_frame_is_released() throws {
    let kernel = FakeKernel()
    var sample: SampleBuffer?
    do {
      let recording = try open(kernel, holds: 1, keeping: 1)
      kernel.fill(0)
      try recording.frames(1)
      sample = recording.held.first
      recording.releaseFrames()
      recording.stream.stop()
      #expect(kernel.trace.last == "VIDIOC_REQBUFS", "the device is released at the stop")
    }
    #expect(kernel.leaks == (1, 1), "one frame holds one buffer and the device")
    let byte = sample?.imageBuffer?.withUnsafeBytes(ofPlane: 0) { $0.first }
    #expect(byte == 0)
    sample = nil
    expectClean(kernel)
  }

  @Test func a_stopped_stream_calls_no_handler() throws {
    let kernel = FakeKernel()
    let recording = try open(kernel)
    kernel.fill(0)
    try recording.frames(1)
    recording.stream.stop()
    recording.stream.stop()
    #expect(!kernel.fill(1))
    #expect(recording.frames.count == 1)
    let error = #expect(throws: CaptureError.self) { try recording.stream.start { _ in } }
    #expect(error?.code == .invalidState)
  }

  @Test func a_deallocated_stream_stops() throws {
    let kernel = FakeKernel()
    do { _ = try open(kernel) }
    _ = try Guest.wait(for: "the thread's end") { kernel.leaks == (0, 0) ? true : nil }
    #expect(kernel.trace.contains("VIDIOC_STREAMOFF"))
  }

  @Test func a_stream_can_be_stopped_from_its_handler() throws {
    let kernel = FakeKernel()
    let driver = try driver(kernel)
    let format = try #require(try driver.formats().first)
    let stream = try driver.openV4L2Stream(CaptureStreamRequest(format: format))
    let calls = Mutex(0)
    try stream.start { [weak stream] _ in
      calls.withLock { $0 += 1 }
      stream?.stop()
    }
    kernel.fill(0)
    _ = try Guest.wait(for: "the stop") { kernel.read { $0.isStreaming } == false ? true : nil }
    #expect(calls.withLock { $0 } == 1)
  }

  // MARK: Accounting

  @Test func gaps_damage_and_short_buffers_are_counted() throws {
    let kernel = FakeKernel()
    let recording = try open(kernel)
    let flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC
    kernel.fill(.max - 1)
    try recording.frames(1)
    kernel.fill(.max, flags: flags | V4L2_BUF_FLAG_ERROR)
    try recording.frames(2)
    kernel.fill(0, bytesUsed: 100)
    try recording.frames(3)
    kernel.fill(4)
    try recording.frames(4)
    kernel.fill(5)
    try recording.frames(5)
    recording.stream.stop()
    #expect(recording.frames.map(\.isDamaged) == [false, true, true, false, false])
    #expect(recording.losses.map(\.count) == [3])
    #expect(recording.losses.map(\.reason) == [.deviceSequenceGap])
    let statistics = recording.stream.statistics
    #expect(statistics.delivered == 5 && statistics.damaged == 2)
    #expect(statistics.sequenceGaps == 3 && statistics.lost == 3)
    #expect(statistics.timestampSource == .endOfFrame)
  }

  @Test func a_gap_while_all_buffers_are_held_is_out_of_buffers() throws {
    let kernel = FakeKernel()
    let recording = try open(kernel, buffers: 3, holds: 3)
    for number in 0..<3 as Range<UInt32> { kernel.fill(number) }
    try recording.frames(3)
    #expect(!kernel.fill(3))
    recording.releaseFrames()
    kernel.fill(6)
    try recording.frames(4)
    recording.stream.stop()
    #expect(recording.losses.map(\.reason) == [.outOfBuffers])
    #expect(recording.stream.statistics.outOfBuffers == 3)
  }

  @Test func a_gap_after_a_slow_handler_is_out_of_buffers() throws {
    let kernel = FakeKernel()
    let driver = try driver(kernel)
    let format = try #require(try driver.formats().first)
    let stream = try driver.openV4L2Stream(
      CaptureStreamRequest(format: format, frameRate: .fps25, bufferCount: 3))
    let reasons = Mutex<[DropReason]>([])
    let frames = Mutex(0)
    try stream.start { event in
      if case .lost(_, let reason, _) = event { reasons.withLock { $0.append(reason) } }
      guard case .sample = event else { return }
      // The handler of the second frame takes a second; three buffers last a tenth of that.
      if frames.withLock({
        $0 += 1; return $0
      }) == 2 {
        kernel.advance(milliseconds: 1000)
      }
    }
    for number in [0, 1, 23, 24, 30] as [UInt32] {
      let before = frames.withLock { $0 }
      kernel.fill(number)
      _ = try Guest.wait(for: "frame \(number)") { frames.withLock { $0 } > before ? true : nil }
    }
    stream.stop()
    #expect(reasons.withLock { $0 } == [.outOfBuffers, .deviceSequenceGap])
  }

  @Test func a_buffer_held_by_a_consumer_is_not_delivered_again() throws {
    let kernel = FakeKernel()
    let recording = try open(kernel, holds: 1)
    kernel.fill(0)
    try recording.frames(1)
    // The driver fills the held buffer anyway, as v4l2loopback does.
    kernel.fill(1, index: 0)
    kernel.fill(2)
    try recording.frames(2)
    recording.stream.stop()
    #expect(recording.frames.map(\.sequence) == [0, 2])
    #expect(recording.losses.map(\.reason) == [.outOfBuffers] && recording.lost == 1)
  }

  @Test func a_buffer_index_out_of_range_is_ignored() throws {
    let kernel = FakeKernel()
    let recording = try open(kernel)
    kernel.fill(0, index: 77)
    kernel.fill(1)
    try recording.frames(1)
    recording.stream.stop()
    #expect(recording.frames.map(\.sequence) == [1])
  }

  @Test func padded_rows_are_supported() throws {
    let kernel = FakeKernel(["/dev/video0": FakeDevice(bytesPerLine: 160)])
    let recording = try open(kernel, holds: 1)
    kernel.fill(0)
    try recording.frames(1)
    recording.stream.stop()
    #expect(recording.held.first?.imageBuffer?.bytesPerRow(plane: 0) == 160)
    recording.releaseFrames()
    #expect(!recording.frames[0].isDamaged)
  }

  @Test func planes_in_separate_blocks_are_mapped_separately() throws {
    var device = FakeDevice(
      capabilities: UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) | UInt32(V4L2_CAP_STREAMING),
      codes: ["NM16"])
    device.blocks = [(64, 64 * 32), (64, 64 * 32)]
    let kernel = FakeKernel(["/dev/video0": device])
    do {
      let recording = try open(kernel, buffers: 2, keeping: 2)
      #expect(kernel.leaks.mappings == 4)
      kernel.fill(0)
      kernel.fill(1)
      try recording.frames(2)
      recording.stream.stop()
      // The fake's memory holds the offset of its mapping: 16 times the buffer plus the block.
      let bytes = recording.bytes
      #expect([bytes[0], bytes[2048], bytes[4096], bytes[6144]] == [0, 1, 16, 17])
    }
    expectClean(kernel)
  }

  // MARK: Ends and errors

  @Test(arguments: [
    (Errno.brokenPipe, "ended"), (.ioError, "deviceFailed"), (.deviceGone, "deviceDisconnected"),
    (.invalidArgument, "deviceFailed"),
  ])
  func the_end_of_a_stream_is_reported_with_its_reason(_ error: Errno, _ reason: String) throws {
    let kernel = FakeKernel()
    do {
      let recording = try open(kernel)
      kernel.fill(0)
      try recording.frames(1)
      kernel.change { $0.dequeueErrors = [error] }
      kernel.fill(1)
      try recording.end()
      #expect((recording.failure?.code.name ?? recording.others.last) == reason)
      if reason != "ended" { #expect(recording.failure?.errno == error) }
      recording.stream.stop()
    }
    expectClean(kernel)
  }

  @Test func interrupted_calls_are_repeated() throws {
    let kernel = FakeKernel(faults: [
      .init(call: "VIDIOC_DQBUF", error: .interrupted), .init(call: "poll", error: .interrupted),
      .init(call: "VIDIOC_QBUF", error: .interrupted),
      .init(call: "VIDIOC_STREAMON", error: .interrupted),
    ])
    let recording = try open(kernel)
    kernel.fill(0)
    try recording.frames(1)
    recording.stream.stop()
    #expect(recording.failure == nil)
  }

  @Test func a_persistent_poll_error_does_not_cause_a_busy_loop() throws {
    let kernel = FakeKernel()
    let recording = try open(kernel)
    kernel.state.withLock { $0.pollError = true }
    Thread.sleep(forTimeInterval: 0.2)
    let polls = kernel.state.withLock { $0.counts["poll"] ?? 0 }
    recording.stream.stop()
    #expect(polls < 400)
  }

  @Test func silence_with_a_signal_is_reported_as_a_stall() throws {
    let kernel = FakeKernel()
    let recording = try open(kernel)
    kernel.fill(0)
    try recording.frames(1)
    kernel.advance(milliseconds: 6000)
    try recording.end()
    recording.stream.stop()
    #expect(recording.failure?.code == .deviceStalled)
  }

  @Test func undecodable_frames_are_lost_and_their_buffers_reused() throws {
    final class Picky: V4L2Converter {
      var calls = 0
      func convert(
        _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
      ) -> Bool {
        calls += 1
        return calls != 2
      }
    }
    let kernel = FakeKernel(["/dev/video0": FakeDevice(codes: ["MJPG"])])
    var options = V4L2StreamOptions()
    options.converter = { (_, _, _) throws(CaptureError) in Picky() }
    let recording = try open(kernel, options)
    for number in 0..<4 as Range<UInt32> {
      kernel.fill(number, bytesUsed: 900)
      _ = try Guest.wait(for: "frame \(number)") {
        recording.frames.count + recording.lost > Int(number) ? true : nil
      }
    }
    recording.stream.stop()
    #expect(recording.frames.map(\.sequence) == [0, 2, 3])
    #expect(recording.losses.map(\.reason) == [.deviceError])
    #expect(recording.stream.statistics.undecodable == 1)
    #expect(recording.frames.allSatisfy { $0.details.format == .yuv420p8 })
  }

  /// Each call in a stream's life fails in turn with each errno: the error is reported, nothing
  /// stays open or mapped, and nothing hangs.
  @Test(arguments: [Errno.ioError, .deviceGone, .noMemory, .resourceBusy, .invalidArgument])
  func a_fault_at_any_call_is_reported_and_leaks_nothing(_ error: Errno) throws {
    let first = FakeKernel()
    try live(first)
    expectClean(first)
    var seen: [String: Int] = [:]
    for call in first.trace + ["poll"] {
      let occurrence = (seen[call] ?? 0) + 1
      seen[call] = occurrence
      let kernel = FakeKernel(faults: [.init(call: call, occurrence: occurrence, error: error)])
      let mustFail =
        [
          "eventfd", "mmap", "VIDIOC_S_FMT", "VIDIOC_QUERYBUF", "VIDIOC_STREAMON", "poll",
        ].contains(call)
        // If the first look at the node fails, a search follows.
        || call == "open" && occurrence == 2 || call == "VIDIOC_QBUF" && occurrence <= 3
        || call == "VIDIOC_REQBUFS" && occurrence == 1
      var failed = false
      do {
        try live(kernel)
      } catch let failure as CaptureError {
        failed = true
        #expect(
          failure.message.contains("/dev/video0") || failure.message.contains("fake"), "\(failure)")
        #expect(!failure.message.contains("\n"))
      }
      if mustFail { #expect(failed, "\(call) \(occurrence) failed unnoticed") }
      #expect(kernel.leaks == (0, 0), "after \(call) \(occurrence)")
    }
    #expect(seen.count > 12)
  }

  /// Three frames, from finding the device to releasing it; throws the stream's error.
  private func live(_ kernel: FakeKernel) throws {
    let driver = V4L2DeviceDriver(
      .init(
        uniqueID: "v4l2:usb-fake-1", localizedName: "Fake Camera", modelID: "fake",
        node: "/dev/video0", mediaType: .video), calls: kernel)
    let details = PixelBuffer.Description(format: .yuyv, width: 64, height: 32)
    let format = CaptureDevice.Format(
      formatDescription: .video(VideoFormatDescription(details)), nativeCode: "YUYV",
      inputIndex: 0)
    let recording = try driver.record(format, rate: .fps25, buffers: 3)
    defer { recording.stream.stop() }
    for number in 0..<3 as Range<UInt32> {
      kernel.fill(number)
      try waitUntil("the frame or a failure comes") {
        recording.frames.count > Int(number) || recording.failure != nil
      }
      if let failure = recording.failure { throw failure }
      // If the device does not take a buffer back, there is one buffer fewer but no failure.
      try #require(recording.frames.count > Int(number))
    }
  }
}
