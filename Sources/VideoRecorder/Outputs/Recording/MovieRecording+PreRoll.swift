import AssetWriter
import CaptureDevices
import Dispatch
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization
import TakeReports

/// Standing by: what comes is encoded and kept, until the recording begins with it.
extension MovieRecording {
  var standsBy: Bool { state.withLock { $0.standsBy } }

  /// Begins the movie with what is kept. On an error it goes on standing by.
  ///
  /// - Parameters:
  ///   - label: What the take is called.
  ///   - mark: Where it begins; nil for with the next frame.
  func begin(
    at url: URL, label: TakeLabel, mark: StartMark? = nil
  ) throws(CaptureError) {
    try check(url)
    let limit = plan.fileSizeLimit(at: url)
    try state.withLock { state throws(CaptureError) in
      guard state.standsBy, state.phase != .draining, state.phase != .finished else {
        throw CaptureError(.invalidState, "the recording does not stand by any more")
      }
      writer.configuration.segments.fileSizeLimit = limit
      writer.configuration.reelName = label.reel ?? ""
      state.label = label
      let next = state.clock.nextSlot
      let start = mark.flatMap { slot(of: $0, state) }.map { min(max($0, 0), next) } ?? next
      let began = unixTime(ofSlot: start, state)
      describe(state, began: began)
      let origin: Int64
      do throws(AssetWriterError) {
        origin = try writer.endPreRoll(outputURL: url, at: start) { _, slot in
          startTimecode(state, of: slot, start: start, mark: mark, began: began)
        }
      } catch {
        throw CaptureError(error)
      }
      state.standsBy = false
      state.markedAddress = mark?.timecode
      state.origin = origin
      state.frameLimit = plan.frameLimit.map { start + $0 }
      if state.lastSlot >= 0 {
        state.startTimecode = startTimecode(
          state, of: origin, start: start, mark: mark, began: began)
        let seconds = plan.rate.time(ofFrame: start - origin).seconds
        state.startDate = MovieMetadata.dateText(
          unixTime: Int64(saturating: (began - seconds).rounded(.down)))
      }
      restartAccounts(&state)
    }
    watchDisk()
    if state.withLock({ $0.lastSlot >= 0 }) { queue.async { [self] in observer.didStart(self) } }
  }

  // MARK: The start

