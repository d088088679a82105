import CMonitorKernels

/// Tells a black picture.
public struct BlackDetector: Sendable, Hashable {
  /// The highest code of luma, at 10 bits, that counts as black: a little above 64, for noise.
  public var threshold: UInt16 = 100
  /// The share of the samples that must be black.
  public var share = 0.98
  /// Seconds of black that count.
  public var least = 5.0
  /// What was found.
  public private(set) var condition = SustainedCondition.absent

  /// A detector that has seen nothing.
  public init() {}

  /// Looks at a picture.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - seconds: When it was taken.
  /// - Returns: True where black has just begun to count, false where it has just ended; else nil.
  public mutating func observe(_ picture: PreviewPicture, at seconds: Double) -> Bool? {
    condition.update(isBlack(picture), at: seconds, least: least)
  }

  /// True where a picture is black.
  public func isBlack(_ picture: PreviewPicture) -> Bool {
    Double(darkCount(picture.luma)) >= share * Double(picture.luma.count)
  }

  /// How many codes count as black.
  func darkCount(_ luma: [UInt16]) -> Int {
    luma.withUnsafeBufferPointer { monitor_count_dark($0.baseAddress, $0.count, threshold) }
  }
}

/// Tells a picture that stands still: not one sample in a thousand changes by more than noise does.
public struct FreezeDetector: Sendable {
  /// Codes of luma, at 10 bits, by which a sample may change without counting.
  public var tolerance: UInt16 = 4
  /// The share of samples that may count.
  public var share = 0.0005
  /// Seconds of standstill that count.
  public var least = 5.0
  /// What was found.
  public private(set) var condition = SustainedCondition.absent
  private var previous: [UInt16] = []

  /// A detector that has seen nothing.
  public init() {}

  /// Looks at a picture.
  ///
  /// - Parameters:
  ///   - picture: The picture; one of another size is another picture.
  ///   - seconds: When it was taken.
  /// - Returns: True where the standstill has just begun to count, false where it has just ended.
  public mutating func observe(_ picture: PreviewPicture, at seconds: Double) -> Bool? {
    defer { keep(picture.luma) }
    return condition.update(isSame(picture), at: seconds, least: least)
  }

  /// Keeps a copy of its own: the picture's memory may be needed for the next one.
  private mutating func keep(_ luma: [UInt16]) {
    if previous.count != luma.count { previous = [UInt16](repeating: 0, count: luma.count) }
    previous.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: luma) }
  }

  private func isSame(_ picture: PreviewPicture) -> Bool {
    guard previous.count == picture.luma.count else { return false }
    let changed = changeCount(from: previous, to: picture.luma)
    return Double(changed) <= share * Double(picture.luma.count)
  }

  /// How many codes change by more than noise does; there are as many before as after.
  func changeCount(from before: [UInt16], to now: [UInt16]) -> Int {
    before.withUnsafeBufferPointer { before in
      now.withUnsafeBufferPointer { now in
        monitor_count_changes(before.baseAddress, now.baseAddress, now.count, tolerance)
      }
    }
  }
}
