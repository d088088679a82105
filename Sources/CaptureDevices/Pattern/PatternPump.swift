import Foundation
import MediaCore
import Synchronization
import TestPattern

/// What the thread of a pattern stream does: a frame at each instant of its schedule.
struct PatternPump: Sendable {
  let kind: PatternKind
  let details: PixelBuffer.Description
  let schedule: PatternSchedule
  let startTimecode: Timecode?
  let options: PatternOptions
  let ring: PatternRing
  let conductor: PatternConductor

  private var rate: FrameRate { schedule.frameRate }

  /// Delivers until `isOver` is true, the device is "unplugged", or a buffer cannot be made.
  func run(_ handler: (CaptureEvent) -> Void, isOver: () -> Bool) {
    var run = Run(self)
    while !isOver() {
      guard run.step(handler, isOver: isOver) else { return }
    }
  }

  /// The address of the first frame: as asked for, or the time of day of its instant.
  private func firstTimecode(at instant: MediaTime) -> Timecode {
    if let startTimecode { return startTimecode }
    let ahead = instant.seconds - Double(MonotonicClock.now) * 1e-9
    return Timecode(timeOfDay: Date().timeIntervalSince1970 + ahead, rate: rate)
  }

  /// The state of a run.
  private struct Run {
    let pump: PatternPump
    let firstIndex: Int64
    let startTimecode: Timecode
    var scene: PatternScene
    var random: PatternRandom
    /// The next frame on the schedule.
    var index: Int64
    /// The device's count of frames: without those that it saw no signal for.
    var sequence: UInt32 = 0
    var undelivered = 0
    var hasStalled = false
    /// The frame before which the signal goes; nil for never.
    var signalLossFrame: Int?

    init(_ pump: PatternPump) {
      self.pump = pump
      scene = PatternScene(pump.kind, pump.details, phaseCount: pump.ring.phaseCount)
      random = PatternRandom(seed: pump.options.seed)
      signalLossFrame = pump.options.signalLoss?.frame
      let next = pump.schedule.frame(from: MonotonicClock.now)
      let flash = pump.schedule.framesPerFlash
      // Without a pace the first frame is a flash, so that two runs give the same frames.
      firstIndex =
        pump.options.isRealTime ? next + 1 : (next + flash - 1) / flash * flash
      index = firstIndex
      startTimecode = pump.firstTimecode(at: pump.schedule.time(ofFrame: firstIndex))
    }

    func time(_ index: Int64) -> MediaTime { pump.schedule.time(ofFrame: index) }

    /// Waits for the next frame's instant; false where the stream ended meanwhile.
    func wait(for index: Int64, _ isOver: () -> Bool) -> Bool {
      let instant = time(index).nanoseconds ?? 0
      guard pump.options.isRealTime else {
        pump.conductor.advance(to: instant, unless: isOver)
        return !isOver()
      }
      return MonotonicClock.sleep(until: instant, unless: isOver)
    }

    mutating func lose(
      _ count: Int, _ reason: DropReason, _ handler: (CaptureEvent) -> Void
    ) {
      index += Int64(count)
      sequence &+= UInt32(truncatingIfNeeded: count)
      undelivered += count
      handler(.lost(count: count, reason: reason, time: time(index)))
    }

    /// One frame, delivered or lost; false where the stream has ended.
    mutating func step(_ handler: (CaptureEvent) -> Void, isOver: () -> Bool) -> Bool {
      guard playFaults(handler, isOver) else { return false }
      guard wait(for: index, isOver) else { return false }
      if pump.options.isRealTime {
        // A handler or a machine that held this thread up: the buffers have run over meanwhile.
        let lost = pump.schedule.framesLost(
          of: index, at: MonotonicClock.now, buffers: pump.ring.slots.count)
        if lost > 0 { lose(lost, .outOfBuffers, handler) }
      }
      if chance(pump.options.dropProbability) {
        lose(1, .deviceSequenceGap, handler)
        return true
      }
      guard let slot = takeSlot(isOver) else {
        if isOver() { return false }
        lose(1, .outOfBuffers, handler)
        return true
      }
      return deliver(slot, handler)
    }

    private mutating func chance(_ probability: Double) -> Bool {
      probability > 0 && Double.random(in: 0..<1, using: &random) < probability
    }

    private func takeSlot(_ isOver: () -> Bool) -> Int? {
      let phase = Int(sequence) % pump.ring.phaseCount
      var slot = pump.ring.take(phase: phase)
      while slot == nil, !pump.options.isRealTime, !isOver() {
        pump.ring.waitForReturn()
        slot = pump.ring.take(phase: phase)
      }
      return slot
    }

    private mutating func deliver(_ slot: Int, _ handler: (CaptureEvent) -> Void) -> Bool {
      let position = pump.schedule.position(ofFrame: index)
      let frame = PatternFrame(
        sequence: sequence, timecode: startTimecode.advanced(by: index - firstIndex),
        position: position, framesPerFlash: pump.schedule.framesPerFlash,
        isFlash: position < pump.schedule.flashFrames)
      scene.paint(frame, into: pump.ring.slots[slot])
      let ring = pump.ring
      do {
        let buffer = try pump.ring.slots[slot].buffer { ring.put(slot) }
        var attachments = SampleBuffer.Attachments()
        attachments.sequenceNumber = sequence
        attachments.timecode = frame.timecode
        attachments.precedingLoss = undelivered
        attachments.isDamaged = chance(pump.options.damageProbability)
        let sample = SampleBuffer(
          .video(buffer), presentationTimeStamp: time(index),
          duration: pump.rate.frameDuration, attachments: attachments)
        undelivered = 0
        index += 1
        sequence &+= 1
        handler(.sample(sample))
        return true
      } catch {
        ring.put(slot)
        handler(.failed(CaptureError(.deviceFailed, "the pattern device: \(error.message)")))
        return false
      }
    }

    /// The faults of the options that are due at this frame; false where the stream has ended.
    private mutating func playFaults(
      _ handler: (CaptureEvent) -> Void, _ isOver: () -> Bool
    ) -> Bool {
      let options = pump.options
      if let frame = options.unplugFrame, Int(sequence) >= frame {
        handler(
          .failed(
            CaptureError(
              .deviceDisconnected, "the pattern device was unplugged, as its options ask",
              errno: ENODEV)))
        return false
      }
      if let stall = options.stall, Int(sequence) >= stall.frame, !hasStalled {
        hasStalled = true
        let count = frames(stall.seconds)
        guard wait(for: index + Int64(count), isOver) else { return false }
        lose(count, .deviceSequenceGap, handler)
      }
      if let loss = options.signalLoss, let frame = signalLossFrame, Int(sequence) >= frame {
        signalLossFrame = options.signalLossPeriod.map { frame + $0 }
        handler(.signalLost)
        index += Int64(frames(loss.seconds))
        guard wait(for: index, isOver) else { return false }
        handler(.signalRestored)
      }
      return true
    }

    private func frames(_ seconds: Double) -> Int {
      max(Int((seconds * pump.rate.framesPerSecond).rounded(.up)), 1)
    }
  }
}
