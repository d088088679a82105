import ArgumentParser
import Foundation
import MediaLibrary
import RecorderControl
import Takes
import VideoRecorder

/// `recordctl record --takes`
extension RecordCommand {
  /// Records take after take. Their reports are printed, and they are saved, while the next one may be
  /// recorded.
  func recordTakes(
    _ asked: RecordingRequest, _ photos: PhotoLibrary?, _ uploads: MovieUploads?
  ) async throws {
    var request = asked
    let feed = control.map { _ in MonitorFeed() }
    feed?.attach(to: &request)
    let session = try TakeSession(request, name: output)
    let recorder = TakeRecorder(session) { [overrides] in overrides.request(of: session, with: $0) }
    uploads?.observe { recorder.notice($0) }
    try checkBefore(session.setup, try session.firstPath(), photos)
    let moment = try startAt.map { try session.setup.moment(of: $0) }
    if startAt != nil, let remark = await session.setup.remarkOnClock() {
      Console.note(remark)
    }
    let server = try control.map { try ControlServer(path: $0, recorder: recorder, feed: feed) }
    defer { server?.stop() }
    let hooks = HookInterruption()
    let controls = TakeControls(
      session, startAt: moment, onHangup: watching.onHangup, hooks: hooks)
    Console.note(controls.legend)
    let (finished, finish) = AsyncStream.makeStream(of: (TakeSession.Take, Int).self)
    let printer = TakePrinter(
      isJSON: json, library: photos, uploads: uploads, hooks: hooks, recorder: recorder)
    let printing = Task {
      var worst = TakePrinter.Outcome.saved
      for await (take, signals) in finished {
        worst = max(worst, try await printer.print(take, since: signals))
      }
      return worst
    }
    let display = display(hasKeys: controls.hasKeys, refusesStop: false) {
      session.setup.output.noteProcessStop(lasting: $0.seconds)
    }
    let drawing = Task { await display.run { session.setup.output.progress } }
    let result = await Result.awaiting {
      try await recorder.run { event in
        if case .finished(let take) = event { return _ = finish.yield((take, hooks.count)) }
        if case .changed = event { session.secondFolder?.warn() }
        Console.note(TakePrinter.text(event))
      }
    }
    drawing.cancel()
    await drawing.value
    finish.finish()
    controls.sessionIsOver()
    let outcome = try await printing.value
    uploads?.finish()
    withExtendedLifetime(controls) {}
    let status = outcome == .notSaved ? .failure : ExitStatus(try result.get().worst)
    if status != .success { throw status.exit }
    if outcome == .interrupted { throw ExitStatus.endedEarly.exit }
  }
}
