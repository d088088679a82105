import MediaCore
import QuickTime
import Synchronization

/// What the writing thread does, from the first byte of the file to the last.
struct MovieThread {
  let core: WriterCore
  let movie: MovieAssembler

  func run() {
    while true {
      let action = core.monitor.wait { $0.nextAction() }
      do throws(QuickTimeError) {
        if try perform(action) { return }
      } catch {
        fail(AssetWriterError(error))
        return
      }
    }
  }

  /// Does one thing; true where it was the last.
  private func perform(_ action: WriterState.Action) throws(QuickTimeError) -> Bool {
    let began = WorkerThread.monotonicTime
    switch action {
    case .open(let state):
      try movie.open(state)
      core.monitor.update { $0.isOpen = true }
    case .video(let input, let write):
      let slots = try movie.write(write, input: input)
      book(began) {
        $0.didWriteVideo(input, slots: slots, bytes: Int64(write.frame.byteCount))
      }
    case .audio(let input, let write):
      let written = try movie.write(write.piece, input: input, room: write.room)
      let bytes = Int64(written * write.bytesPerFrame)
      book(began) { $0.didWriteAudio(input, written: written, bytes: bytes) }
    case .finish(let length):
      try finish(length)
      return true
    case .abort(let error):
      fail(error)
      return true
    case .cancel:
      end(.cancelled, AssetWriterError(.cancelled, "writing was cancelled"))
      movie.remove()
      return true
    }
    return false
  }

  /// Books what was written, and wakes those who waited for room.
  private func book(_ began: Int64, _ change: (inout WriterState) -> WriterState.Released) {
    let size = movie.projectedFileSize
    core.fileBytes.store(size, ordering: .relaxed)
    let took = WorkerThread.monotonicTime - began
    let released = core.monitor.update { state in
      state.fileBytes = size
      state.writeTime.add(took)
      state.writerProcessorTime = WorkerThread.processorTime
      return change(&state)
    }
    for waiter in released.waiters { waiter.resume() }
    for handler in released.handlers { handler() }
  }

  private func finish(_ length: MediaTime?) throws(QuickTimeError) {
    let summary = try movie.finish(end: length)
    core.fileBytes.store(Int64(clamping: summary.fileSize), ordering: .relaxed)
    core.monitor.withLock {
      $0.fileBytes = Int64(clamping: summary.fileSize)
      $0.movieDuration = summary.duration
    }
    end(.completed, nil)
  }

  /// Ends with what can be saved.
  private func fail(_ error: AssetWriterError) {
    var error = error
    error.recordingSuccessfullyFinished = movie.rescue()
    end(.failed, error)
  }

  private func end(_ status: AssetWriter.Status, _ error: AssetWriterError?) {
    core.monitor.withLock { $0.writerProcessorTime = WorkerThread.processorTime }
    core.end(status, error: error)
  }
}

extension AssetWriterError {
  /// What a failure of the movie file means for its writer.
  init(_ error: QuickTimeError) {
    let code: Code =
      switch error.code {
      case .fileExists: .fileExists
      case .diskFull: .diskFull
      case .outOfMemory: .outOfResources
      case .invalidArgument: .invalidSettings
      default: .fileFailed
      }
    self.init(code, error.message, errno: error.errno)
  }
}
