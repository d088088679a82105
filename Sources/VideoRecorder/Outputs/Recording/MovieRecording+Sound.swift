import AssetWriter
import CaptureDevices
import MediaCore
import Synchronization
import TakeReports

extension MovieRecording {
  /// Takes an event of a stream of sound, on its thread.
  func receiveSound(_ event: CaptureEvent, from connection: CaptureConnection) {
    state.withLock { state in
      guard let index = state.sound.firstIndex(where: { $0.connection === connection }) else {
        return
      }
      switch event {
      case .sample(let sample): take(sample, track: index, &state)
      case .lost(let count, let reason, _): lost(count, reason, track: index, &state)
      case .ended: soundEnded(track: index, &state)
      case .failed, .formatChanged:
        guard !state.sound[index].isDead else { return }
        noteSoundEnd(track: index, slot: state.clock.nextSlot, &state)
        soundEnded(track: index, &state)
      case .signalLost, .signalRestored: break
      }
    }
  }

  /// Nothing comes any more. A source that ends, as a file does, may have given all that the
  /// pictures need: only where silence takes its place has the sound ended early.
  private func soundEnded(track index: Int, _ state: inout State) {
    state.sound[index].isDead = true
    finishIfDrained(&state)
  }

  private func noteSoundEnd(track index: Int, slot: Int64, _ state: inout State) {
    guard !state.sound[index].endIsNoted else { return }
    state.sound[index].endIsNoted = true
    note(&state, .soundEnded, count: 1, slot: slot)
  }

  private func take(_ sample: SampleBuffer, track index: Int, _ state: inout State) {
    guard let buffer = sample.audioBuffer, state.phase != .finished else { return }
    let format = state.sound[index].format
    guard buffer.format.sampleRate == format.sampleRate,
      buffer.format.channelCount == format.channelCount
    else {
      lose(buffer.frameCount, .discontinuity, track: index, &state)
      return
    }
    state.sound[index].isDead = false
    if !state.sound[index].hasBegun {
      state.sound[index].hasBegun = true
      state.threads.append(.current)
    }
    if state.phase != .draining { state.sound[index].recentMeter.measure(buffer) }
    let pieces = state.sound[index].aligner.push(
      buffer, at: sample.presentationTimeStamp,
      precedingLoss: sample.attachments.precedingLoss)
    write(pieces, track: index, &state)
    finishIfDrained(&state)
  }

  /// Hands placed sound to the writer. What stands between two pieces becomes silence there.
  func write(_ pieces: [AudioAligner.Piece], track index: Int, _ state: inout State) {
    for piece in pieces {
      let format = piece.buffer.format
      let sample = SampleBuffer(
        .audio(piece.buffer),
        presentationTimeStamp: MediaTime(
          value: piece.position, timescale: Int32(clamping: format.sampleRate)),
        duration: piece.buffer.duration)
      state.sound[index].account.received += Int64(piece.buffer.frameCount - piece.silence)
      state.sound[index].account.silence += Int64(piece.silence)
      state.sound[index].meter.measure(piece.buffer)
      do throws(AssetWriterError) {
        if try !state.sound[index].receiver.appendImmediately(sample) {
          lose(piece.buffer.frameCount, .encoderBusy, track: index, &state)
        }
      } catch {
        lose(piece.buffer.frameCount, .discontinuity, track: index, &state)
        if [.formatMismatch, .timeNotIncreasing, .invalidTime].contains(error.code) { continue }
        finishUnwritten(&state, error)
        return
      }
    }
  }

  /// Puts silence where sound will not come any more, up to a slot: into every track, or into one.
  func fillSound(_ state: inout State, toSlot slot: Int64, only: Int? = nil) {
    for index in state.sound.indices where only == nil || only == index {
      let format = state.sound[index].format
      let end = plan.samples(toSlot: slot, rate: format.sampleRate)
      let halfFrame = plan.samples(toSlot: 1, rate: format.sampleRate) / 2
      if state.sound[index].isDead, end - state.sound[index].aligner.position > halfFrame {
        noteSoundEnd(track: index, slot: slot - 1, &state)
      }
      var pieces: [AudioAligner.Piece] = []
      while let piece = state.sound[index].aligner.silence(upTo: end) {
        pieces.append(piece)
      }
      write(pieces, track: index, &state)
    }
  }

  private func lost(
    _ count: Int, _ reason: DropReason, track index: Int, _ state: inout State
  ) {
    guard count > 0, state.phase == .recording || state.phase == .draining else { return }
    lose(count, reason, track: index, &state)
  }

  private func lose(
    _ count: Int, _ reason: DropReason, track index: Int, _ state: inout State
  ) {
    state.sound[index].account.lost += Int64(count)
    state.sound[index].account.lostByReason[reason.rawValue, default: 0] += Int64(count)
    note(&state, .soundLost, reason, count: count, slot: state.clock.nextSlot)
  }
}

extension RecordingReport.Sound {
  /// An account that is still empty.
  init(_ sound: RecordingPlan.Sound, rate format: AudioFormat) {
    let device = sound.connection.device
    self.init(
      source: RecordingReport.Source(
        deviceID: device.uniqueID, deviceName: device.localizedName,
        format:
          "\(format.sampleRate) Hz, \(format.channelCount) channels, \(format.sampleFormat.rawValue)",
        tier: nil, tierName: nil),
      sampleRate: format.sampleRate, channelCount: format.channelCount)
  }
}
