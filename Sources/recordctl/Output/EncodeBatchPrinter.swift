import AssetReader
import MediaCore
import MovieExport
import Synchronization
import VideoRecorder

/// What is said while a batch is encoded: a line of progress, and one for each input that is done.
final class EncodeBatchPrinter: Sendable {
  private struct State {
    var done = 0
    var present: [Int: AssetExportSession.Progress] = [:]
    var seconds: [Double]
    /// Bytes of the inputs that are done, and of all.
    var bytesDone: Int64 = 0
  }

  private let sources: ExportSources
  private let isJSON: Bool
  private let progress = ProgressLine()
  private let began = ContinuousClock.now
  private let sizes: [Int64]
  private let state: Mutex<State>

  init(_ sources: ExportSources, isJSON: Bool) {
    self.sources = sources
    self.isJSON = isJSON
    sizes = sources.items.map { $0.location.byteCount ?? 0 }
    state = Mutex(State(seconds: Array(repeating: 0, count: sources.items.count)))
  }

  /// Seconds that each input took.
  var seconds: [Double] { state.withLock { $0.seconds } }

  func show(_ event: ExportBatch.Event) {
    switch event {
    case .began(let item): draw(item, nil)
    case .advanced(let item, let now): draw(item, now)
    case .ended(let item, let result, let seconds):
      state.withLock { state in
        state.done += 1
        state.present[item] = nil
        state.seconds[item] = seconds
        state.bytesDone += sizes[item]
      }
      progress.clear()
      tell(result, EncodeBatchListing.line(sources.items[item], result, seconds, sizes[item]))
    }
  }

  /// A failure, also that of a sidecar, is told on standard error even where the results are JSON.
  private func tell(_ result: ExportBatch.Result, _ line: String) {
    if case .failed = result { return Console.note(line) }
    if !isJSON { Console.print(line) }
    if case .encoded(let outcome) = result, let error = outcome.sidecarError {
      Console.note("\(error)")
    }
  }

  func finish() { progress.clear() }

  private func draw(_ item: Int, _ now: AssetExportSession.Progress?) {
    if let now { state.withLock { $0.present[item] = now } }
    progress.show {
      let (done, present, bytes) = state.withLock { ($0.done, $0.present, $0.bytesDone) }
      var parts = ["\(done) of \(sources.items.count) done"]
      for (item, now) in present.sorted(by: { $0.key < $1.key }) {
        let name = sources.items[item].input.pathName
        let share = now.totalFrames.map { " \(100 * now.frames / max($0, 1)) %" } ?? ""
        parts.append("\(name)\(share.isEmpty ? " frame \(now.frames)" : share)")
      }
      let elapsed = (ContinuousClock.now - began).seconds
      let total = sizes.reduce(0, +)
      var passed = Double(bytes)
      for (item, now) in present {
        guard let frames = now.totalFrames, frames > 0 else { continue }
        passed += Double(sizes[item]) * Double(now.frames) / Double(frames)
      }
      if passed > 0, elapsed > 1, total > 0 {
        parts.append(Quantity.timeLeft(elapsed * max(Double(total) / passed - 1, 0)))
      }
      return parts.joined(separator: "  ")
    }
  }
}
