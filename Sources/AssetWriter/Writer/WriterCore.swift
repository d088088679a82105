import MediaCore
import ProRes
import QuickTime
import Synchronization

/// What a writer, its inputs and its threads share.
final class WriterCore: Sendable {
  let monitor: Monitor<WriterState>
  /// Read by limits at any time; written by the writing thread.
  let fileBytes = Atomic<Int64>(0)
  /// True once writing is cancelled: a gap of days is not filled to its end.
  let isCancelled = Atomic(false)
  let segmentHandler = Mutex<(@Sendable (SegmentEvent) -> Void)?>(nil)
  private let thread = Mutex<MediaThread?>(nil)
  private let makeEncoder: VideoPreparation.MakeEncoder

  init(
    configuration: AssetWriter.Configuration,
    makeEncoder: @escaping VideoPreparation.MakeEncoder = EncoderFactory.makeEncoder
  ) {
    self.makeEncoder = makeEncoder
    monitor = Monitor(WriterState(configuration: configuration))
  }

  // MARK: Life

  /// Makes the first file and starts the writing thread; `begin` is called in between, once the
  /// file is there.
  func start<Result>(
    _ files: SegmentFiles, begin: (inout WriterState) -> Result
  ) throws(AssetWriterError) -> Result {
    let movie: Handover<MovieThread>
    do throws(QuickTimeError) {
      movie = Handover(try MovieThread(self, files: files))
    } catch {
      throw AssetWriterError(error)
    }
    let result = monitor.update { begin(&$0) }
    do throws(MediaCoreError) {
      let started = try MediaThread(
        name: "movie-writer", role: .writing, options: monitor.withLock { $0.threadOptions }
      ) { [self] in
        monitor.withLock { $0.threadScheduling.append(.current) }
        movie.take()?.run()
      }
      thread.withLock { $0 = started }
    } catch {
      movie.take()?.abandon()
      let failure = AssetWriterError(.outOfResources, error.message)
      end(.failed, error: failure)
      throw failure
    }
    return result
  }

  /// Tells of a movie.
  func tell(_ event: SegmentEvent) { segmentHandler.withLock { $0 }?(event) }

  /// Books a movie that is finished, or that could not be; `summary` is nil then.
  func didFinish(
    _ job: SegmentFinisher.Job, _ summary: MovieSummary?, end: Segment.End? = nil,
    error: QuickTimeError? = nil
  ) {
    var segment = job.segment(summary)
    if let end { segment?.end = end }
    let first = monitor.withLock { $0.firstSlot }
    segment?.firstFrame -= first
    book(segment, job.movie, error: error)
    if let change = job.movie.lastChange {
      tell(.changed(number: job.stretch.number, change))
    }
    if let segment {
      tell(.ended(segment, summary?.checksums))
    } else {
      tell(.removed(path: job.path))
    }
  }

  private func book(_ segment: Segment?, _ movie: MovieAssembler, error: QuickTimeError?) {
    monitor.update { state in
      if let segment {
        let place = state.segments.firstIndex { $0.number > segment.number }
        state.segments.insert(segment, at: place ?? state.segments.count)
        state.timeline?.didFinish(segment.number)
        fileBytes.store(state.fileBytes, ordering: .relaxed)
      }
      for (input, held) in movie.held {
        state.held[input, default: .init()].samples += held.samples
        state.held[input, default: .init()].bytes += held.bytes
      }
      guard let error else { return }
      // What others did to one file is no reason to end the take in another.
      if movie.isLost {
        state.lostMovie = state.lostMovie ?? AssetWriterError(error)
      } else {
        state.failure = state.failure ?? AssetWriterError(error)
      }
    }
  }

  /// Waits for the writing thread to end.
  func join() {
    let started = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    started?.join()
  }

  /// Ends writing by force, waits, and leaves no file.
  func cancel() {
    if endHolding() { return }
    let wasWriting = monitor.update { state -> Bool in
      switch state.status {
      case .unknown:
        state.status = .cancelled
        return false
      case .writing:
        state.isCancelling = true
        isCancelled.store(true, ordering: .relaxed)
        return true
      default: return false
      }
    }
    if wasWriting { join() }
  }

  /// Ends a pre-roll that no take came of; false where there is none.
  private func endHolding() -> Bool {
    let isHolding = monitor.update { state -> Bool in
      defer { state.preRoll = nil }
      return state.status == .writing && state.preRoll != nil
    }
    if isHolding {
      end(.cancelled, error: AssetWriterError(.cancelled, "writing ended before it began"))
    }
    return isHolding
  }

  /// Lets what was appended be written, then ends.
  func finish() throws(AssetWriterError) {
    if endHolding() { return }
    try monitor.update { state throws(AssetWriterError) in
      if let obstacle = state.statusObstacle { throw obstacle }
      state.isFinishing = true
      for index in state.inputs.indices { state.inputs[index].isFinished = true }
    }
    wakeAll()
  }

