import MediaCore
import Monitor

/// Loudness of the input, and of each take separately.
struct LoudnessWatch: ~Copyable, Sendable {
  /// The programme that integrated loudness, loudness range and true peak are measured of.
  private enum Programme: Sendable, Hashable {
    case input
    case take(Int, isPaused: Bool)
    /// A take whose frames have all arrived, and whose length is still unknown.
    case ended(Int)
  }

  private var meter: LoudnessMeter?
  private var programme = Programme.input
  /// Readings of the last seconds, because the end of a take is reported a moment after it.
  private var history: [Loudness] = []
  private var framesSinceReading = 0
  /// The take before the present one, if it is not complete yet.
  private var earlier: (take: Int, history: [Loudness])?

  /// Readings a second.
  private static let rate = 10
  /// The number of readings to keep.
  private static let depth = 10 * rate

  /// The last reading; nil while nothing is measured.
  private(set) var reading: Loudness?

  /// Measures a run of audio.
  mutating func measure(_ buffer: AudioBuffer) {
    if !(meter?.fits(buffer.format) ?? false) {
      meter = LoudnessMeter(buffer.format)
      history = []
    }
    let isCounted = isCounted
    meter?.measure(buffer, isCounted: isCounted)
    framesSinceReading += buffer.frameCount
    guard framesSinceReading * Self.rate >= buffer.format.sampleRate else { return }
    framesSinceReading = 0
    read()
  }

  private var isCounted: Bool {
    switch programme {
    case .input, .take(_, isPaused: false): true
    case .take(_, isPaused: true), .ended: false
    }
  }

  private mutating func read() {
    reading = meter?.read()
    switch programme {
    case .input: break
    case .take(let number, _), .ended(let number): reading?.take = number
    }
    if let reading {
      if history.count >= Self.depth { history.removeFirst() }
      history.append(reading)
    }
  }

  /// Frames of audio were lost.
  mutating func lose(_ frames: Int) { meter?.lose(frames) }

  /// Resets everything, when nobody listens any more.
  mutating func stop() {
    meter = nil
    (programme, history, reading, framesSinceReading, earlier) = (.input, [], nil, 0, nil)
  }

  private mutating func restart(_ programme: Programme) {
    self.programme = programme
    meter?.restart()
    history = []
    framesSinceReading = 0
    if reading != nil { read() }
  }

  /// A take has begun, or continues.
  mutating func record(take number: Int, isPaused: Bool) {
    switch programme {
    case .take(number, _), .ended(number): programme = .take(number, isPaused: isPaused)
    case .take(let before, _), .ended(let before):
      earlier = (before, history)
      restart(.take(number, isPaused: isPaused))
    case .input: restart(.take(number, isPaused: isPaused))
    }
  }

  /// All frames of the take have arrived.
  mutating func endTake() {
    guard case .take(let number, _) = programme else { return }
    read()
    programme = .ended(number)
  }

  /// A take is complete; the audio that follows is that of the input.
  ///
  /// - Parameter duration: The take's length in seconds.
  /// - Returns: The take's loudness; nil if it was not measured.
  mutating func finish(take number: Int, duration: Double) -> Loudness? {
    if let earlier, earlier.take == number {
      self.earlier = nil
      return Self.loudness(ofTake: earlier.history, duration)
    }
    switch programme {
    case .take(number, _): read()
    case .ended(number): break
    case .input, .take, .ended: return nil
    }
    defer { restart(.input) }
    return Self.loudness(ofTake: history, duration)
  }

  private static func loudness(ofTake history: [Loudness], _ duration: Double) -> Loudness? {
    var loudness = history.last { $0.seconds <= duration } ?? history.first
    loudness?.momentary = nil
    loudness?.shortTerm = nil
    return loudness
  }

  /// True while frames of a take arrive.
  var isOfTake: Bool { if case .take = programme { true } else { false } }
}
