import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization
import SystemPackage

/// What the writing thread does, from the first byte of the take to the last.
///
/// Encoded frames and audio of one timeline go into the movie of their segment. While a track has
/// not reached a cut, two movies are open.
final class MovieThread {
  private let core: WriterCore
  private var files: SegmentFiles
  private let container: MovieContainer
  private let finisher: SegmentFinisher
  private var movies: [Movie]
  /// The first file, which was made before the thread began.
  private var firstFile: (any SegmentMovie)?

  private struct Movie {
    var span: SegmentTimeline.Span
    let assembler: any SegmentMovie
    /// True once the world was told that the movie was begun.
    var isAnnounced = false
    /// What comes with its end, once that was asked for.
    var facts: MovieFacts?

    var path: String { assembler.file.name }
    var job: SegmentFinisher.Job {
      .init(movie: assembler, span: span, facts: facts ?? MovieFacts())
    }
  }

  /// A thread that writes into files, the first of which is made now.
  init(
    _ core: WriterCore, files: SegmentFiles, container: MovieContainer
  ) throws(QuickTimeError) {
    self.core = core
    self.files = files
    self.container = container
    firstFile = container.makeMovie(in: try self.files.first())
    movies = []
    finisher = SegmentFinisher { [core] job, summary, error in
      core.didFinish(job, summary, error: error)
    }
  }

  func run() {
    while true {
      let action = core.shared.wait { $0.nextAction() }
      do throws(QuickTimeError) {
        if try perform(action) { return }
      } catch {
        fail(AssetWriterError(error))
        return
      }
    }
  }

  /// Removes the first file, where the thread could not be started.
  func abandon() { firstFile?.remove() }

  /// Does one thing; true where it was the last.
  private func perform(_ action: WriterState.Action) throws(QuickTimeError) -> Bool {
    let began = MonotonicClock.now
    switch action {
    case .open(let setup): try open(setup)
    case .video(let input, let write):
      for data in write.data { try movie(data.segment)?.write(data) }
      let movie = movie(write.segment)
      try movie?.write(write, input: input) { core.isCancelling }
      book(began, write.segment, movie) { $0.didWrite(write, input) }
    case .audio(let input, let write):
      let movie = movie(write.segment)
      let written =
        try movie?.write(
          write.piece, input: input, room: write.room,
          isCancelled: { core.isCancelling }) ?? 0
      book(began, write.segment, movie) { $0.didWrite(write, input, written: written) }
    case .data(let write):
      guard let movie = movie(write.segment) else { break }
      try movie.write(write)
      let size = movie.projectedFileSize
      core.shared.update { $0.segments.didWrite(write.segment, bytes: size) }
    case .endSegment(let span, let facts): end(span, facts)
    case .finish(let length):
      try finish(length)
      return true
    case .abort(let error):
      fail(error)
      return true
    case .cancel:
      cancel()
      return true
    }
    return false
  }

  private func movie(_ segment: Int) -> (any SegmentMovie)? {
    movies.first { $0.span.number == segment }?.assembler
  }

  private func open(_ setup: MovieSetup) throws(QuickTimeError) {
    if let file = firstFile {
      firstFile = nil
      movies.append(Movie(span: setup.span, assembler: file))
    } else {
      movies.append(Movie(span: setup.span, assembler: container.makeMovie(in: try files.next())))
    }
    try movies[movies.count - 1].assembler.open(setup, telling: core.reservedSpace)
    core.shared.update { $0.segments.didOpen(setup.span.number) }
    tellLostCopies(movies.count - 1)
    announce(movies.count - 1)
  }

  /// Reports the copies that were given up since the last call. Before any event of the movie itself, which no longer
  /// exists in their place.
  private func tellLostCopies(_ index: Int) {
    for copy in movies[index].assembler.takeLostCopies() {
      guard files.giveUp(copy) else { continue }
      core.tell(.copyLost(number: movies[index].span.number, copy))
    }
  }

  /// Tells of a movie, once, when its file has its name.
  private func announce(_ index: Int) {
    guard !movies[index].isAnnounced, movies[index].assembler.hasName else { return }
    movies[index].isAnnounced = true
    core.tell(.began(number: movies[index].span.number, path: movies[index].path))
  }

  /// Checks after each fragment whether another program touched its file. If the file was deleted or emptied,
  /// the take continues in the next file.
  private func watchFile(of segment: Int) {
    guard let index = movies.firstIndex(where: { $0.span.number == segment }) else { return }
    tellLostCopies(index)
    announce(index)
    guard let change = movies[index].assembler.noticeChange() else { return }
    if change.change != .moved {
      core.shared.update { state in
        guard state.segments.last?.number == segment else { return }
        // Refused once writing has ended: no frame follows then.
        try? state.requestSegment()
      }
    }
    core.tell(.changed(number: segment, change))
  }

