import MediaCore
import ProRes
import QuickTime
import Synchronization

/// What a writer, its inputs and its threads share.
final class WriterCore: Sendable {
  let shared: WaitableMutex<WriterState>
  /// Read by limits at any time; written by the writing thread.
  let fileBytes = Atomic<Int64>(0)
  /// What the movies that are open have reserved of the disk.
  let reservedSpace = ReservedSpace()
  let segmentHandler = Mutex<(@Sendable (SegmentEvent) -> Void)?>(nil)
  /// The receiver of media segments; nil for a take in files.
  let mediaSegments: MediaSegmentOutput?
  private let thread = Mutex<MediaThread?>(nil)
  private let makeEncoder: VideoPreparation.MakeEncoder

  init(
    configuration: AssetWriter.Configuration, fileType: FileType = .mov,
    mediaSegments: MediaSegmentOutput? = nil,
    makeEncoder: @escaping VideoPreparation.MakeEncoder = EncoderFactory.makeEncoder
  ) {
    self.makeEncoder = makeEncoder
    self.mediaSegments = mediaSegments
    shared = WaitableMutex(
      WriterState(
        configuration: configuration, fileType: fileType, mediaSegments: mediaSegments))
  }

  /// True once writing is cancelled: a gap of days is not filled to its end.
  var isCancelling: Bool { shared.withLock { $0.phase.isCancelling } }

  // MARK: Life

