public import Foundation

extension AVAssetExportSession {
  /// Where an export stands on its way.
  public enum State: Sendable {
    /// It was not asked for yet.
    case pending
    /// It is about to begin.
    case waiting
    /// It is under way, and so far.
    case exporting(progress: Progress)
  }

  /// Where the export stands, until it ends in whatever way; ``error`` then says how.
  ///
  /// - Parameter updateInterval: How often progress is told, in seconds; infinity for once, when it begins. The
  ///   progress that was given goes on in any case.
  public func states(
    updateInterval: TimeInterval = .infinity
  ) -> some Sendable & AsyncSequence<State, Never> {
    AsyncStream<State>(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let task = Task { [weak self] in
        let progress = Progress(totalUnitCount: 1000)
        var (told, last) = (Status?.none, ContinuousClock.now)
        while let (status, part) = self.map({ ($0.status, $0.progress) }), !Task.isCancelled {
          progress.completedUnitCount = Int64(part * 1000)
          let isDue = Self.seconds(since: last) >= updateInterval
          if status != told || (status == .exporting && isDue) {
            (told, last) = (status, .now)
            switch status {
            case .unknown: continuation.yield(.pending)
            case .waiting: continuation.yield(.waiting)
            case .exporting: continuation.yield(.exporting(progress: progress))
            case .completed, .failed, .cancelled: return continuation.finish()
            }
          }
          try? await Task.sleep(for: .milliseconds(10))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func seconds(since time: ContinuousClock.Instant) -> TimeInterval {
    time.duration(to: .now) / .seconds(1)
  }
}