  /// Counts what was written, and wakes those who wait for room.
  private func book(
    _ began: Int64, _ segment: Int, _ movie: (any SegmentMovie)?,
    _ change: (inout WriterState) -> WriterState.Released
  ) {
    let size = movie?.projectedFileSize ?? 0
    let took = MonotonicClock.now - began
    let released = core.shared.update { state in
      if movie != nil { state.segments.didWrite(segment, bytes: size) }
      core.fileBytes.store(state.segments.fileBytes, ordering: .relaxed)
      state.work.writeTime.add(took)
      state.work.processorTime = MediaThread.processorTime
      let released = change(&state)
      state.noteArrivals { input in
        movies.reduce(0) { $0 + $1.assembler.pendingFrameCount(of: input) }
      }
      return released
    }
    released.resume()
    watchFile(of: segment)
  }

  // MARK: Ends

  /// Hands a movie over to be completed while the next one is written.
  private func end(_ span: SegmentTimeline.Span, _ facts: MovieFacts) {
    core.shared.update { $0.segments.didEnd(span.number) }
    guard let index = movies.firstIndex(where: { $0.span.number == span.number }) else {
      return
    }
    let movie = movies.remove(at: index)
    finisher.finish(.init(movie: movie.assembler, span: span, facts: facts))
  }

  private func finish(_ length: MediaTime?) throws(QuickTimeError) {
    if let length { removeMovies(behind: length) }
    settleReasons()
    takeFacts()
    while let movie = movies.first {
      let job = movie.job
      do throws(QuickTimeError) {
        let summary = try movie.assembler.finish(end: length, facts: job.facts)
        movies.removeFirst()
        core.didFinish(job, summary)
      } catch {
        // A file that another program removed is no reason to fail the others.
        guard movie.assembler.isLost else { throw error }
        let summary = movie.assembler.rescue(job.facts)
        movies.removeFirst()
        core.didFinish(job, summary, error: error)
      }
    }
    finisher.close()
    let failure = core.shared.withLock { state in
      state.noteArrivals { _ in 0 }
      state.segments.didFinishTake()
      state.settleAccounts()
      return state.phase.failure ?? state.lostMovie ?? state.lossOfFacts
    }
    if let failure { fail(failure) } else { end(.completed) }
  }

  /// Removes movies that begin where the session ends, or behind that: nothing would be shown of them. The take's first
  /// one stays.
  private func removeMovies(behind length: MediaTime) {
    let rate = core.shared.withLock { $0.lead?.rate }
    guard let end = rate?.frameIndex(nearest: length) else { return }
    let isSurplus = { (movie: Movie) in movie.span.number > 1 && movie.span.start >= end }
    let surplus = movies.filter(isSurplus)
    movies.removeAll(where: isSurplus)
    for movie in surplus {
      movie.assembler.remove()
      core.shared.update { $0.didRemove(segment: movie.span.number) }
      core.didFinish(movie.job, nil)
    }
  }

  /// Asks once for what comes with the end of the movies that are open.
  private func takeFacts() {
    for index in movies.indices where movies[index].facts == nil {
      let number = movies[index].span.number
      movies[index].facts = core.shared.withLock { $0.takeFacts(of: number) }
    }
  }

  /// Why the movies that are open ended: those behind which another one was begun by their cuts.
  private func settleReasons() {
    let spans = core.shared.withLock { $0.segments.spans }
    for index in movies.indices {
      let number = movies[index].span.number
      let isLast = index == movies.count - 1
      let reason = spans.first { $0.number == number }?.reason
      movies[index].span.reason = isLast ? .takeEnded : reason ?? .takeEnded
    }
  }

  /// Ends with what can be saved.
  private func fail(_ error: AssetWriterError) {
    var error = error
    firstFile?.remove()
    settleReasons()
    takeFacts()
    for (index, movie) in movies.enumerated() {
      let summary = movie.assembler.rescue(movie.job.facts)
      if !movie.assembler.isRemoved { announce(index) }
      let isLast = movie.span.reason == .takeEnded
      core.didFinish(movie.job, summary, end: isLast ? .writingFailed : nil)
    }
    finisher.close()
    let segments = core.shared.withLock { state in
      state.settleAccounts()
      return state.segments.segments
    }
    error.recordingSuccessfullyFinished = !segments.isEmpty && segments.allSatisfy(\.isValid)
    end(.failed(error))
  }

  private func cancel() {
    firstFile?.remove()
    for movie in movies { movie.assembler.remove() }
    finisher.close()
    for path in movies.map(\.path) + finisher.removeAll() { core.tell(.removed(path: path)) }
    end(.cancelled(AssetWriterError(.cancelled, "writing was cancelled")))
  }

  private func end(_ phase: WriterPhase) {
    files.close()
    core.shared.withLock { $0.work.processorTime = MediaThread.processorTime }
    core.end(phase)
  }
}

extension AssetWriterError {
  /// What a failure of the movie file means for its writer.
  init(_ error: QuickTimeError) {
    let code: Code =
      switch error.code {
      case .fileExists: .fileExists
      case .diskFull: .diskFull
      // After an unconfirmed write, the contents of the disk are in doubt as well.
      case .ioFailed where error.errno == .noSpace || error.errno == .diskQuotaExceeded: .diskFull
      case .outOfMemory: .outOfResources
      case .invalidArgument: .invalidSettings
      case .encodingFailed: .encodingFailed
      default: .fileFailed
      }
    self.init(code, from: error)
  }
}
