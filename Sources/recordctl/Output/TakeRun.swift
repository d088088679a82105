import Foundation
import MediaLibrary
import RecorderControl
import Takes
import VideoRecorder

/// Runs a recorder, and prints its takes.
struct TakeRun {
  let recorder: TakeRecorder
  /// The library that takes are moved into; nil if they stay.
  let photos: PhotoLibrary?
  /// The uploads of the takes' movies; nil for none.
  let uploads: MovieUploads?
  let isJSON: Bool

  /// Runs a recorder that is steered from elsewhere until it is told to end.
  func run(onHangup: HangupPolicy) async throws {
    let hooks = HookInterruption()
    let interruption = Interruption(onHangup: onHangup)
    let session = recorder.session
    interruption.handle {
      session.send(.end)
      hooks.interrupt()
    }
    let watch = TakeWatch(
      suspension: Suspension { session.setup.output.noteProcessStop(lasting: $0.seconds) })
    try await run(
      hooks: hooks,
      beside: { await watch.run { session.setup.output.progressForObservers } },
      whenOver: { interruption.renew { hooks.interrupt() } })
  }

  /// Runs until the recorder has ended. Takes are printed, and saved, while the next one may be recorded.
  ///
  /// - Parameters:
  ///   - hooks: The signals that end hooks.
  ///   - watch: What runs beside the recorder, until it is cancelled.
  ///   - whenOver: Called once no more takes come, while the last ones may still be saved.
  func run(
    hooks: HookInterruption, beside watch: @escaping @Sendable () async -> Void,
    whenOver: () -> Void
  ) async throws {
    let (finished, finish) = AsyncStream.makeStream(of: (TakeSession.Take, Int).self)
    let printer = TakePrinter(
      isJSON: isJSON, library: photos, uploads: uploads, hooks: hooks, recorder: recorder)
    let printing = Task {
      var worst = TakePrinter.Outcome.saved
      for await (take, signals) in finished {
        worst = max(worst, try await printer.print(take, since: signals))
      }
      return worst
    }
    let watching = Task { await watch() }
    let recorder = recorder
    let session = recorder.session
    let result = await Result.awaiting {
      try await recorder.run { event in
        if case .finished(let take) = event { return _ = finish.yield((take, hooks.count)) }
        if case .changed = event { session.secondFolder?.warn() }
        Console.note(TakePrinter.text(event))
      }
    }
    watching.cancel()
    await watching.value
    finish.finish()
    whenOver()
    let outcome = try await printing.value
    uploads?.finish()
    let status = outcome == .notSaved ? .failure : ExitStatus(try result.get().worst)
    if status != .success { throw status.exit }
    if outcome == .interrupted { throw ExitStatus.endedEarly.exit }
  }
}
