import CaptureDevices
import TakeReports

/// Whether the video source delivers frames, and since when it does not.
struct SourceWatch {
  /// A source that delivers nothing and is replaced by its last frame or a slate.
  struct Absence {
    /// When it began, in nanoseconds of CLOCK_MONOTONIC, plus the time by which checks were late since.
    var since: Int64
    /// True where the device itself is gone.
    var isOfDevice = false
    /// How the take ends where the source does not come back in time.
    var ending: RecordingPhase.Ending
  }

  private(set) var hasSignal = true
  /// When the last event of the video stream came, in nanoseconds.
  private(set) var lastArrival: Int64
  /// Set while it is bridged.
  private(set) var absence: Absence?
  /// True while the slate replaces the source.
  var showsSlate = false
  /// When the source was last looked at, in nanoseconds.
  private var lastLook: Int64
  /// Nanoseconds since the last event in which looks were overdue.
  private var unwatched: Int64 = 0

  /// Seconds from one look to the next.
  static let lookInterval = 0.25

  /// A source that is awaited from now on, in nanoseconds.
  init(at now: Int64) { (lastArrival, lastLook) = (now, now) }

  /// Seconds since the last event.
  func silence(at now: Int64) -> Double { Double(now - lastArrival) * 1e-9 }

  /// Seconds since the last event in which one would have been seen: a process that is stopped sees none,
  /// whatever its device does.
  func watchedSilence(at now: Int64) -> Double {
    Double(now - lastArrival - unwatched - overdue(at: now)) * 1e-9
  }

  /// Nanoseconds since the last event by which the next look is overdue.
  private func overdue(at now: Int64) -> Int64 {
    max(now - max(lastLook, lastArrival) - Int64(Self.lookInterval * 1e9), 0)
  }

  /// The source is looked at.
  mutating func noteLook(at now: Int64) {
    let overdue = overdue(at: now)
    unwatched += overdue
    absence?.since += overdue
    lastLook = now
  }

  /// The absence, if it has lasted longer than `limit` seconds.
  func absence(longerThan limit: Double, at now: Int64) -> Absence? {
    guard let absence, Double(now - absence.since) * 1e-9 >= limit else { return nil }
    return absence
  }

  /// Something came.
  mutating func noteArrival(at now: Int64) { (lastArrival, unwatched) = (now, 0) }

  /// - Returns: False if nothing changed.
  mutating func setSignal(_ isPresent: Bool) -> Bool {
    guard hasSignal != isPresent else { return false }
    hasSignal = isPresent
    return true
  }

  /// Nothing comes any more, since the last event.
  mutating func beginAbsence(_ ending: RecordingPhase.Ending) {
    absence = Absence(since: lastArrival + unwatched, ending: ending)
  }

  /// The device is gone. What the next stream says of its signal is its own.
  mutating func loseDevice(_ ending: RecordingPhase.Ending, at now: Int64) {
    absence = Absence(since: absence?.since ?? now, isOfDevice: true, ending: ending)
    hasSignal = true
    noteArrival(at: now)
  }

  /// A frame came: whatever was missing is there again.
  ///
  /// - Returns: What has ended.
  mutating func endAbsence() -> Absence? {
    defer { absence = nil }
    return absence
  }
}
