import Foundation
import MediaCore
import MediaLibrary
import RecorderControl
import Takes
import VideoRecorder

/// Prints the takes of a session as they become complete, and moves them into a library.
struct TakePrinter: Sendable {
  /// What a take is in its session, and in the library.
  private struct Place: Encodable {
    let number: Int
    let outcome: RecordingReport.Outcome
    let library: SavedRecording.Saving?
  }

  /// True for one JSON document on each line.
  let isJSON: Bool
  /// The library that takes are moved into; nil if they stay.
  let library: PhotoLibrary?
  /// The uploads of the movies; nil for none.
  let uploads: MovieUploads?
  /// Ends the hooks of takes that are being saved.
  let hooks: HookInterruption
  /// Reports to listeners where saved movies are; nil for none.
  var recorder: TakeRecorder?

  /// What became of a take in the library, from good to bad.
  enum Outcome: Comparable {
    case saved
    /// A signal ended the hooks.
    case interrupted
    /// It is where it was recorded.
    case notSaved
  }

  /// Saves and prints a take.
  ///
  /// - Parameter signals: ``HookInterruption/count`` when the take was complete.
  func print(_ take: TakeSession.Take, since signals: Int) async throws -> Outcome {
    var saving: SavedRecording.Saving?
    if let library { saving = await save(take, in: library, since: signals) }
    if isJSON {
      let place = Place(number: take.number, outcome: take.outcome, library: saving)
      let second = SecondPlace(of: take.report)
      let document =
        uploads.map {
          JSONDocument(.recording, take.report, place, second, $0.result(of: take.report))
        } ?? JSONDocument(.recording, take.report, place, second)
      try Console.print(document, isOneLine: true)
    } else {
      let upload = uploads.map { [$0.line(of: take.report)] } ?? []
      Console.print(["take \(take.number)"] + RecordingText.series(take.report) + upload + [""])
    }
    for report in [take.report] + take.report.continuations {
      if let error = report.sidecarError { Console.note("\(error)") }
      if let error = report.error, !report.end.isIntended { Console.note(error.message) }
    }
    guard let saving else { return .saved }
    if saving.error != nil { return .notSaved }
    return saving.hooks.contains(where: \.wasInterrupted) ? .interrupted : .saved
  }

  private func save(
    _ take: TakeSession.Take, in library: PhotoLibrary, since signals: Int
  ) async -> SavedRecording.Saving? {
    let movies = take.report.finishedMovies
    guard !movies.isEmpty else { return nil }
    let result = await hooks.run(since: signals) {
      () async -> Result<ChangeReport, MediaLibraryError> in
      do throws(MediaLibraryError) {
        return .success(try await library.save(takes: [movies]))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let changes):
      SavingArguments.tell(changes, library)
      let saving = SavedRecording.Saving(changes, in: library)
      let files = saving.assets.flatMap(\.files).filter { [.video, .segment].contains($0.type) }
      if !files.isEmpty {
        recorder?.noteSaved(
          take, at: Dictionary(files.map { ($0.originalFilename, $0.path) }) { first, _ in first })
      }
      return saving
    case .failure(let error):
      Console.note("take \(take.number) is not in the library: \(error.message)")
      return SavedRecording.Saving(path: library.url.path, error: error)
    }
  }

  /// What happens in a session, in a line.
  static func text(_ event: TakeSession.Event) -> String {
    switch event {
    case .standingBy(let number): "standing by for take \(number)"
    case .idle(let number): "ready for take \(number)"
    case .cut: "a new movie starts"
    case .marked(let marker):
      "marked frame \(marker.frame)" + (marker.note.isEmpty ? "" : ": \(marker.note)")
    case .changed: "the next takes use another preset"
    case .started(let number, let path): "take \(number): recording \(path)"
    case .paused: "paused"
    case .resumed: "recording again"
    case .series(let event): RecordingText.event(event)
    case .finished(let take): "take \(take.number) is complete"
    case .refused(let error): "\(error)"
    case .sourceLost(let error, isAwaited: true): "\(error); waiting for the source, q ends"
    case .sourceLost(let error, isAwaited: false): "\(error); the session ends"
    }
  }
}
