import MediaCore
import QuickTime
import RecorderControl
import Synchronization
import TakeReports

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Takes of recorders that were killed or crashed.
extension RecorderChannel {
  /// The notes of the status, a line each.
  struct Notes: Sendable {
    /// The take that was lost last, until the next one has begun.
    var loss: String?
    /// The change of the configuration that waits.
    var change: String?
    /// That the recorder runs with other settings than the configuration's.
    var difference: String?
    /// That a restarted recorder has another preset than before; until the next take begins, or a preset is chosen.
    var preset: String?

    var lines: [String] { [loss, preset, change ?? difference].compactMap(\.self) }
  }

  /// A take that was lost, for the log.
  struct LostTake: Sendable {
    /// The movie that was written last.
    var path: String
    /// How many other takes were being completed at that time.
    var others: Int

    /// - Parameter movie: How the movie is called.
    func text(of movie: String) -> String {
      let rest = others > 0 ? " and the completion of \(others) more" : ""
      return "the recorder ended during \(movie)\(rest); recover its movie"
    }
  }

  /// The number of lost takes since the channel was added.
  var lostTakeCount: Int { state.withLock { $0.lostTakes } }

  /// Remembers, when the connection ends, that the recorder had a take.
  func rememberOpenTake() {
    state.withLock { state in
      guard let recorder = state.status.recorder, recorder.hasTake else { return }
      state.openTake = recorder
    }
  }

  /// Reports a take as lost once its recorder is known to have died. A recorder that is only unreachable has
  /// lost nothing.
  ///
  /// - Parameters:
  ///   - present: The status of the recorder that answers now; nil if none does.
  ///   - client: The connection of that recorder.
  func tellOfLostTake(except present: RecorderStatus? = nil, from client: ControlClient? = nil) {
    let known = state.withLock { state in
      // A late message from a closed connection does not describe the current recorder.
      present != nil && state.client !== client ? nil : state.openTake
    }
    guard let known, let take = known.take else { return }
    if let present, present.isSameSession(as: known) {
      forgetOpenTake(known)
      return
    }
    guard present != nil || isGone(known), forgetOpenTake(known) else { return }
    let isRecording = known.state == .recording
    let path = (isRecording ? known.progress?.path : nil) ?? take.path
    // It may have been completed while no gateway was connected.
    let isKnown = shelf[TakeRecord.id(ofTake: take.number, of: known)] != nil
    guard !isKnown, (try? MovieIndex(path: path))?.completion != .finished else { return }
    let loss = LostTake(path: path, others: max(0, known.takesFinishing - (isRecording ? 0 : 1)))
    let text = loss.text(of: path.lastPathPart)
    update { state in
      state.lostTakes += 1 + loss.others
      state.notes.loss = text
      state.status.flawedTake = FlawedTake(lost: path, text)
      state.status.notes = state.notes.lines
    }
    lost(self, loss)
    tell(notice: text)
  }

  /// - Returns: True if it was remembered until now.
  @discardableResult
  private func forgetOpenTake(_ known: RecorderStatus) -> Bool {
    state.withLock { state in
      guard state.openTake == known else { return false }
      state.openTake = nil
      return true
    }
  }

  /// True if a recorder's process no longer exists.
  private func isGone(_ recorder: RecorderStatus) -> Bool {
    guard kill(recorder.processID, 0) != 0, errno == ESRCH else { return false }
    // A container has its own process numbers. A recorder in one is alive as long as its socket answers.
    do throws(ControlError) {
      try ControlClient(path: socketPath, within: 0).close()
      return false
    } catch {
      return error.code == .socketFailed
    }
  }
}

extension RecorderStatus {
  /// True while a take is recorded or completed.
  fileprivate var hasTake: Bool {
    take != nil && state != .ended && (state == .recording || takesFinishing > 0)
  }

  /// True for the same recorder, be it later.
  fileprivate func isSameSession(as other: RecorderStatus) -> Bool {
    guard let sessionID, let another = other.sessionID else { return processID == other.processID }
    return sessionID == another
  }
}
