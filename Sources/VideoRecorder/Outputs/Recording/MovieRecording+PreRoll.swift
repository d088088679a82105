import AssetWriter
import Dispatch
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization

/// Standing by: what comes is encoded and kept, until the recording begins with it.
extension MovieRecording {
  var standsBy: Bool { state.withLock { $0.standsBy } }

  /// Begins the movie with what is kept. On an error it goes on standing by.
  func begin(at url: URL) throws(CaptureError) {
    try check(url)
    let limit = plan.fileSizeLimit(at: url)
    try state.withLock { state throws(CaptureError) in
      guard state.standsBy, state.phase != .draining, state.phase != .finished else {
        throw CaptureError(.invalidState, "the recording does not stand by any more")
      }
      writer.configuration.segments.fileSizeLimit = limit
      let next = state.clock.nextSlot
      let now = Date().timeIntervalSince1970
      let origin: Int64
      do throws(AssetWriterError) {
        origin = try writer.endPreRoll(outputURL: url) { held, slot in
          startTimecode(state, held: held, slot: slot, now: now)
        }
      } catch {
        throw CaptureError(error)
      }
      state.standsBy = false
      state.origin = origin
      state.frameLimit = plan.frameLimit.map { next + $0 }
      if state.lastSlot >= 0 {
        let held = state.lastSlot + 1 - origin
        state.startTimecode = startTimecode(state, held: held, slot: origin, now: now)
        let seconds = plan.rate.time(ofFrame: held).seconds
        state.startDate = MovieMetadata.dateText(unixTime: Int64(saturating: now - seconds))
      }
      restartAccounts(&state)
    }
    watchDisk()
    if state.withLock({ $0.lastSlot >= 0 }) { queue.async { [self] in observer.didStart() } }
  }

  /// The first frame's address: what is on the clock now, or was to be at the start, less what is
  /// kept; or what came with the frame itself.
  private func startTimecode(
    _ state: State, held: Int64, slot: Int64, now: Double
  ) -> Timecode? {
    switch plan.options.timecodeSource {
    case .none: nil
    case .timeOfDay: Timecode(timeOfDay: now, rate: plan.rate).advanced(by: -held)
    case .start(let timecode): timecode.advanced(by: -held)
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
