import AssetReader
import Dispatch
import MediaCore
import Synchronization
import Testing

@testable import MovieExport

/// Frames that are made by compositors, and frames that are given up.
@Suite struct FramePromiseTests {
  private func frame() throws -> PixelBuffer {
    try MutablePixelBuffer(PixelBuffer.Description(format: .yuv422p10, width: 16, height: 16))
      .finish()
  }

  /// Keeps its requests, and counts its cancellations.
  private final class Keeper: FrameCompositor {
    let requests = Mutex<[CompositionRequest]>([])
    let cancellations = Mutex(0)
    var layout: VideoProcessing.Layout? { nil }
    func prepare() {}
    func start(_ request: CompositionRequest) { requests.withLock { $0.append(request) } }
    func cancel() { cancellations.withLock { $0 += 1 } }
  }

  @Test func the_first_outcome_of_a_promise_counts() async throws {
    let (promise, first, second) = (FramePromise(), try frame(), try frame())
    DispatchQueue.global().async {
      #expect(promise.keep(.success(first)))
      #expect(!promise.keep(.success(second)) && !promise.keep(.failure(CancellationError())))
    }
    #expect(try await promise.frame() === first)
    #expect(try promise.waitForFrame() === first)
  }

  @Test func canceled_frames_release_all_waiters() async throws {
    let (frames, keeper) = (OutstandingFrames(), Keeper())
    let promises = (0..<3).map { _ in FramePromise() }
    for promise in promises.prefix(2) {
      frames.start(CompositionRequest(time: .zero, sources: [], frame: promise), by: keeper)
    }
    #expect(promises[0].keep(.success(try frame())))
    frames.remove(promises[0])
    frames.cancel()
    await #expect(throws: CancellationError.self) { try await promises[1].frame() }
    frames.start(CompositionRequest(time: .zero, sources: [], frame: promises[2]), by: keeper)
    await #expect(throws: CancellationError.self) { try await promises[2].frame() }
    #expect(keeper.requests.withLock { $0.count } == 2, "nothing is started after the end")
    #expect(keeper.cancellations.withLock { $0 } == 1)
  }
}
