import Foundation
import MediaLibrary
import RecorderControl
import Takes
import VideoRecorder

/// Runs a recorder that is steered from elsewhere, and prints its takes.
struct TakeRun {
  let recorder: TakeRecorder
  /// The library that takes are moved into; nil if they stay.
  let photos: PhotoLibrary?
  /// The uploads of the takes' movies; nil for none.
  let uploads: MovieUploads?
  let isJSON: Bool

  /// Runs until the recorder is told to end.
  func run(onHangup: HangupPolicy) async throws {
    let hooks = HookInterruption()
    let interruption = Interruption(onHangup: onHangup)
    let session = recorder.session
    interruption.handle {
      session.send(.end)
      hooks.interrupt()
    }
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
    let watch = TakeWatch(
      suspension: Suspension { session.setup.output.noteProcessStop(lasting: $0.seconds) })
    let watching = Task { await watch.run { session.setup.output.progressForObservers } }
    let recorder = recorder
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
    interruption.renew { hooks.interrupt() }
    let outcome = try await printing.value
    uploads?.finish()
    let status = outcome == .notSaved ? .failure : ExitStatus(try result.get().worst)
    if status != .success { throw status.exit }
    if outcome == .interrupted { throw ExitStatus.endedEarly.exit }
  }
}
