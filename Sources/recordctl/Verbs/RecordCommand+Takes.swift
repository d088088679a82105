import ArgumentParser
import Foundation
import MediaLibrary
import Takes
import VideoRecorder

/// `recordctl record --takes`
extension RecordCommand {
  /// Records take after take. Their reports are printed, and they are saved, while the next one may be
  /// recorded.
  func recordTakes(_ request: RecordingRequest, _ photos: PhotoLibrary?) async throws {
    let session = try TakeSession(request, name: output)
    try checkBefore(session.setup, try session.firstPath(), photos)
    let moment = try startAt.map { try session.setup.moment(of: $0) }
    let controls = TakeControls(session, startAt: moment, onHangup: watching.onHangup)
    Console.note("recordctl: \(controls.legend)")
    let line = ProgressLine()
    let (finished, finish) = AsyncStream.makeStream(of: TakeSession.Take.self)
    let printer = TakePrinter(isJSON: json, library: photos)
    let printing = Task {
      var areSaved = true
      for await take in finished where try await !printer.print(take) { areSaved = false }
      return areSaved
    }
    let display = TakeDisplay(
      line: line,
      live: LiveLine(
        hasBlocks: line.hasBlocks, start: .init(time: startAt, hasKeys: controls.hasKeys)),
      rings: watching.bell, suspension: nil)
    let drawing = Task { await display.run { session.setup.output.progress } }
    let result = await Result.awaiting {
      try await session.run { event in
        if case .finished(let take) = event { return _ = finish.yield(take) }
        Console.note("recordctl: \(TakePrinter.text(event))")
      }
    }
    drawing.cancel()
    await drawing.value
    finish.finish()
    let areSaved = try await printing.value
    withExtendedLifetime(controls) {}
    let status = areSaved ? try result.get().status : ExitStatus.failure.rawValue
    if status != 0 { throw ExitCode(status) }
  }
}
