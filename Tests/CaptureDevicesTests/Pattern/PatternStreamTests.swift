import Foundation
import MediaCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TestPattern

@Suite struct PatternStreamTests {
  func stream(
    _ identifier: String, rate: FrameRate = .fps60, buffers: Int = 8, timecode: String? = nil,
    layout: PixelFormat = .p210
  ) throws -> any CaptureStream {
    let driver = try PatternDeviceDriver(identifier: identifier)
    let format = try #require(try driver.format(layout, 640, 360))
    return try driver.openStream(
      CaptureStreamRequest(
        format: format, frameRate: rate, bufferCount: buffers,
        startTimecode: timecode.flatMap { Timecode($0, frameRate: rate) }))
  }

  @Test func frames_arrive_in_real_time_and_in_order() throws {
    let stream = try stream("pattern", rate: .fps59_94, timecode: "01:00:00;00")
    let before = MonotonicClock.now
    // A busy machine may be late, and then the device is right to lose frames.
    let recorder = StreamRecorder.Copy(count: 40)
    try stream.start { recorder.handle($0) }
    recorder.wait()
    stream.stop()
    let after = MonotonicClock.now
    let frames = recorder.frames
    #expect(frames.count >= 40)
    let first = try #require(frames.first)
    let firstTime = try #require(first.time.nanoseconds)
    #expect(firstTime > before && firstTime < after)
    for frame in frames {
      let index = Int64(frame.sequence)
      #expect(frame.time == first.time + FrameRate.fps59_94.frameDuration * index)
      #expect(frame.number == frame.sequence)
      #expect(frame.timecode == first.timecode?.advanced(by: index))
      #expect(frame.arrival >= (frame.time.nanoseconds ?? .max))
    }
    #expect(first.timecode?.description == "01:00:00;00")
    #expect(stream.frameRate == .fps59_94)
  }

  @Test func no_handler_is_called_after_stopping_a_pattern() throws {
    for _ in 0..<5 {
      let stream = try stream("pattern?pace=none")
      let isStopped = Atomic(false)
      let late = Atomic(0)
      try stream.start { _ in
        if isStopped.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
      }
      Thread.sleep(forTimeInterval: 0.01)
      stream.stop()
      isStopped.store(true, ordering: .releasing)
      Thread.sleep(forTimeInterval: 0.01)
      stream.stop()
      #expect(late.load(ordering: .relaxed) == 0)
      #expect(throws: CaptureError.self) { try stream.start { _ in } }
    }
  }

