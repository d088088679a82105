import CVideo4Linux
import MediaCore
import Synchronization
import SystemPackage

/// The loop of a stream's thread: waits for the device, and tells the handler what came.
final class V4L2StreamPump {
  private let handle: V4L2Handle
  private let agreement: V4L2Agreement
  private let queue: V4L2BufferQueue
  private let options: V4L2StreamOptions
  private let control: V4L2StreamControl
  private let handler: @Sendable (CaptureEvent) -> Void
  private let whenGone: @Sendable () -> Void
  private let converter: (any V4L2Converter)?
  private let pool: V4L2ConversionPool?
  /// Memory for frames that are copied or woven.
  private let frames: PixelBufferPool?
  private let weaver: V4L2FieldWeaver?
  private let frameDuration: MediaTime
  /// From one buffer to the next: a frame, or half of one.
  private let frameNanoseconds: Int64?

  private var clock: V4L2FrameClock
  private var sequence = V4L2SequenceCounter()
  private var monitor: V4L2SignalMonitor
  private var lastFrame: Int64
  private var lastCheck: Int64
  private var lag: (nanoseconds: Int64, queued: Int) = (0, 0)
  private var undeliveredLoss = 0

  private enum Exit: Error {
    case stopped
    case ended(CaptureEvent)
  }

  init(
    _ stream: V4L2CaptureStream, handler: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    self.control = stream.control
    self.handle = stream.handle
    self.agreement = stream.agreement
    self.queue = stream.queue
    self.options = stream.options
    self.handler = handler
    self.whenGone = stream.whenGone
    self.frameDuration = agreement.frameRate?.frameDuration ?? .invalid
    let isWoven = agreement.assembly == .woven
    let frame = frameDuration.nanoseconds
    self.frameNanoseconds = isWoven ? frame.map { $0 / 2 } : frame
    let frames = try Self.framePool(stream)
    self.frames = frames
    self.weaver = isWoven ? frames.map { V4L2FieldWeaver($0, frameDuration: frame) } : nil
    self.clock = V4L2FrameClock(frameDuration: frameNanoseconds)
    if let emulation = agreement.description.emulation {
      self.converter = try stream.options.converter(handle, agreement.frame, emulation)
      self.pool = V4L2ConversionPool(agreement.details, capacity: queue.count)
    } else {
      self.converter = nil
      self.pool = nil
    }
    let hasEvents = Self.subscribe(handle, to: UInt32(V4L2_EVENT_SOURCE_CHANGE))
    _ = Self.subscribe(handle, to: UInt32(V4L2_EVENT_EOS))
    self.monitor = V4L2SignalMonitor(
      input: agreement.input?.index, timings: agreement.timings, format: agreement.frame,
      hasEvents: hasEvents)
    self.lastFrame = handle.calls.monotonicNanoseconds()
    self.lastCheck = lastFrame
  }

  /// As many frames as were asked for; more if the device has buffers for more.
  private static func framePool(
    _ stream: V4L2CaptureStream
  ) throws(CaptureError) -> PixelBufferPool? {
    guard stream.agreement.assembly != .inPlace else { return nil }
    let buffersPerFrame = stream.agreement.assembly == .woven ? 2 : 1
    do {
      return try PixelBufferPool(
        stream.agreement.details,
        capacity: max(stream.frameCount, stream.queue.count / buffersPerFrame))
    } catch {
      throw CaptureError(.deviceFailed, "\(stream.handle.node): \(error.message)")
    }
  }

  private static func subscribe(_ handle: V4L2Handle, to type: UInt32) -> Bool {
    var subscription = v4l2_event_subscription()
    subscription.type = type
    return (try? handle.call(.subscribeEvent, &subscription)) != nil
  }

  /// Runs until the stream is stopped or ends by itself.
  func run() {
    lastFrame = handle.calls.monotonicNanoseconds()
    lastCheck = lastFrame
    do throws(Exit) {
      while true { try turn() }
    } catch {
      guard case .ended(let event) = error, !isStopped else { return }
      if case .failed(let failure) = event, failure.code == .deviceDisconnected { whenGone() }
      handler(event)
    }
  }

  private var isStopped: Bool { control.isStopped }

  private func turn() throws(Exit) {
    guard !isStopped else { throw .stopped }
    let ready: V4L2Readiness
    do {
      ready = try handle.calls.poll(
        device: handle.descriptor, wakeup: control.wakeup, milliseconds: 100)
    } catch .interrupted {
      return
    } catch {
      throw .ended(
        .failed(
          CaptureError(
            .deviceFailed, "cannot wait for \(handle.node): \(error)", errno: error)))
    }
    guard !isStopped else { throw .stopped }
    if ready.contains(.event) { try takeEvents() }
    if ready.contains(.buffer) || ready.contains(.error) {
      let isIdle = try !takeFrame() && ready.contains(.error)
      // In error, yet with nothing to say: do not spin on it.
      if isIdle { pause() }
    }
    try watch()
  }

