import CMonitorKernels

/// Detects black video.
public struct BlackDetector: Sendable, Hashable {
  /// The highest 10-bit luma code that counts as black: a little above 64, to allow for noise.
  public var threshold: UInt16 = 100
  /// The minimum share of black samples.
  public var share = 0.98
  /// The minimum duration of black, in seconds.
  public var least = 5.0
  public private(set) var condition = SustainedCondition.absent

  public init() {}

  /// Evaluates a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - seconds: When it was captured.
  /// - Returns: True when black has lasted long enough, false when it ends after that; otherwise
  ///   nil.
  public mutating func observe(_ frame: PreviewFrame, at seconds: Double) -> Bool? {
    condition.update(isBlack(frame), at: seconds, least: least)
  }

  public func isBlack(_ frame: PreviewFrame) -> Bool {
    Double(darkCount(frame.luma)) >= share * Double(frame.luma.count)
  }

  /// The number of black samples.
  func darkCount(_ luma: [UInt16]) -> Int {
    luma.withUnsafeBufferPointer { monitor_count_dark($0.baseAddress, $0.count, threshold) }
  }
}

/// Detects frozen video: at most one luma sample in two thousand changes by more than noise.
public struct FreezeDetector: Sendable {
  /// The largest change of a 10-bit luma code that counts as noise.
  public var tolerance: UInt16 = 4
  /// The maximum share of changed samples.
  public var share = 0.0005
  /// The minimum duration of the freeze, in seconds.
  public var least = 5.0
  public private(set) var condition = SustainedCondition.absent
  private var previous: [UInt16] = []

  public init() {}

  /// Evaluates a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame; a different size counts as a change.
  ///   - seconds: When it was captured.
  /// - Returns: True when the freeze has lasted long enough, false when it ends after that;
  ///   otherwise nil.
  public mutating func observe(_ frame: PreviewFrame, at seconds: Double) -> Bool? {
    defer { keep(frame.luma) }
    return condition.update(isSame(frame), at: seconds, least: least)
  }

  /// Copies the samples, because the frame's memory may be reused for the next one.
  private mutating func keep(_ luma: [UInt16]) {
    if previous.count != luma.count { previous = [UInt16](repeating: 0, count: luma.count) }
    previous.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: luma) }
  }

  private func isSame(_ frame: PreviewFrame) -> Bool {
    guard previous.count == frame.luma.count else { return false }
    let changed = changeCount(from: previous, to: frame.luma)
    return Double(changed) <= share * Double(frame.luma.count)
  }

  /// The number of samples that change by more than noise. Both arrays have the same count.
  func changeCount(from before: [UInt16], to now: [UInt16]) -> Int {
    before.withUnsafeBufferPointer { before in
      now.withUnsafeBufferPointer { now in
        monitor_count_changes(before.baseAddress, now.baseAddress, now.count, tolerance)
      }
    }
  }
}