  @Test func a_handler_can_stop_its_own_stream() throws {
    let stream = try stream("pattern?pace=none")
    let count = Atomic(0)
    let done = DispatchSemaphore(value: 0)
    try stream.start { [weak stream] _ in
      count.add(1, ordering: .relaxed)
      stream?.stop()
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    stream.stop()
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func without_a_pace_two_runs_give_identical_frames() throws {
    func run() throws -> [PlainFrame] {
      let recorder = StreamRecorder.Copy(count: 6, keepsFrames: true)
      let stream = try stream(
        "pattern:zoneplate?pace=none", rate: .fps25, buffers: 3, timecode: "10:00:00:00")
      try stream.start { recorder.handle($0) }
      recorder.wait()
      stream.stop()
      #expect(recorder.lost == 0, "no buffer, no loss: the device waits")
      return recorder.images.prefix(6).map(\.self)
    }
    let (one, two) = (try run(), try run())
    #expect(one.count == 6)
    #expect(one == two)
    let flash = PatternGeometry(width: 640, height: 360).flash
    #expect(one[0].luma(flash.x + 4, flash.y + 4) == 940, "the first frame is a flash")
    #expect(one[1].luma(flash.x + 4, flash.y + 4) == 64)
  }

  @Test func frames_lost_while_all_buffers_are_held_are_counted() throws {
    let stream = try stream("pattern", buffers: 3)
    let kept = Mutex<[SampleBuffer]>([])
    let numbers = Mutex<[UInt32]>([])
    let lost = Atomic(0)
    let reasons = Mutex<Set<DropReason>>([])
    try stream.start { event in
      switch event {
      case .sample(let sample):
        kept.withLock { $0.append(sample) }
        numbers.withLock { $0.append(sample.attachments.sequenceNumber ?? 0) }
      case .lost(let count, let reason, _):
        lost.add(count, ordering: .relaxed)
        reasons.withLock { _ = $0.insert(reason) }
      default: break
      }
    }
    try waitUntil("five frames are lost") { lost.load(ordering: .relaxed) >= 5 }
    #expect(kept.withLock { $0.count } == 3)
    kept.withLock { $0.removeAll() }
    try waitUntil("frames come again") { kept.withLock { $0.count } >= 2 }
    stream.stop()
    let seen = numbers.withLock { $0 }
    #expect(reasons.withLock { $0 } == [.outOfBuffers])
    #expect(seen.count >= 5)
    #expect(seen == seen.sorted() && Set(seen).count == seen.count)
    let losses = kept.withLock { $0.reduce(0) { $0 + $1.attachments.precedingLoss } }
    let gap = Int(seen[3]) - 3
    #expect(gap >= 5)
    #expect(losses >= gap, "the sample after a gap gives its length")
  }

  @Test func random_faults_appear_only_as_gaps_and_flags() throws {
    let recorder = StreamRecorder.Copy(count: 150)
    let stream = try stream("pattern?pace=none&drop=0.2&damage=0.1&seed=5")
    try stream.start { recorder.handle($0) }
    recorder.wait()
    stream.stop()
    let frames = recorder.frames
    let last = try #require(frames.last)
    let missing = Int(last.sequence) + 1 - frames.count
    #expect(missing > 10)
    #expect(frames.reduce(0) { $0 + $1.precedingLoss } == missing)
    #expect(recorder.lost >= missing)
    for (one, two) in zip(frames, frames.dropFirst()) {
      #expect(Int(two.sequence - one.sequence) == 1 + two.precedingLoss)
      #expect(
        two.time - one.time == FrameRate.fps60.frameDuration * Int64(two.sequence - one.sequence))
      #expect(two.number == two.sequence, "the number in the frame is the same")
    }
    #expect((3...40).contains(frames.filter(\.isDamaged).count))
  }

  @Test func a_delay_within_the_buffered_time_loses_no_frames() {
    var random = SeededGenerator(seed: 11)
    for rate in FrameRate.standard {
      for _ in 0..<200 {
        let schedule = PatternSchedule(frameRate: rate)
        let next = Int64.random(in: 1...10_000_000, using: &random)
        let buffers = Int.random(in: 2...32, using: &random)
        let start = schedule.time(ofFrame: next).nanoseconds ?? 0
        let frame = 1e9 / rate.framesPerSecond
        let held = Int64(Double(buffers) * frame * Double.random(in: 0..<1, using: &random))
        #expect(schedule.framesLost(of: next, at: start + held, buffers: buffers) == 0)
        // Past that, only the frames that come too late for a buffer are lost.
        let extra = Int.random(in: 1...100, using: &random)
        let later = start + Int64((Double(buffers + extra) + 0.5) * frame)
        #expect(schedule.framesLost(of: next, at: later, buffers: buffers) == extra)
      }
    }
  }

  @Test(arguments: ["zoneplate", "noise"])
  func more_buffers_give_the_same_frames(kind: String) throws {
    func images(buffers: Int, layout: PixelFormat) throws -> [PlainFrame] {
      let count = 20
      let stream = try stream(
        "pattern:\(kind)?pace=none", buffers: buffers, timecode: "01:00:00:00", layout: layout)
      let recorder = StreamRecorder.Copy(count: count, keepsFrames: true)
      try stream.start { recorder.handle($0) }
      recorder.wait()
      stream.stop()
      return Array(recorder.images.prefix(count))
    }
    // Each frame is returned before the next one is taken, so its slot is free.
    #expect(
      try images(buffers: 8, layout: .v210) == images(buffers: 21, layout: .v210))
  }

  @Test func slots_of_the_same_phase_are_preferred() throws {
    let ring = try PatternRing(
      PixelBuffer.Description(format: .p210, width: 64, height: 32), count: 19)
    #expect(ring.phaseCount == 8)
    #expect((0..<3).map { _ in ring.take(phase: 2) } == [2, 10, 18])
    // A slot of another phase is better than none.
    #expect(ring.take(phase: 2) == 0)
    ring.put(10)
    #expect(ring.take(phase: 2) == 10)
    #expect((0..<15).compactMap { _ in ring.take(phase: 2) }.count == 15)
    #expect(ring.take(phase: 2) == nil)
  }

  @Test func a_stall_loses_the_frames_of_its_duration() throws {
    let recorder = try StreamRecorder.run(stream("pattern?stall=4,0.2", rate: .fps50)) { $1 >= 8 }
    let numbers = recorder.samples.compactMap(\.attachments.sequenceNumber)
    #expect(numbers.prefix(5) == [0, 1, 2, 3, 14])
    #expect(recorder.losses.first?.count == 10)
    #expect(recorder.losses.first?.reason == .deviceSequenceGap)
  }