  private func pause() {
    _ = try? handle.calls.poll(device: -1, wakeup: control.wakeup, milliseconds: 20)
  }

  // MARK: Events

  private func takeEvents() throws(Exit) {
    // A queue of events is short; a driver that never empties it would hang us.
    for _ in 0..<64 {
      var event = v4l2_event()
      do {
        try handle.call(.dequeueEvent, &event)
      } catch {
        return
      }
      switch event.type {
      case UInt32(V4L2_EVENT_SOURCE_CHANGE): try checkSignal(afterEvent: true)
      case UInt32(V4L2_EVENT_EOS): throw .ended(.ended)
      default: break
      }
    }
  }

  private func checkSignal(afterEvent: Bool) throws(Exit) {
    let change: V4L2SignalMonitor.Change?
    do {
      change = try monitor.check(handle, afterEvent: afterEvent)
    } catch {
      throw .ended(.failed(error))
    }
    switch change {
    case .lost: handler(.signalLost)
    case .restored:
      lastFrame = handle.calls.monotonicNanoseconds()
      handler(.signalRestored)
    case .changed: throw .ended(.formatChanged)
    case nil: break
    }
  }

  /// Looks after the signal and after a device that has fallen silent.
  private func watch() throws(Exit) {
    let now = handle.calls.monotonicNanoseconds()
    if now - lastCheck >= options.signalInterval * 1_000_000 {
      lastCheck = now
      try checkSignal(afterEvent: false)
    }
    let silence = max(options.stallTimeout * 1_000_000, 10 * (frameNanoseconds ?? 0))
    if !monitor.isLost, now - lastFrame > silence, queue.hasBuffers {
      throw .ended(
        .failed(
          CaptureError(
            .deviceStalled,
            "\(handle.node) has delivered nothing for \(silence / 1_000_000_000) s: check the "
              + "source, or plug the device in again")))
    }
  }

  // MARK: Frames

  /// Dequeues one frame; false if there is none.
  private func takeFrame() throws(Exit) -> Bool {
    let filled: V4L2BufferQueue.Filled
    do {
      guard let next = try queue.dequeue() else { return false }
      filled = next
    } catch {
      throw .ended(Self.event(of: error, on: handle.node))
    }
    let now = handle.calls.monotonicNanoseconds()
    lastFrame = now
    let reading = clock.read(stamp: filled.nanoseconds, flags: filled.flags, now: now)
    if let weaver, let layout = agreement.layout {
      weave(filled, reading, now: now, weaver, layout)
    } else {
      let time = Self.time(reading.nanoseconds)
      account(filled, filled.sequence, reading, time, now: now)
      deliver(filled, time)
    }
    // While the handler ran, the device filled its other buffers.
    lag.nanoseconds += handle.calls.monotonicNanoseconds() - now
    return true
  }

  private static func time(_ nanoseconds: Int64) -> MediaTime {
    MediaTime(value: nanoseconds, timescale: 1_000_000_000)
  }

  private static func event(of error: Errno, on node: String) -> CaptureEvent {
    // EPIPE: the device has sent its last buffer.
    error == .brokenPipe ? .ended : .failed(.calling(.dequeueBuffer, on: node, error))
  }

  /// Notes a frame's number and time, and reports frames that are missing before it.
  private func account(
    _ filled: V4L2BufferQueue.Filled, _ number: UInt32, _ reading: V4L2FrameClock.Reading,
    _ time: MediaTime, now: Int64
  ) {
    let wasStarved = filled.followsStarvation || wasLate
    lag = (now - reading.nanoseconds, filled.queuedBefore)
    let step = sequence.take(number)
    control.counters.withLock { counters in
      counters.lastSequence = number
      counters.timestampSource = Self.source(filled.flags)
      if reading.isDiscontinuous { counters.clockJumps += 1 }
      switch step {
      case .next: break
      case .restart: counters.sequenceRestarts += 1
      case .gap(let count):
        if wasStarved { counters.outOfBuffers += count } else { counters.sequenceGaps += count }
      }
    }
    switch step {
    case .gap(let count):
      undeliveredLoss += count
      handler(
        .lost(
          count: count, reason: wasStarved ? .outOfBuffers : .deviceSequenceGap, time: time))
    case .restart:
      handler(.lost(count: 0, reason: .discontinuity, time: time))
    case .next:
      if reading.isDiscontinuous { handler(.lost(count: 0, reason: .discontinuity, time: time)) }
    }
  }

