public import Foundation

extension AVAssetExportSession {
  /// The state of an export.
  public enum State: Sendable {
    /// It was not requested yet.
    case pending
    /// It is about to start.
    case waiting
    /// It is running, with its progress.
    case exporting(progress: Progress)
  }

  /// The states of the export until it ends. ``error`` then has the result.
  ///
  /// - Parameter updateInterval: Seconds between progress updates; infinity for one, at the start. A `Progress`
  ///   object that was delivered keeps updating in any case.
  public func states(
    updateInterval: TimeInterval = .infinity
  ) -> some Sendable & AsyncSequence<State, Never> {
    AsyncStream<State>(bufferingPolicy: .bufferingNewest(16)) { continuation in
      add(ExportListener(continuation: continuation, interval: updateInterval))
    }
  }
}

/// A consumer of an export's states.
struct ExportListener: Sendable {
  let continuation: AsyncStream<AVAssetExportSession.State>.Continuation
  /// Seconds between progress updates.
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

  /// The listener after an update; nil if no more follow or its stream was terminated.
  func reported(_ status: AVAssetExportSession.Status, _ part: Float) -> Self? {
    progress.completedUnitCount = Int64(part * 1000)
    var reported = self
    let isDue = last.duration(to: .now) / .seconds(1) >= interval
    guard status != self.status || (status == .exporting && isDue) else { return reported }
    (reported.status, reported.last) = (status, .now)
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
    return reported
  }
}
