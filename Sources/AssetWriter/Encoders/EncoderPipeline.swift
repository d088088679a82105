import MediaCore

/// Runs frame encoders on threads of their own, one frame each, and puts the frames back in order.
///
/// One encoder that threads inside a frame and many that do not are the same here: a thread for
/// each.
final class EncoderPipeline: VideoEncoder {
  typealias Delivery = @Sendable (Result<EncodedFrame, AssetWriterError>) -> Void

  let name: String
  let preferredDepth: Int
  private let workerCount: Int
  private let threadOptions: ThreadOptions
  private let makeEncoder: @Sendable () throws(AssetWriterError) -> any FrameEncoder
  private let pool = EncodedFrame.Pool()
  private let shared = WaitableMutex(State())

  private struct Job {
    var frame: PixelBuffer
    var index: Int64
  }

  private struct State {
    var jobs = FIFO<Job>()
    /// Encoded before their turn.
    var done: [Int64: EncodedFrame] = [:]
    var nextToDeliver: Int64 = 0
    var isDelivering = false
    var isClosed = false
    var isCancelled = false
    var deliver: Delivery?
    var threads: [MediaThread] = []
    /// How the threads were scheduled, kept when they are gone.
    var scheduling: [ThreadScheduling] = []
  }

  init(
    name: String, workerCount: Int, threadOptions: ThreadOptions = .ordinary,
    makeEncoder: @escaping @Sendable () throws(AssetWriterError) -> any FrameEncoder
  ) {
    self.name = name
    self.workerCount = max(workerCount, 1)
    self.threadOptions = threadOptions
    self.preferredDepth = max(workerCount, 1) + 1
    self.makeEncoder = makeEncoder
  }

  func start(_ deliver: @escaping Delivery) throws(AssetWriterError) {
    shared.withLock { $0.deliver = deliver }
    for number in 0..<workerCount {
      // Made here, so that one that cannot be made is an error of starting.
      let encoder = Handover(try makeEncoder())
      do throws(MediaCoreError) {
        let thread = try MediaThread(
          name: "encode-\(number)", role: .encoding, options: threadOptions, index: number
        ) { [self] in
          if let encoder = encoder.take() { work(encoder) }
        }
        shared.withLock { $0.threads.append(thread) }
      } catch {
        throw AssetWriterError(.outOfResources, error.message)
      }
    }
  }

  func submit(_ frame: PixelBuffer, index: Int64) {
    shared.update { if !$0.isClosed { $0.jobs.append(Job(frame: frame, index: index)) } }
  }

  func finish() {
    shared.update { $0.isClosed = true }
    joinAll()
  }

  func cancel() {
    shared.update {
      $0.isClosed = true
      $0.isCancelled = true
      $0.jobs.removeAll()
    }
    joinAll()
  }

  private func joinAll() {
    let threads = shared.withLock { state in
      defer { state.threads = [] }
      return state.threads
    }
    for thread in threads { thread.join() }
    shared.withLock {
      $0.deliver = nil
      $0.done = [:]
    }
  }

  var threadScheduling: [ThreadScheduling] { shared.withLock { $0.scheduling } }

  private func work(_ encoder: any FrameEncoder) {
    var isFirst = true
    while let job = nextJob() {
      let frame = pool.makeFrame(index: job.index)
      let started = MonotonicClock.now
      do throws(AssetWriterError) {
        try encoder.encode(job.frame, into: frame)
      } catch {
        fail(error)
        return
      }
      frame.encodeTime = MonotonicClock.now - started
      deliver(frame)
      if isFirst {
        isFirst = false
        shared.withLock { $0.scheduling += [.current] + encoder.threadScheduling }
      }
    }
  }

  /// Blocks until there is a frame; nil if no more will come.
  private func nextJob() -> Job? {
    let next: Job?? = shared.wait { state in
      if let job = state.jobs.popFirst() { return .some(job) }
      return state.isClosed ? .some(nil) : nil
    }
    return next ?? nil
  }

  /// Delivers the frame, and those after it that wait for it, unless another thread is at it.
  private func deliver(_ frame: EncodedFrame) {
    shared.withLock { $0.done[frame.index] = frame }
    while true {
      var deliver: Delivery?
      let next = shared.withLock { state -> EncodedFrame? in
        guard !state.isDelivering, !state.isCancelled, state.deliver != nil,
          let frame = state.done.removeValue(forKey: state.nextToDeliver)
        else { return nil }
        state.isDelivering = true
        deliver = state.deliver
        return frame
      }
      guard let next, let deliver else { return }
      deliver(.success(next))
      shared.withLock {
        $0.isDelivering = false
        $0.nextToDeliver += 1
      }
    }
  }

  private func fail(_ error: AssetWriterError) {
    let deliver = shared.update { state -> Delivery? in
      defer {
        state.isClosed = true
        state.isCancelled = true
        state.jobs.removeAll()
      }
      return state.isCancelled ? nil : state.deliver
    }
    deliver?(.failure(error))
  }
}