  /// Waits until the frame at a mark is there, as long as frames come.
  func waitForFrame(at mark: StartMark) async {
    while !Task.isCancelled {
      let isAwaited = state.withLock { state in
        let silence = Double(MonotonicClock.now - state.lastArrival) * 1e-9
        guard state.standsBy, state.phase == .recording, state.hasSignal,
          silence < StartMark.margin,
          let slot = slot(of: mark, state)
        else { return false }
        return state.clock.nextSlot <= slot
      }
      guard isAwaited else { return }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// The slot of the frame at a mark; nil where the source's time is not the clock's.
  private func slot(of mark: StartMark, _ state: State) -> Int64? {
    guard plan.connection.isRealTime, let timeline = state.clock.timeline else { return nil }
    if let slot = slot(ofSourceTimecode: mark.timecode, state) { return slot }
    let late = (mark.instant - timeline.instant).seconds * plan.rate.framesPerSecond
    guard late.isFinite, late.magnitude < 1e12 else { return nil }
    // Devices give the time to the microsecond.
    let tolerance = 1e-6 * plan.rate.framesPerSecond
    return state.clock.nextSlot + Int64((late - state.clock.phase - tolerance).rounded(.up))
  }

  /// The slot to which the source itself gives an address; nil where that is not near: its timecode
  /// is not the time of day then.
  private func slot(ofSourceTimecode asked: Timecode?, _ state: State) -> Int64? {
    guard case .source = plan.options.timecodeSource, let asked, let first = state.startTimecode,
      first.format == asked.format
    else { return nil }
    let day = first.format.framesPerDay
    let present = first.advanced(by: state.clock.nextSlot)
    let ahead = present.distance(to: asked)
    let distance = ahead > day / 2 ? ahead - day : ahead
    let minute = Int64(first.format.framesPerSecond) * 60
    return distance.magnitude < minute ? state.clock.nextSlot + distance : nil
  }

  /// When the frame of a slot was exposed, in seconds since 1970 UTC.
  private func unixTime(ofSlot slot: Int64, _ state: State) -> Double {
    guard let timeline = state.clock.timeline else { return Date().timeIntervalSince1970 }
    let frames = Double(slot - state.clock.nextSlot) + state.clock.phase
    let offset = MediaTime(
      seconds: frames / plan.rate.framesPerSecond, preferredTimescale: 1_000_000_000)
    return unixTime(of: timeline.instant + offset)
  }

  /// The address of a slot, from that of the frame at the start: what was to be there, what was on the
  /// clock when it was exposed, or what came with the frame itself.
  private func startTimecode(
    _ state: State, of slot: Int64, start: Int64, mark: StartMark?, began: Double
  ) -> Timecode? {
    switch plan.options.timecodeSource {
    case .none: nil
    case .timeOfDay:
      (mark?.timecode ?? Timecode(timeOfDay: began, rate: plan.rate)).advanced(by: slot - start)
    case .start(let timecode): (mark?.timecode ?? timecode).advanced(by: slot - start)
    case .source, .running: state.startTimecode?.advanced(by: slot)
    }
  }

  /// Counts what lies in the file, and nothing of what was let go.
  private func restartAccounts(_ state: inout State) {
    let origin = state.origin
    var frames = RecordingReport.Frames()
    var lostSound: [String: Int64] = [:]
    let kept = state.incidents.compactMap { incident -> RecordingReport.Incident? in
      var incident = incident
      let cut = incident.kind == .soundLost ? 0 : max(origin - incident.frame, 0)
      guard incident.frame + Int64(incident.count) > origin, incident.frame + cut >= origin else {
        return nil
      }
      incident.count -= Int(cut)
      incident.frame += cut - origin
      incident.timecode = state.startTimecode?.advanced(by: incident.frame).description
      incident.seconds = plan.rate.time(ofFrame: incident.frame).seconds
      return incident
    }
    state.incidents = kept
    state.incidentsOmitted = 0
    for incident in kept {
      switch incident.kind {
      case .dropped:
        frames.dropped += incident.count
        frames.droppedByReason[incident.reason?.rawValue ?? "", default: 0] += incident.count
      case .repeated: frames.repeated += incident.count
      case .damaged: frames.damaged += incident.count
      case .soundLost:
        lostSound[incident.reason?.rawValue ?? "", default: 0] += Int64(incident.count)
      default: break
      }
    }
    frames.encoded = Int(
      max(state.lastSlot + 1 - origin, 0) - Int64(frames.repeated))
    let refused =
      [DropReason.encoderBusy, .diskBusy, .discontinuity].reduce(0) {
        $0 + (frames.droppedByReason[$1.rawValue] ?? 0)
      }
    frames.received = max(frames.encoded, 0) + refused
    frames.encoded = max(frames.encoded, 0)
    state.frames = frames
    for index in state.sound.indices {
      let rate = state.sound[index].format.sampleRate
      let start = plan.samples(toSlot: origin, rate: rate)
      state.sound[index].account.received = max(state.sound[index].aligner.position - start, 0)
      state.sound[index].account.silence = 0
      // Losses are told apart by track only from here on: those before count where there is one.
      let isOnly = state.sound.count == 1
      state.sound[index].account.lostByReason = isOnly ? lostSound : [:]
      state.sound[index].account.lost = isOnly ? lostSound.values.reduce(0, +) : 0
      state.sound[index].meter.reset()
    }
  }

  /// Forgets incidents that no movie will hold any more.
  func forgetIncidents(_ state: inout State) {
    guard state.standsBy, state.incidents.count > 1000 else { return }
    let seconds = plan.options.preRollDuration.seconds
    guard seconds.isFinite else { return }
    let slots = min(Int64(saturating: seconds * plan.rate.framesPerSecond), 1 << 50)
    let oldest = state.clock.nextSlot - slots - 1000
    state.incidents.removeAll { $0.frame < oldest }
  }
}
