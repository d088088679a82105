import AssetWriter
import CaptureDevices
import Dispatch
import MediaCore
import Synchronization
import TakeReports

/// Losses while the recording stands by: what came before one is no past of what comes behind it.
extension MovieRecording {
  /// Ends the run. The next one begins with the next picture, whenever it comes, and no take reaches
  /// further back.
  ///
  /// - Parameter end: The first slot behind the run; nil for the next one.
  func endRunStandingBy(
    _ state: inout State, by loss: RecordingReport.Incident.Kind, at end: Int64? = nil
  ) {
    guard state.timeline.standsBy, state.phase.isRecording else { return }
    let next = end ?? state.timeline.nextSlot
    state.endRun(at: next)
    // Sound may be ahead of the pictures: where it lies, the next run's could not.
    let slot = state.sound.reduce(next) { max($0, $1.firstSlot(at: plan.rate)) }
    state.timeline.beginAnew(at: slot)
    state.account.forget()
    state.lossStandingBy = loss
    state.phase = .armed
    state.wakeFrameWaiters()
    writer.forgetPreRoll(before: slot)
  }

  /// Sees that the device has been silent for too long.
  func noticeSilenceStandingBy(_ state: inout State, now: Int64) {
    let timeout = plan.options.stallTimeout
    guard plan.isRealTime, timeout > 0, state.source.silence(at: now) > timeout else { return }
    endRunStandingBy(&state, by: .stalled)
  }

  /// Tells of a take that begins with less of the past than was asked for, as the source was away, or
  /// that has to await it.
  ///
  /// - Parameter preRoll: Frames before its start that the take has.
  func tellLossStandingBy(_ state: inout State, preRoll: Int64) {
    let origin = state.timeline.origin
    guard !state.phase.isArmed else {
      // Nothing was expected so far: the wait for a frame begins now.
      state.source.noteArrival(at: MonotonicClock.now)
      if !state.source.hasSignal { state.note(.signalLost, slot: origin) }
      return
    }
    let wanted = plan.rate.frameIndex(nearest: plan.options.preRollDuration) ?? 0
    guard let loss = state.lossStandingBy, origin == state.timeline.firstSlot, preRoll < wanted
    else { return }
    state.note(loss, slot: origin)
    if loss == .signalLost { state.note(.signalRestored, slot: origin) }
    let cause =
      switch loss {
      case .signalLost: "lost its signal"
      case .timeJumped: "jumped in time"
      default: "delivered nothing for a while"
      }
    tell(
      "the pre-roll is \(seconds(preRoll)) s long and not \(seconds(wanted)) s: "
        + "\(plan.connection.device) \(cause) while the recording stood by")
  }

  /// Tells of a take that awaits its first frame.
  func tellAbsence(_ state: State) {
    let device = plan.connection.device
    let fact =
      state.source.hasSignal
      ? "\(device) delivers nothing" : "\(device) has no signal"
    tell("\(fact); the take begins with the first picture that comes")
  }

  private func tell(_ line: String) { queue.async { [self] in observer.didNotice(line) } }

  /// A number of frames as seconds, to the tenth.
  private func seconds(_ frames: Int64) -> Double {
    (plan.rate.time(ofFrame: frames).seconds * 10).rounded() / 10
  }
}
