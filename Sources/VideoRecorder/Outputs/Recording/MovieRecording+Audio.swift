import AssetWriter
import CaptureDevices
import MediaCore
import Synchronization
import TakeReports

/// Audio: each source is placed on the timeline and goes to the writer.
extension MovieRecording {
  /// Handles an event of an audio stream, on its thread.
  func receiveAudio(_ event: CaptureEvent, from connection: CaptureConnection) {
    state.withLock { state in
      guard let index = state.audio.firstIndex(where: { $0.connection === connection }) else {
        return
      }
      switch event {
      case .sample(let sample): receive(sample, track: index, &state)
      case .lost(let count, let reason, _):
        guard count > 0, state.phase.isRecording || state.phase.isDraining else { return }
        lose(count, reason, track: index, &state)
      case .ended: noteAudioEnded(track: index, &state)
      case .failed, .formatChanged:
        guard !state.audio[index].hasEnded else { return }
        noteAudioEnd(track: index, slot: state.timeline.nextSlot, &state)
        noteAudioEnded(track: index, &state)
      case .signalLost, .signalRestored: break
      }
    }
  }

  /// Replaces the audio of connections that are gone with silence.
  ///
  /// - Parameter present: The connections that remain.
  func endAudio(unless present: Set<ObjectIdentifier>) {
    state.withLock { state in
      for index in state.audio.indices
      where !present.contains(ObjectIdentifier(state.audio[index].connection)) {
        guard !state.audio[index].hasEnded else { continue }
        noteAudioEnd(track: index, slot: state.timeline.nextSlot, &state)
        noteAudioEnded(track: index, &state)
      }
    }
  }

  /// Ends a source of audio. A source that ends, such as a file, may have delivered everything up to the last frame:
  /// audio has ended early only if silence has to replace it.
  private func noteAudioEnded(track index: Int, _ state: inout State) {
    state.audio[index].end()
    finishIfDrained(&state)
  }

  private func noteAudioEnd(track index: Int, slot: Int64, _ state: inout State) {
    if state.audio[index].noteEnd() { state.note(.audioEnded, slot: slot) }
  }

  private func receive(_ sample: SampleBuffer, track index: Int, _ state: inout State) {
    guard let buffer = sample.audioBuffer, state.phase.takesAudio else { return }
    guard state.audio[index].accepts(buffer) else {
      return lose(buffer.frameCount, .discontinuity, track: index, &state)
    }
    if state.audio[index].noteFlow() { state.threads.append(.current) }
    let pieces = state.audio[index].push(sample, buffer, isHeard: state.phase.isActive)
    write(pieces, track: index, &state)
    finishIfDrained(&state)
  }

  /// Passes placed audio to the writer.
  func write(_ pieces: [AudioAligner.Piece], track index: Int, _ state: inout State) {
    for piece in pieces {
      switch state.audio[index].write(piece) {
      case .written: break
      case .lost(let reason): lose(piece.buffer.frameCount, reason, track: index, &state)
      case .failed(let error):
        lose(piece.buffer.frameCount, .discontinuity, track: index, &state)
        return finishUnwritten(&state, error)
      }
    }
  }

  /// Fills tracks whose audio has ended with silence, up to a slot.
  func fillEndedAudio(_ state: inout State, toSlot slot: Int64) {
    for index in state.audio.indices where state.audio[index].hasEnded {
      fillAudio(&state, index, toSlot: slot)
    }
  }

  /// Fills a track whose audio has ended with silence, up to a slot.
  func fillAudio(_ state: inout State, _ index: Int, toSlot slot: Int64) {
    if state.audio[index].endsEarly(at: slot, rate: plan.rate) {
      noteAudioEnd(track: index, slot: slot - 1, &state)
    }
    let pieces = state.audio[index].silence(toSlot: slot, rate: plan.rate)
    write(pieces, track: index, &state)
  }

  private func lose(
    _ count: Int, _ reason: DropReason, track index: Int, _ state: inout State
  ) {
    state.audio[index].lose(count, reason)
    state.note(.audioLost, reason, count: count, slot: state.timeline.nextSlot)
  }
}
