package import MediaCore
import Synchronization
import TestPattern

/// A running tone device.
package final class ToneStream: CaptureStream {
  private let format: AudioFormat
  private let options: ToneOptions
  private let stage: PatternStage
  private let threads: ThreadOptions
  private let lifecycle = StreamThread()

  /// What the stream delivers.
  package var formatDescription: FormatDescription { .audio(format) }
  /// Audio has no frame rate.
  package var frameRate: FrameRate? { nil }

  init(
    _ format: AudioFormat, options: ToneOptions, stage: PatternStage, threads: ThreadOptions
  ) {
    self.stage = stage
    self.format = format
    self.options = options
    self.threads = threads
  }

  deinit { stop() }

  /// Starts delivery, a hundredth of a second at a time.
  ///
  /// - Throws: ``CaptureError`` where it was started before, or there can be no thread.
  package func start(
    _ handler: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    let (format, options) = (format, options)
    // Here and not on the thread: every frame after the start has its audio.
    let part = TonePart(options, beside: stage.conductor)
    do throws(CaptureError) {
      try lifecycle.start(name: "tone", options: threads) { isOver in
        defer { part.leave() }
        guard var pump = TonePump(format, options, part, isOver) else { return }
        while !isOver() { guard pump.step(handler, isOver) else { return } }
      }
    } catch {
      part.leave()
      throw error
    }
  }

  /// Ends delivery.
  package func stop() { lifecycle.stop() }
}

/// A tone's part beside the pattern: what time it is, and how far it may go.
struct TonePart: Sendable {
  let schedule: PatternSchedule
  private let conducted: (conductor: PatternConductor, follower: Int)?

  /// Joins the pattern that plays without a pace, where there is one and the tone is to follow it.
  init(_ options: ToneOptions, beside conductor: PatternConductor?) {
    schedule =
      options.frameRate.map { PatternSchedule(frameRate: $0) } ?? conductor?.schedule
      ?? PatternSchedule(frameRate: .fps25)
    if options.followsPattern, let conductor, !conductor.isRealTime {
      conducted = (conductor, conductor.join())
    } else {
      conducted = nil
    }
  }

  /// The time at which audio starts; nil if the stream ended in the meantime.
  func begin(unless isOver: () -> Bool) -> Int64? {
    guard let (conductor, follower) = conducted else { return MonotonicClock.now }
    return conductor.begin(follower, unless: isOver)
  }

  /// False where the stream ended meanwhile.
  func wait(until instant: Int64, unless isOver: () -> Bool) -> Bool {
    guard let (conductor, follower) = conducted else {
      return MonotonicClock.sleep(until: instant, unless: isOver)
    }
    return conductor.wait(for: instant, follower: follower, unless: isOver)
  }

  /// Lets the pattern go on alone.
  func leave() { conducted?.conductor.leave(conducted?.follower ?? 0) }
}

/// What the thread of a tone stream does.
struct TonePump {
  let clock: ToneClock
  private let generator: ToneGenerator
  private let options: ToneOptions
  private let framesPerRun: Int
  private let part: TonePart
  private var random: PatternRandom
  private var next: Int64
  private var undelivered = 0

  /// What is to be done from now on; nil where the stream ended before there was anything.
  init?(_ format: AudioFormat, _ options: ToneOptions, _ part: TonePart, _ isOver: () -> Bool) {
    clock = ToneClock(
      sampleRate: format.sampleRate, clockError: options.clockError, schedule: part.schedule)
    generator = ToneGenerator(format)
    self.options = options
    self.part = part
    framesPerRun = format.sampleRate / 100
    random = PatternRandom(seed: options.seed)
    guard let instant = part.begin(unless: isOver) else { return nil }
    next = clock.index(at: instant)
  }

