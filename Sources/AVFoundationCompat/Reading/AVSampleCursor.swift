public import Foundation
public import MediaCore
import QuickTime
import Synchronization

/// Whether decoding can start at a sample.
public struct AVSampleCursorSyncInfo: Sendable, Hashable {
  /// True if decoding can start at the sample.
  public var sampleIsFullSync: ObjCBool
  /// True if decoding can start at the sample, and later frames are soon correct.
  public var sampleIsPartialSync: ObjCBool
  /// True if no other sample depends on this one.
  public var sampleIsDroppable: ObjCBool

  /// All false.
  public init() { self.init(sampleIsFullSync: false) }

  fileprivate init(sampleIsFullSync: ObjCBool) {
    self.sampleIsFullSync = sampleIsFullSync
    (sampleIsPartialSync, sampleIsDroppable) = (false, false)
  }

  public static func == (lhs: AVSampleCursorSyncInfo, rhs: AVSampleCursorSyncInfo) -> Bool {
    lhs.flags == rhs.flags
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(flags) }

  private var flags: [Bool] {
    [sampleIsFullSync.boolValue, sampleIsPartialSync.boolValue, sampleIsDroppable.boolValue]
  }
}

/// A range of bytes in a file.
public struct AVSampleCursorStorageRange: Sendable, Hashable {
  /// The offset of the first byte.
  public var offset: Int64
  /// The number of bytes.
  public var length: Int64

  /// An empty range.
  public init() { self.init(offset: 0, length: 0) }
  public init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }
}

/// A position among the samples of a track, which can be moved: ProRes frames, or PCM sample frames.
/// ``AVAssetTrack/canProvideSampleCursors`` tells which tracks have cursors.
///
/// Samples are decoded in presentation order, each on its own, so decode times are presentation times. All times are
/// on the asset's timeline.
public final class AVSampleCursor: Sendable {
  private let table: SampleCursorTable
  private let position: Mutex<Int>

  init(_ table: SampleCursorTable, at position: Int) {
    self.table = table
    self.position = Mutex(position)
  }

  /// A cursor at the same position.
  public func copy() -> Any { AVSampleCursor(table, at: number) }

  private var number: Int { position.withLock { $0 } }

  // MARK: Moving

  /// Moves by a number of samples, backward if negative, up to the first or last sample.
  ///
  /// - Returns: The number of samples moved.
  public func stepInDecodeOrder(byCount stepCount: Int64) -> Int64 {
    position.withLock { position in
      let before = position
      let (sum, overflow) = Int64(position).addingReportingOverflow(stepCount)
      let wanted = overflow ? (stepCount < 0 ? 0 : Int64.max) : sum
      position = Int(min(max(wanted, 0), Int64(table.count - 1)))
      return Int64(position - before)
    }
  }

  /// Same as ``stepInDecodeOrder(byCount:)``: both orders are equal.
  public func stepInPresentationOrder(byCount stepCount: Int64) -> Int64 {
    stepInDecodeOrder(byCount: stepCount)
  }

  /// Moves to the sample at a time relative to the start of the current sample.
  ///
  /// - Parameters:
  ///   - deltaDecodeTime: The relative time; ignored if not numeric.
  ///   - outWasPinned: Set to true if the time is before the first sample or after the last one, which then is the
  ///     new position.
  /// - Returns: The time from the old sample's start to the new one's.
  public func stepByDecodeTime(
    _ deltaDecodeTime: CMTime, wasPinned outWasPinned: UnsafeMutablePointer<ObjCBool>?
  ) -> CMTime {
    outWasPinned?.pointee = false
    guard deltaDecodeTime.isNumeric else { return .zero }
    return position.withLock { position in
      let before = table.time(of: position)
      let (number, isPinned) = table.nearest(to: before + deltaDecodeTime)
      position = number
      outWasPinned?.pointee = ObjCBool(isPinned)
      return table.time(of: number) - before
    }
  }

  /// Same as ``stepByDecodeTime(_:wasPinned:)``: both times are equal.
  public func stepByPresentationTime(
    _ deltaPresentationTime: CMTime, wasPinned outWasPinned: UnsafeMutablePointer<ObjCBool>?
  ) -> CMTime {
    stepByDecodeTime(deltaPresentationTime, wasPinned: outWasPinned)
  }

  // MARK: The Sample

  public var presentationTimeStamp: CMTime { table.time(of: number) }
  /// Same as ``presentationTimeStamp``.
  public var decodeTimeStamp: CMTime { presentationTimeStamp }
  public var currentSampleDuration: CMTime { table.duration(of: number) }
  /// Always a full sync sample: each sample is decoded on its own.
  public var currentSampleSyncInfo: AVSampleCursorSyncInfo {
    AVSampleCursorSyncInfo(sampleIsFullSync: true)
  }
  /// The range of the sample's bytes in ``currentChunkStorageURL``.
  public var currentSampleStorageRange: AVSampleCursorStorageRange {
    table.samples[number].map {
      AVSampleCursorStorageRange(offset: Int64(clamping: $0.offset), length: Int64($0.size))
    } ?? AVSampleCursorStorageRange()
  }
  /// The file that contains the sample.
  public var currentChunkStorageURL: URL? { table.url }
  /// The format of the sample: that of the track.
  public func copyCurrentSampleFormatDescription() -> CMFormatDescription { table.description }

  /// The order of this cursor's sample and that of another cursor of the same track.
  public func comparePositionInDecodeOrder(
    withPositionOf cursor: AVSampleCursor
  ) -> ComparisonResult {
    let (own, other) = (number, cursor.number)
    return own == other ? .orderedSame : own < other ? .orderedAscending : .orderedDescending
  }

  /// False: samples are decoded in presentation order.
  public func samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(
    than cursor: AVSampleCursor
  ) -> Bool { false }

  /// False: samples are decoded in presentation order.
  public func samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(
    than cursor: AVSampleCursor
  ) -> Bool { false }
}
