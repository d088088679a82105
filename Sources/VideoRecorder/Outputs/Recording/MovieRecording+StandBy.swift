import AssetWriter
import CaptureDevices
import Dispatch
import MediaCore
import Synchronization
import TakeReports

/// Losses while the recording stands by: a pre-roll cannot reach across one.
extension MovieRecording {
  /// Ends the run. The next frame begins a new one, and no take reaches
  /// further back than that.
  ///
  /// - Parameter end: The first slot behind the run; nil for the next one.
  func endRunStandingBy(
    _ state: inout State, by loss: RecordingReport.Incident.Kind, at end: Int64? = nil
  ) {
    guard state.timeline.isStandingBy, state.phase.isRecording else { return }
    let next = end ?? state.timeline.nextSlot
    state.endRun(at: next)
    // Audio may be ahead of video, and occupies slots that the next run then cannot use.
    let slot = state.audio.reduce(next) { max($0, $1.firstSlot(at: plan.rate)) }
    state.timeline.restart(at: slot)
    state.account.forget()
    state.lossStandingBy = loss
    state.phase = .armed
    state.wakeFrameWaiters()
    writer.forgetPreRoll(before: slot)
  }

  /// Notices that the device has been silent for too long.
  func noticeSilenceStandingBy(_ state: inout State, now: Int64) {
    let timeout = plan.options.stallTimeout
    guard plan.isRealTime, timeout > 0, state.source.silence(at: now) > timeout else { return }
    endRunStandingBy(&state, by: .stalled)
  }

  /// Reports a take whose pre-roll is shorter than requested, or which has to wait for its first frame, because
  /// the source was away.
  ///
  /// - Parameter preRoll: The number of frames before its start.
  func tellLossStandingBy(_ state: inout State, preRoll: Int64) {
    let origin = state.timeline.origin
    guard !state.phase.isArmed else {
      // No frame was expected so far: the wait begins now.
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
      "the pre-roll is \(seconds(preRoll)) s long instead of \(seconds(wanted)) s: "
        + "\(plan.connection.device) \(cause) while the recording was in standby")
  }

  /// Reports a take that waits for its first frame.
  func tellAbsence(_ state: State) {
    let device = plan.connection.device
    let fact =
      state.source.hasSignal
      ? "\(device) delivers nothing" : "\(device) has no signal"
    tell("\(fact); the take begins with the first frame that arrives")
  }

  private func tell(_ line: String) { queue.async { [self] in observer.didNotice(line) } }

  /// A number of frames as seconds, to the tenth.
  private func seconds(_ frames: Int64) -> Double {
    (plan.rate.time(ofFrame: frames).seconds * 10).rounded() / 10
  }
}