  /// Waits, without blocking a thread, until writing has ended in whatever way.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let hasEnded = monitor.withLock { state in
        if state.status != .writing { return true }
        state.completionWaiters.append(continuation)
        return false
      }
      if hasEnded { continuation.resume() }
    }
  }

  /// Enters a final status and wakes everyone.
  func end(_ status: AssetWriter.Status, error: AssetWriterError?) {
    let encoders = monitor.update { state in
      state.status = status
      state.error = error
      return state.takeEncoders()
    }
    for encoder in encoders {
      if status == .completed { encoder.finish() } else { encoder.cancel() }
    }
    let waiters = monitor.withLock { state in
      defer { state.completionWaiters = [] }
      return state.completionWaiters
    }
    wakeAll()
    for waiter in waiters { waiter.resume() }
  }

  /// Wakes those who wait for any input: nothing will be as they wait for it.
  private func wakeAll() {
    let (waiters, handlers) = monitor.withLock { state in
      var waiters: [CheckedContinuation<Void, Never>] = []
      var handlers: [@Sendable () -> Void] = []
      for index in state.inputs.indices {
        waiters += state.inputs[index].waiters
        state.inputs[index].waiters = []
        if let handler = state.inputs[index].readyHandler { handlers.append(handler) }
        state.inputs[index].readyHandler = nil
      }
      return (waiters, handlers)
    }
    for waiter in waiters { waiter.resume() }
    for handler in handlers { handler() }
  }

  // MARK: Inputs

  func isReady(_ index: Int) -> Bool {
    monitor.withLock { state in
      let isReady = state.obstruction(index) == nil
      if !isReady { state.inputs[index].awaitsReadiness = true }
      return isReady
    }
  }

  func markAsFinished(_ index: Int) throws(AssetWriterError) {
    let released = try monitor.update {
      state throws(AssetWriterError) -> WriterState.Released in
      if let obstacle = state.statusObstacle { throw obstacle }
      state.inputs[index].isFinished = true
      state.inputs[index].readyHandler = nil
      // Those who wait for this one will be refused; others may go on without it.
      let own = state.inputs[index].waiters
      state.inputs[index].waiters = []
      var released = state.takeReleased()
      released.waiters += own
      return released
    }
    for waiter in released.waiters { waiter.resume() }
    for handler in released.handlers { handler() }
  }

  func holdLastFrame(of index: Int, until time: MediaTime) throws(AssetWriterError) {
    try monitor.update { state throws(AssetWriterError) in
      if let obstacle = state.statusObstacle { throw obstacle }
      guard let start = state.sessionStart else { return }
      state.inputs[index].withVideo { $0.holdLastFrame(until: time - start) }
    }
  }

  /// Waits until an append would not be refused for want of room, or for good.
  func waitUntilReady(_ index: Int) async {
    await withCheckedContinuation { continuation in
      let goesOn = monitor.withLock { state in
        // Of room alone: a track too far ahead waits for what its own task may have to append.
        guard state.obstruction(index)?.isFull == true else { return true }
        state.inputs[index].waiters.append(continuation)
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  /// Calls `handler` now where an append would be taken, and whenever that becomes so again; until
  /// the input is finished, and once more when writing ends.
  func setReadyHandler(_ index: Int, _ handler: @escaping @Sendable () -> Void) {
    let isReady = monitor.withLock { state in
      state.inputs[index].readyHandler = handler
      let isReady = state.obstruction(index) == nil
      state.inputs[index].awaitsReadiness = !isReady
      return isReady
    }
    if isReady { handler() }
  }

  /// Takes a sample or says why not; the refusal is counted.
  func append(_ sample: SampleBuffer, to index: Int) throws(AssetWriterError) {
    let woken = try monitor.update { state throws(AssetWriterError) in
      do throws(AssetWriterError) {
        if let obstacle = state.obstacle(index) {
          state.inputs[index].awaitsReadiness = true
          throw obstacle
        }
        switch sample.content {
        case .video(let picture): try append(picture, sample, to: index, &state)
        case .audio(let buffer): try state.append(buffer, sample, to: index)
        }
      } catch {
        state.inputs[index].refuse(error)
        throw error
      }
      return state.takeReleased()
    }
    for waiter in woken.waiters { waiter.resume() }
    for handler in woken.handlers { handler() }
  }

  private func append(
    _ picture: PixelBuffer, _ sample: SampleBuffer, to index: Int, _ state: inout WriterState
  ) throws(AssetWriterError) {
    let request = try state.videoRequest(index)
    try VideoPreparation.check(picture, request)
    if case .unprepared = state.inputs[index].track {
      let track = try VideoPreparation.prepare(
        request, picture: picture, duration: sample.duration,
        isRealTime: state.inputs[index].isRealTime, threadOptions: state.threadOptions,
        makeEncoder: makeEncoder)
      try state.checkTimecode(for: index, rate: track.rate)
      do throws(AssetWriterError) {
        try track.encoder.start { [self] in receive($0, from: index) }
      } catch {
        track.encoder.cancel()
        throw error
      }
      state.inputs[index].begin(track)
    }
    try state.inputs[index].withVideo { video throws(AssetWriterError) in
      try video.accept(picture.details)
    }
    try state.append(picture, sample, to: index)
  }

  /// Takes what an encoder made, on one of its threads.
  private func receive(_ result: Result<EncodedFrame, AssetWriterError>, from index: Int) {
    monitor.update { state in
      switch result {
      case .success(let frame): state.take(frame, from: index)
      case .failure(let error): state.failure = state.failure ?? error
      }
    }
  }
}
