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
      add(ExportListener(continuation: continuation, interval: updateInterval))
    }
  }
}

/// Somebody who wants to know where an export stands.
struct ExportListener: Sendable {
  let continuation: AsyncStream<AVAssetExportSession.State>.Continuation
  /// Seconds from one word on its progress to the next.
  let interval: TimeInterval
  private let progress = Progress(totalUnitCount: 1000)
  private var status: AVAssetExportSession.Status?
  private var last = ContinuousClock.now

  init(
    continuation: AsyncStream<AVAssetExportSession.State>.Continuation, interval: TimeInterval
  ) {
    self.continuation = continuation
    self.interval = interval
  }

  /// The listener once it was told what is new for it; nil if nothing follows, or it has gone.
  func told(_ status: AVAssetExportSession.Status, _ part: Float) -> Self? {
    progress.completedUnitCount = Int64(part * 1000)
    var told = self
    let isDue = last.duration(to: .now) / .seconds(1) >= interval
    guard status != self.status || (status == .exporting && isDue) else { return told }
    (told.status, told.last) = (status, .now)
    let state: AVAssetExportSession.State
    switch status {
    case .unknown: state = .pending
    case .waiting: state = .waiting
    case .exporting: state = .exporting(progress: progress)
    case .completed, .failed, .cancelled:
      continuation.finish()
      return nil
    }
    if case .terminated = continuation.yield(state) { return nil }
    return told
  }
}