  /// True where the frame before was taken so late, or kept the handler so long, that the device
  /// had filled all its buffers.
  private var wasLate: Bool {
    guard let frameNanoseconds, lag.queued > 0 else { return false }
    return lag.nanoseconds > Int64(lag.queued + 1) * frameNanoseconds
  }

  private static func source(_ flags: UInt32) -> V4L2CaptureStatistics.TimestampSource {
    guard
      flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
    else { return .unknown }
    return flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) == UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
      ? .startOfExposure : .endOfFrame
  }

  private func deliver(_ filled: V4L2BufferQueue.Filled, _ time: MediaTime) {
    let hasErrorFlag = filled.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
    let frame: PixelBuffer
    var isDamaged = hasErrorFlag
    if let layout = agreement.layout {
      isDamaged = isDamaged || queue.isShort(filled, layout: layout)
      guard
        let made = try? queue.frame(filled, layout: layout, details: agreement.details)
      else { return refuse(time, .deviceError) }
      guard let kept = keep(made, time) else { return }
      frame = kept
    } else {
      guard let made = convert(filled, time) else { return }
      frame = made
    }
    hand(frame, time, sequence: filled.sequence, isDamaged: isDamaged)
  }

  /// The frame, or a copy of it if the device's memory is not safe.
  private func keep(_ frame: PixelBuffer, _ time: MediaTime) -> PixelBuffer? {
    guard let frames else { return frame }
    guard var copy = try? frames.makeBuffer() else {
      control.counters.withLock { $0.outOfBuffers += 1 }
      refuse(time, .outOfBuffers)
      return nil
    }
    copy.copyRows(of: frame, from: 0, step: 1)
    return copy.finish()
  }

  /// Takes a field, and tells of the frames that it completes.
  private func weave(
    _ filled: V4L2BufferQueue.Filled, _ reading: V4L2FrameClock.Reading, now: Int64,
    _ weaver: V4L2FieldWeaver, _ layout: V4L2Layout
  ) {
    let hasErrorFlag = filled.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
    let isDamaged = hasErrorFlag || queue.isShort(filled, layout: layout)
    guard let parity = V4L2FieldPairing.Parity(filled.field) else {
      queue.giveBack(filled.index)
      return refuse(Self.time(reading.nanoseconds), .deviceError)
    }
    guard
      let rows = try? queue.frame(filled, layout: layout, details: agreement.bufferDetails)
    else { return refuse(Self.time(reading.nanoseconds), .deviceError) }
    let field = V4L2FieldPairing.Field(
      parity: parity, sequence: filled.sequence, nanoseconds: reading.nanoseconds)
    weaver.take(field, rows, isDamaged: isDamaged) { outcome in
      switch outcome {
      case .frame(let frame, let number, let begin, let isDamaged):
        account(filled, number, reading, Self.time(begin), now: now)
        hand(frame, Self.time(begin), sequence: number, isDamaged: isDamaged)
      case .noRoom(let number, let begin):
        account(filled, number, reading, Self.time(begin), now: now)
        control.counters.withLock { $0.outOfBuffers += 1 }
        refuse(Self.time(begin), .outOfBuffers)
      }
    }
  }

  private func hand(
    _ frame: PixelBuffer, _ time: MediaTime, sequence: UInt32, isDamaged: Bool
  ) {
    var attachments = SampleBuffer.Attachments()
    attachments.sequenceNumber = sequence
    attachments.isDamaged = isDamaged
    attachments.precedingLoss = undeliveredLoss
    undeliveredLoss = 0
    control.counters.withLock {
      $0.delivered += 1
      if isDamaged { $0.damaged += 1 }
    }
    handler(
      .sample(
        SampleBuffer(
          .video(frame), presentationTimeStamp: time, duration: frameDuration,
          attachments: attachments)))
  }

  /// Decodes a compressed or odd frame; nil, and counted, if that fails.
  private func convert(_ filled: V4L2BufferQueue.Filled, _ time: MediaTime) -> PixelBuffer? {
    guard let converter, let pool else {
      queue.giveBack(filled.index)
      return nil
    }
    let outcome = pool.make { destination in
      queue.withBytes(filled) { converter.convert($0, into: destination) }
    }
    queue.giveBack(filled.index)
    switch outcome {
    case .frame(let frame): return frame
    case .exhausted:
      control.counters.withLock { $0.outOfBuffers += 1 }
      refuse(time, .outOfBuffers)
    case .unusable:
      control.counters.withLock { $0.undecodable += 1 }
      refuse(time, .deviceError)
    }
    return nil
  }

  private func refuse(_ time: MediaTime, _ reason: DropReason) {
    undeliveredLoss += 1
    handler(.lost(count: 1, reason: reason, time: time))
  }
}
