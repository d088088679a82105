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
    defer { withExtendedLifetime(controls) {} }
    let display = display(hasKeys: controls.hasKeys, refusesStop: false) {
      session.setup.output.noteProcessStop(lasting: $0.seconds)
    }
    try await TakeRun(recorder: recorder, photos: photos, uploads: uploads, isJSON: json).run(
      hooks: hooks, beside: { await display.run { session.setup.output.progress } },
      whenOver: { controls.sessionIsOver() })
  }
}