  /// One run of audio, delivered or lost when its last sample has passed; false if the stream
  /// has ended.
  mutating func step(_ handler: (CaptureEvent) -> Void, _ isOver: () -> Bool) -> Bool {
    let first = next
    next += Int64(framesPerRun)
    guard part.wait(until: clock.nanoseconds(of: next), unless: isOver) else { return false }
    if options.dropProbability > 0,
      Double.random(in: 0..<1, using: &random) < options.dropProbability
    {
      undelivered += framesPerRun
      handler(.lost(count: framesPerRun, reason: .overrun, time: clock.time(of: next)))
      return true
    }
    do {
      let buffer = try generator.run(
        from: first, frames: framesPerRun, stretch: clock.stretch)
      var attachments = SampleBuffer.Attachments()
      attachments.precedingLoss = undelivered
      undelivered = 0
      handler(
        .sample(
          SampleBuffer(
            .audio(buffer), presentationTimeStamp: clock.time(of: first),
            duration: buffer.duration, attachments: attachments)))
      return true
    } catch {
      handler(.failed(CaptureError(.deviceFailed, "the tone device: \(error.message)")))
      return false
    }
  }
}

/// Where a sample lies in time: sample 0 at the zero of CLOCK_MONOTONIC, on a clock that may run a
/// little fast or slow.
struct ToneClock: Sendable {
  let sampleRate: Int
  // What is asked for at every sample is worked out once.
  private let isExact: Bool
  private let actualRate: Double
  // A flash's period and a sample, in units of one sample divided by the period's time scale.
  private let flashPeriod: UInt64
  private let sampleUnits: UInt64
  private let flashSeconds: Double

  init(sampleRate: Int, clockError: Double, schedule: PatternSchedule) {
    self.sampleRate = sampleRate
    isExact = clockError == 0 && schedule.clockError == 0
    actualRate = Double(sampleRate) * (1 + clockError * 1e-6)
    let period = schedule.flashPeriod
    flashPeriod = UInt64(period.value) * UInt64(sampleRate)
    sampleUnits = UInt64(period.timescale)
    flashSeconds = schedule.flashSeconds
  }

  /// The first sample not before an instant.
  func index(at nanoseconds: Int64) -> Int64 {
    isExact
      ? Int64(
        clamping: (Int128(nanoseconds) * Int128(sampleRate) + 999_999_999) / 1_000_000_000)
      : Int64((Double(nanoseconds) * 1e-9 * actualRate).rounded(.up))
  }

  /// When a sample is, on CLOCK_MONOTONIC.
  func time(of index: Int64) -> MediaTime {
    isExact
      ? MediaTime(value: index, timescale: Int32(clamping: sampleRate))
      : MediaTime(value: nanoseconds(of: index), timescale: 1_000_000_000)
  }

  func nanoseconds(of index: Int64) -> Int64 {
    isExact
      ? Int64(clamping: Int128(index) * 1_000_000_000 / Int128(sampleRate))
      : Int64(Double(index) / actualRate * 1e9)
  }

  /// How many samples after a flash's first one a sample is; nil where the beep is over.
  func beepIndex(_ index: Int64) -> Int64? { stretch(index).beepIndex }

  /// The samples from an index on that belong to one beep, or to none.
  func stretch(_ index: Int64) -> ToneGenerator.Stretch {
    let beep = Int64(sampleRate / ToneGenerator.beepsPerSecond)
    guard isExact else {
      let seconds = Double(index) / actualRate
      let place = seconds.truncatingRemainder(dividingBy: flashSeconds)
      let passed = Int64(place * actualRate)
      // Rounding differs from sample to sample, so each is looked up.
      return ToneGenerator.Stretch(beepIndex: passed < beep ? passed : nil, count: 1)
    }
    let (_, place) = flashPeriod.dividingFullWidth(
      UInt64(index).multipliedFullWidth(by: sampleUnits))
    let passed = Int64(place / sampleUnits)
    // Samples up to the next flash.
    let left = Int((flashPeriod - place + sampleUnits - 1) / sampleUnits)
    return passed < beep
      ? ToneGenerator.Stretch(beepIndex: passed, count: min(Int(beep - passed), left))
      : ToneGenerator.Stretch(beepIndex: nil, count: left)
  }
}
