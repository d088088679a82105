public import MediaCore
import Synchronization

/// Reads an asset's tracks as decoded pictures and audio.
///
/// ```swift
/// let reader = try AVAssetReader(asset: asset)
/// let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
/// reader.add(output)
/// guard reader.startReading() else { throw reader.error! }
/// while let sample = output.copyNextSampleBuffer() { use(sample) }
/// ```
///
/// Each output opens the file for itself, so that outputs are read as far apart as the program likes.
/// Where Apple's reader stops the program for a mistake in it, this one fails: ``status`` and ``error``
/// say so.
public final class AVAssetReader: Sendable {
  /// Where a reader stands.
  public enum Status: Int, Sendable, Hashable {
    case unknown, reading, completed, failed, cancelled
  }

  private struct State: Sendable {
    var status = Status.unknown
    var error: AVError?
    var outputs: [AVAssetReaderOutput] = []
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
  }

  /// What is read.
  public let asset: AVAsset
  private let state = Mutex(State())

  /// A reader of an asset.
  ///
  /// - Throws: ``AVError`` where the file cannot be read.
  public init(asset: AVAsset) throws {
    _ = try asset.contents()
    self.asset = asset
  }

  /// Where the reader stands.
  public var status: Status { state.withLock { $0.status } }
  /// Why reading ended early; nil if it did not.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// The outputs, in the order in which they were added.
  public var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }

  /// What of the asset is read; all of it at first. To be set before ``startReading()``; later changes
  /// make the reader fail.
  public var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } }
    set {
      let isEarly = state.withLock { state in
        guard state.status == .unknown else { return false }
        state.timeRange = newValue
        return true
      }
      if !isEarly { fail("a time range is set before reading starts") }
    }
  }

  /// True for an output of a track of this asset, before reading starts.
  public func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && output.isOf(asset) && !outputs.contains(output)
  }

  /// Adds an output. Where that cannot be, the reader fails, and ``error`` says why.
  public func add(_ output: AVAssetReaderOutput) {
    guard canAdd(output) else {
      return fail(
        status == .unknown
          ? "an output is of a track of the reader's asset, and added once"
          : "outputs are added before reading starts")
    }
    state.withLock { $0.outputs.append(output) }
  }

  /// Opens what the outputs read.
  ///
  /// - Returns: False where that cannot be; ``error`` says why.
  @discardableResult
  public func startReading() -> Bool {
    let (isReady, outputs, range) = state.withLock {
      ($0.status == .unknown, $0.outputs, $0.timeRange)
    }
    guard isReady else {
      if status != .failed { fail("a reader reads once; make another one") }
      return false
    }
    guard !outputs.isEmpty else {
      fail("a reader has no output to read for")
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

  /// Ends reading: outputs give nothing more.
  public func cancelReading() {
    state.withLock { if $0.status == .reading || $0.status == .unknown { $0.status = .cancelled } }
    for output in outputs { output.end() }
  }

  /// An output has come to its end.
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
