public import MediaCore
import Synchronization

/// Reads an asset's tracks as decoded video and audio.
///
/// ```swift
/// let reader = try AVAssetReader(asset: asset)
/// let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
/// reader.add(output)
/// guard reader.startReading() else { throw reader.error! }
/// while let sample = output.copyNextSampleBuffer() { use(sample) }
/// ```
///
/// Each output opens the file separately, so outputs may be read at any distance from one another. If used
/// incorrectly, the reader fails with a ``status`` and an ``error``; Apple's reader stops the program.
public final class AVAssetReader: Sendable {
  /// The status of a reader.
  public enum Status: Int, Sendable, Hashable {
    case unknown, reading, completed, failed, cancelled
  }

  private struct State: Sendable {
    var status = Status.unknown
    var error: AVError?
    var outputs: [AVAssetReaderOutput] = []
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
  }

  public let asset: AVAsset
  private let state = Mutex(State())

  /// - Throws: ``AVError`` if the file cannot be read.
  public init(asset: AVAsset) throws {
    _ = try asset.contents()
    self.asset = asset
  }

  public var status: Status { state.withLock { $0.status } }
  /// Why reading failed; nil if it did not.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// The outputs, in the order of ``add(_:)``.
  public var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }

  /// The part of the asset to read; all of it by default. Set it before ``startReading()``: later changes make the
  /// reader fail.
  public var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } }
    set {
      let isEarly = state.withLock { state in
        guard state.status == .unknown else { return false }
        state.timeRange = newValue
        return true
      }
      if !isEarly { fail("set the time range before reading starts") }
    }
  }

  /// True before reading starts, for an output of this asset's tracks that was not added yet.
  public func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && output.isOf(asset) && !outputs.contains(output)
  }

  /// Adds an output. If that is not possible, the reader fails and ``error`` says why.
  public func add(_ output: AVAssetReaderOutput) {
    guard canAdd(output) else {
      return fail(
        status == .unknown
          ? "an output must belong to a track of the reader's asset, and can be added only once"
          : "add outputs before reading starts")
    }
    state.withLock { $0.outputs.append(output) }
  }

  /// Opens the outputs' sources.
  ///
  /// - Returns: False on failure; ``error`` then says why.
  @discardableResult
  public func startReading() -> Bool {
    let (isReady, outputs, range) = state.withLock {
      ($0.status == .unknown, $0.outputs, $0.timeRange)
    }
    guard isReady else {
      if status != .failed { fail("a reader can be used only once; create another one") }
      return false
    }
    guard !outputs.isEmpty else {
      fail("the reader has no outputs; add one")
      return false
    }
    do throws(AVError) {
      for output in outputs { try output.start(for: self, range) }
    } catch {
      fail(error)
      return false
    }
    state.withLock { if $0.status == .unknown { $0.status = .reading } }
    return status == .reading
  }

  /// Cancels reading: outputs return no more samples.
  public func cancelReading() {
    state.withLock { if $0.status == .reading || $0.status == .unknown { $0.status = .cancelled } }
    for output in outputs { output.end() }
  }

  /// Called when an output has ended.
  func noteEnd() {
    let outputs = outputs
    guard outputs.allSatisfy(\.hasEnded) else { return }
    state.withLock { if $0.status == .reading { $0.status = .completed } }
  }

  private func fail(_ message: String) { fail(AVError(.operationNotAllowed, message)) }

  func fail(_ error: AVError) {
    let outputs = state.withLock { state in
      guard state.status != .failed, state.status != .cancelled else { return state.outputs }
      (state.status, state.error) = (.failed, error)
      return state.outputs
    }
    for output in outputs { output.end() }
  }
}