  @Test func a_lost_signal_returns_later() throws {
    let recorder = try StreamRecorder.run(stream("pattern?pace=none&signal=3,2", rate: .fps25)) {
      $1 >= 6
    }
    let kinds = recorder.events.prefix(6).map {
      switch $0 {
      case .sample: "sample"
      case .signalLost: "lost"
      case .signalRestored: "restored"
      default: "other"
      }
    }
    #expect(kinds == ["sample", "sample", "sample", "lost", "restored", "sample"])
    let samples = recorder.samples
    #expect(samples[3].attachments.sequenceNumber == 3)
    #expect(
      samples[3].presentationTimeStamp - samples[2].presentationTimeStamp
        == MediaTime(value: 51, timescale: 25))
  }

  @Test func a_periodic_signal_loss_repeats() throws {
    let recorder = try StreamRecorder.run(stream("pattern?pace=none&signal=3,2,2", rate: .fps25)) {
      $1 >= 7
    }
    let losses = recorder.events.indices.filter {
      if case .signalLost = recorder.events[$0] { true } else { false }
    }
    #expect(losses.prefix(2) == [3, 7])
    #expect(recorder.samples.prefix(7).compactMap(\.attachments.sequenceNumber) == Array(0..<7))
  }

  @Test func an_unplugged_device_reports_the_disconnection() throws {
    let recorder = try StreamRecorder.run(stream("pattern?pace=none&unplug=5")) { event, _ in
      if case .failed = event { true } else { false }
    }
    #expect(recorder.samples.count == 5)
    guard case .failed(let error) = recorder.events.last else {
      Issue.record("the last event is not the failure")
      return
    }
    #expect(error.code == .deviceDisconnected)
    #expect(error.errno == .operationNotSupportedByDevice)
  }

  @Test func frames_outlive_their_stream() throws {
    let recorder = try StreamRecorder.run(stream("pattern?pace=none")) { $1 >= 3 }
    let first = try #require(recorder.samples.first?.imageBuffer)
    #expect(PatternFrameNumber.read(from: first) == 0)
  }

  @Test(arguments: [
    "pattern:none", "pattern:bars:x", "pattern:bars?pace=fast", "pattern?drop=2",
    "pattern?drop=x", "pattern?stall=5", "pattern?stall=-1,2", "pattern?what=1", "pattern?drop",
    "patterns", "pattern?unplug=-1", "pattern?seed=-1", "pattern?signal=3,2,0",
    "pattern?signal=3,2,4,5",
  ])
  func invalid_pattern_identifiers_are_refused(identifier: String) {
    let error = #expect(throws: CaptureError.self) {
      try PatternDeviceDriver(identifier: identifier)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func unsupported_requests_are_refused() throws {
    let driver = PatternDeviceDriver(kind: .bars)
    let format = try #require(try driver.format(.p210, 1920, 1080, .topFieldFirst))
    func code(_ request: CaptureStreamRequest) -> CaptureError.Code? {
      do { _ = try driver.openStream(request) } catch { return error.code }
      return nil
    }
    #expect(code(CaptureStreamRequest(format: format, frameRate: .fps60)) == .formatUnavailable)
    var other = format
    other.formatDescription = .video(
      VideoFormatDescription(.init(format: .bgr24, width: 1920, height: 1080)))
    #expect(code(CaptureStreamRequest(format: other)) == .formatUnavailable)
    #expect(
      code(
        CaptureStreamRequest(
          format: format, frameRate: .fps25,
          startTimecode: Timecode("01:00:00:00", frameRate: .fps30))) == .invalidArgument)
    #expect(driver.identity.uniqueID == "pattern:bars")
    #expect(try PatternDeviceDriver(identifier: "pattern").identity.uniqueID == "pattern:bars")
    let query = "pattern:ramp?pace=none&drop=0.5"
    #expect(try PatternDeviceDriver(identifier: query).identity.uniqueID == query)
  }

  @Test func every_offered_format_is_valid_and_unique() throws {
    let formats = try PatternDeviceDriver().formats()
    #expect(Set(formats).count == formats.count)
    #expect(formats.first?.tier == .native10Bit422)
    #expect(formats.first?.dimensions == VideoDimensions(width: 1920, height: 1080))
    for format in formats {
      #expect(format.frameRates == format.frameRates.sorted(by: >))
      #expect(format.dimensions.width <= 7680)
    }
  }
}

extension StreamRecorder {
  /// Notes the samples' properties without keeping their buffers.
  final class Copy: Sendable {
    struct Frame: Sendable {
      let sequence: UInt32
      let number: UInt32?
      let time: MediaTime
      let timecode: Timecode?
      let precedingLoss: Int
      let isDamaged: Bool
      let arrival: Int64
    }

    private struct State {
      var frames: [Frame] = []
      var images: [PlainFrame] = []
      var lost = 0
    }
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)
    private let count: Int
    private let keepsFrames: Bool

    init(count: Int, keepsFrames: Bool = false) {
      self.count = count
      self.keepsFrames = keepsFrames
    }

    func handle(_ event: CaptureEvent) {
      if case .lost(let count, _, _) = event { state.withLock { $0.lost += count } }
      guard case .sample(let sample) = event, let image = sample.imageBuffer else { return }
      let arrival = MonotonicClock.now
      guard state.withLock({ $0.frames.count }) < count else { return }
      let plain = keepsFrames ? try? PlainFrame(image) : nil
      let frame = Frame(
        sequence: sample.attachments.sequenceNumber ?? .max,
        number: PatternFrameNumber.read(from: image), time: sample.presentationTimeStamp,
        timecode: sample.attachments.timecode, precedingLoss: sample.attachments.precedingLoss,
        isDamaged: sample.attachments.isDamaged, arrival: arrival)
      let isLast = state.withLock { state in
        state.frames.append(frame)
        if let plain { state.images.append(plain) }
        return state.frames.count == count
      }
      if isLast { done.signal() }
    }

    func wait() { _ = done.wait(timeout: .now() + 60) }
    var frames: [Frame] { state.withLock { $0.frames } }
    var images: [PlainFrame] { state.withLock { $0.images } }
    var lost: Int { state.withLock { $0.lost } }
  }
}