  /// Makes the encoders whose tracks are known before their first frame, so that none is made while
  /// frames come; then enters the phase that `begin` chooses.
  ///
  /// - Parameter isRealTime: For each input whether its source cannot wait.
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` where writing has started already. What an
  ///   encoder says; the status is then ``AssetWriter/Status/failed``.
  func prepare(
    isRealTime: [Bool], begin: (inout WriterState) -> Void
  ) throws(AssetWriterError) {
    let inputs = try shared.withLock { state throws(AssetWriterError) in
      try state.phase.start()
      for (index, isRealTime) in zip(state.inputs.indices, isRealTime) {
        state.inputs[index].isRealTime = isRealTime
        state.inputs[index].prepareAudio()
      }
      return (states: state.inputs, threads: state.threadOptions)
    }
    do throws(AssetWriterError) {
      for (index, input) in inputs.states.enumerated() {
        guard let order = try VideoPreparation.order(for: input, threads: inputs.threads) else {
          continue
        }
        try makeTrack(order, for: index)
      }
    } catch {
      end(.failed(error))
      throw error
    }
    // Somebody may have cancelled meanwhile.
    let (cancellation, encoders) = shared.update { state in
      guard case .starting = state.phase else { return (state.phase.statusError, state.encoders) }
      begin(&state)
      return (nil, [])
    }
    for encoder in encoders { encoder.cancel() }
    if let cancellation { throw cancellation }
  }

  /// Makes a track and its encoder, without the lock.
  private func makeTrack(
    _ order: VideoPreparation.Order, for index: Int
  ) throws(AssetWriterError) {
    let track = try VideoPreparation.prepare(order, makeEncoder: makeEncoder) {
      [weak self] result in
      self?.shared.update { $0.receive(result, from: index) }
    }
    let isWanted = shared.update { state in
      state.phase.status != .failed && state.phase.status != .cancelled
        && state.begin(track, for: index)
    }
    if !isWanted { track.encoder.cancel() }
  }

  /// Makes the first file, of a thread that does not run yet.
  func makeThread(_ files: SegmentFiles) throws(AssetWriterError) -> Handover<MovieThread> {
    let (container, refusal) = shared.withLock { ($0.container, $0.containerRefusal) }
    if let refusal { throw refusal }
    do throws(QuickTimeError) {
      return Handover(try MovieThread(self, files: files, container: container))
    } catch {
      throw AssetWriterError(error)
    }
  }

  /// Starts the writing thread; `begin` is called before.
  func start<Result>(
    _ movie: Handover<MovieThread>, begin: (inout WriterState) -> Result
  ) throws(AssetWriterError) -> Result {
    let (result, error) = shared.update { state in (begin(&state), state.phase.statusError) }
    if let error {
      movie.take()?.abandon()
      throw error
    }
    do throws(MediaCoreError) {
      let started = try MediaThread(
        name: "movie-writer", role: shared.withLock { $0.container }.threadRole,
        options: shared.withLock { $0.threadOptions }
      ) { [self] in
        shared.withLock { $0.work.threads.append(.current) }
        movie.take()?.run()
      }
      thread.withLock { $0 = started }
    } catch {
      movie.take()?.abandon()
      let failure = AssetWriterError(.outOfResources, error.message)
      end(.failed(failure))
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
    let first = shared.withLock { $0.segments.firstSlot }
    segment?.firstFrame -= first
    book(segment, job.movie, error: error.map { AssetWriterError($0) })
    for copy in job.movie.takeLostCopies() { tell(.copyLost(number: job.span.number, copy)) }
    if let change = job.movie.lastChange { tell(.changed(number: job.span.number, change)) }
    if let segment {
      tell(.ended(segment, summary?.checksums))
    } else {
      tell(.removed(path: job.path))
    }
  }

  private func book(_ segment: Segment?, _ movie: any SegmentMovie, error: AssetWriterError?) {
    shared.update { state in
      if let segment {
        state.segments.didFinish(segment)
        fileBytes.store(state.segments.fileBytes, ordering: .relaxed)
      }
      for (input, held) in movie.held {
        state.held[input, default: .init()].samples += held.samples
        state.held[input, default: .init()].bytes += held.bytes
        state.held[input, default: .init()].samplesTrimmed += held.samplesTrimmed
        let largest = max(state.held[input]?.largestFrame ?? 0, held.largestFrame)
        state.held[input]?.largestFrame = largest
      }
      guard let error else { return }
      // Damage to one file by another program does not end the take in the others.
      if movie.isLost {
        state.lostMovie = state.lostMovie ?? error
      } else {
        state.phase.fail(error)
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
    if shared.update({ $0.phase.cancel() }) { join() }
  }

  /// Ends a pre-roll that no take came of; false where there is none.
  private func endHolding() -> Bool {
    let error = AssetWriterError(.cancelled, "writing ended before it started")
    let isHolding = shared.update { state in
      guard case .holding = state.phase else { return false }
      state.phase = .cancelled(error)
      return true
    }
    if isHolding { end(.cancelled(error)) }
    return isHolding
  }

  /// Ends writing after everything appended is written.
  func finish() throws(AssetWriterError) {
    if endHolding() { return }
    let released = try shared.update {
      state throws(AssetWriterError) -> WriterState.Released in
      if let error = state.phase.statusError { throw error }
      state.phase.finish()
      for index in state.inputs.indices { state.inputs[index].isFinished = true }
      return state.releaseAll()
    }
    released.resume()
  }

  /// Waits, without blocking a thread, until writing has ended in whatever way.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let hasEnded = shared.withLock { state in
        if state.phase.status != .writing { return true }
        state.completionWaiters.append(continuation)
        return false
      }
      if hasEnded { continuation.resume() }
    }
  }

  /// As ``waitForEnd()``, for a thread that may block.
  func blockUntilEnd() {
    shared.wait { state -> Void? in state.phase.status == .writing ? nil : () }
  }

  /// Enters a final phase, ends the encoders and wakes everyone.
  func end(_ phase: WriterPhase) {
    let encoders = shared.update { state in
      state.phase = phase
      return state.encoders
    }
    for encoder in encoders {
      if case .completed = phase { encoder.finish() } else { encoder.cancel() }
    }
    let (waiters, released) = shared.withLock { state in
      defer { state.completionWaiters = [] }
      return (state.completionWaiters, state.releaseAll())
    }
    released.resume()
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Inputs

  func isReady(_ index: Int) -> Bool {
    shared.withLock { state in
      // Whoever appends while there is room learns of a failure by the next append.
      if state.phase.status == .failed { return !state.inputs[index].isFinished }
      let blocker = state.appendBlocker(index)
      // The first sample is asked for before there is a session: it says when that begins.
      return blocker == nil || blocker == .sessionNotStarted
    }
  }

  func markAsFinished(_ index: Int) throws(AssetWriterError) {
    let released = try shared.update {
      state throws(AssetWriterError) -> WriterState.Released in
      if let error = state.phase.statusError {
        // Whoever learned of the failure is asked for no more samples.
        if state.phase.status == .failed { state.inputs[index].isFinished = true }
        throw error
      }
      return state.finishInput(index)
    }
    released.resume()
  }

  /// Lets the last frame fill the slots before another one.
  func holdLastFrame(of index: Int, until slot: Int64) throws(AssetWriterError) {
    try shared.update { state throws(AssetWriterError) in
      if let error = state.phase.statusError { throw error }
      guard state.session.start != nil else { return }
      state.inputs[index].withVideo { $0.holdLastFrame(until: slot) }
    }
  }

  /// As ``holdLastFrame(of:until:)-(_,Int64)``, up to a source time.
  func holdLastFrame(of index: Int, until time: MediaTime) throws(AssetWriterError) {
    try shared.update { state throws(AssetWriterError) in
      if let error = state.phase.statusError { throw error }
      guard let start = state.session.start else { return }
      state.inputs[index].withVideo { video in
        if let slot = video.rate.frameIndex(nearest: time - start) {
          video.holdLastFrame(until: slot)
        }
      }
    }
  }

  /// Waits until an append would not be refused for want of room, or for good.
  func waitUntilReady(_ index: Int) async {
    await withCheckedContinuation { continuation in
      let continues = shared.withLock { state in
        // Of room alone: a track too far ahead waits for what its own task may have to append.
        guard state.appendBlocker(index) == .full else { return true }
        state.inputs[index].readiness.waiters.append(continuation)
        return false
      }
      if continues { continuation.resume() }
    }
  }

  /// Waits until a track is no longer too far ahead of the others, or an append would be refused for
  /// good.
  ///
  /// - Returns: False where the task was cancelled before.
  func waitForOthers(_ index: Int) async -> Bool {
    let waiter = LeadWaiter()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let continues = shared.withLock { state -> Bool? in
          guard !Task.isCancelled else { return false }
          guard case .tooFarAhead = state.appendBlocker(index) else { return true }
          state.inputs[index].readiness.leadWaiters[waiter] = continuation
          return nil
        }
        if let continues { continuation.resume(returning: continues) }
      }
    } onCancel: {
      let waiting = shared.withLock { state in
        state.inputs[index].readiness.leadWaiters.removeValue(forKey: waiter)
      }
      waiting?.resume(returning: false)
    }
  }

  /// Blocks a thread of the recorder's own until an append would not be refused for want of room.
  func blockUntilReady(_ index: Int, unless isOver: () -> Bool) {
    shared.wait { state -> Void? in
      state.appendBlocker(index) == .full && !isOver() ? nil : ()
    }
  }

  /// Has those who block in ``blockUntilReady(_:unless:)`` look again.
  func wakeBlocked() { shared.update { _ in } }

  /// Appends a sample, or counts and throws the refusal.
  ///
  /// A frame is encoded outside the lock, and an encoder that needs the first frame is made there, too: samples of one
  /// input arrive one after the other.
  ///
  /// - Parameter slot: The slot of a frame; nil for the one nearest to its time.
  /// - Returns: Slots that the frame before fills behind its own.
  @discardableResult
  func append(
    _ sample: SampleBuffer, slot: Int64? = nil, to index: Int
  ) throws(AssetWriterError) -> Int64 {
    while true {
      let admission = try shared.update { state throws(AssetWriterError) in
        try state.append(sample, slot: slot, to: index)
      }
      switch admission {
      case .taken(let submission, let released):
        if let submission {
          submission.encoder.submit(submission.frame, index: submission.index)
        }
        released.resume()
        return submission?.gap ?? 0
      case .needsTrack(let order):
        do throws(AssetWriterError) {
          try shared.withLock { state throws(AssetWriterError) in
            try state.checkTimecode(for: index, rate: order.rate)
          }
          try makeTrack(order, for: index)
        } catch {
          shared.withLock { $0.inputs[index].refuse(error) }
          throw error
        }
      }
    }
  }
}
