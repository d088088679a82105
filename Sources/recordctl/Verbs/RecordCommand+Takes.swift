import ArgumentParser
import Foundation
import MediaLibrary
import VideoRecorder

/// `recordctl record --takes`
extension RecordCommand {
  /// Records take after take. Their reports are printed, and they are saved, while the next one may be
  /// recorded.
  func recordTakes(_ request: RecordingRequest, _ photos: PhotoLibrary?) async throws {
    let session = try TakeSession(request, name: output)
    try checkBefore(session.setup, try session.firstPath(), photos)
    let moment = try startAt.map { try session.setup.moment(of: $0) }
    // The library sees the limit of a file's size before it is reached; the signal must not kill.
    signal(SIGXFSZ, SIG_IGN)
    let controls = TakeControls(session, startAt: moment)
    Console.note("recordctl: \(controls.legend)")
    let progress = ProgressLine()
    let (finished, finish) = AsyncStream.makeStream(of: TakeSession.Take.self)
    let printer = TakePrinter(isJSON: json, library: photos)
    let printing = Task {
      var areSaved = true
      for await take in finished where try await !printer.print(take) { areSaved = false }
      return areSaved
    }
    let drawing = Task {
      while !Task.isCancelled {
        if let now = session.setup.output.progress {
          progress.show(fitting: { RecordingText.line(now, columns: $0) })
        }
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    let result = await Result.awaiting {
      try await session.run { event in
        if case .finished(let take) = event { return _ = finish.yield(take) }
        progress.clear()
        Console.note("recordctl: \(TakePrinter.text(event))")
      }
    }
    drawing.cancel()
    await drawing.value
    progress.clear()
    finish.finish()
    let areSaved = try await printing.value
    withExtendedLifetime(controls) {}
    let status = areSaved ? try result.get().status : ExitStatus.failure.rawValue
    if status != 0 { throw ExitCode(status) }
  }
}
