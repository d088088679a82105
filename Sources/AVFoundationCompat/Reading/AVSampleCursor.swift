public import Foundation
public import MediaCore
import QuickTime
import Synchronization

/// Whether a sample can be decoded by itself.
public struct AVSampleCursorSyncInfo: Sendable, Hashable {
  /// True if decoding can begin with the sample.
  public var sampleIsFullSync: ObjCBool
  /// True if decoding can begin with the sample, and pictures soon after it are right.
  public var sampleIsPartialSync: ObjCBool
  /// True if no other sample needs this one.
  public var sampleIsDroppable: ObjCBool

  /// Nothing of a sample.
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

/// Where bytes lie in a file.
public struct AVSampleCursorStorageRange: Sendable, Hashable {
  /// The first byte.
  public var offset: Int64
  /// How many there are.
  public var length: Int64

  /// No bytes.
  public init() { self.init(offset: 0, length: 0) }
  /// Bytes from a place on.
  public init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }
}

/// A place among the samples of a track, which is moved from one to the other: a frame of ProRes, or a sample of every
/// channel of PCM. ``AVAssetTrack/canProvideSampleCursors`` says which tracks have cursors.
///
/// Samples are decoded in the order in which they are shown, and each by itself: decode times are presentation times.
/// All times are of the asset.
public final class AVSampleCursor: Sendable {
  private let table: SampleCursorTable
  private let position: Mutex<Int>

  init(_ table: SampleCursorTable, at position: Int) {
    self.table = table
    self.position = Mutex(position)
  }

  /// Another cursor at the same place.
  public func copy() -> Any { AVSampleCursor(table, at: number) }

  private var number: Int { position.withLock { $0 } }

  // MARK: Moving

  /// Moves by so many samples, back where they are fewer than 0, and not beyond the first and the last one.
  ///
  /// - Returns: By how many it was moved.
  public func stepInDecodeOrder(byCount stepCount: Int64) -> Int64 {
    position.withLock { position in
      let before = position
      let (sum, overflow) = Int64(position).addingReportingOverflow(stepCount)
      let wanted = overflow ? (stepCount < 0 ? 0 : Int64.max) : sum
      position = Int(min(max(wanted, 0), Int64(table.count - 1)))
      return Int64(position - before)
    }
  }

  /// As ``stepInDecodeOrder(byCount:)``: the orders are the same.
  public func stepInPresentationOrder(byCount stepCount: Int64) -> Int64 {
    stepInDecodeOrder(byCount: stepCount)
  }

  /// Moves to the sample that is shown so much later, or earlier, than this one begins.
  ///
  /// - Parameters:
  ///   - deltaDecodeTime: How much later; nothing is done for a time that is no number.
  ///   - outWasPinned: Set to true where that is before the first sample or behind the last one, which it is moved to.
  /// - Returns: How much later the sample begins that it was moved to.
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

  /// As ``stepByDecodeTime(_:wasPinned:)``: the times are the same.
  public func stepByPresentationTime(
    _ deltaPresentationTime: CMTime, wasPinned outWasPinned: UnsafeMutablePointer<ObjCBool>?
  ) -> CMTime {
    stepByDecodeTime(deltaPresentationTime, wasPinned: outWasPinned)
  }

  // MARK: Asking

  /// When the sample is shown or heard.
  public var presentationTimeStamp: CMTime { table.time(of: number) }
  /// Same as ``presentationTimeStamp``.
  public var decodeTimeStamp: CMTime { presentationTimeStamp }
  /// How long the sample lasts.
  public var currentSampleDuration: CMTime { table.duration(of: number) }
  /// Full sync: each sample is decoded by itself.
  public var currentSampleSyncInfo: AVSampleCursorSyncInfo {
    AVSampleCursorSyncInfo(sampleIsFullSync: true)
  }
  /// Where the sample's bytes lie in ``currentChunkStorageURL``.
  public var currentSampleStorageRange: AVSampleCursorStorageRange {
    table.samples[number].map {
      AVSampleCursorStorageRange(offset: Int64(clamping: $0.offset), length: Int64($0.size))
    } ?? AVSampleCursorStorageRange()
  }
  /// The file that has the sample.
  public var currentChunkStorageURL: URL? { table.url }
  /// What the sample is: as the track says.
  public func copyCurrentSampleFormatDescription() -> CMFormatDescription { table.description }

  /// Whether this cursor's sample is decoded before another cursor's of the same track.
  public func comparePositionInDecodeOrder(
    withPositionOf cursor: AVSampleCursor
  ) -> ComparisonResult {
    let (own, other) = (number, cursor.number)
    return own == other ? .orderedSame : own < other ? .orderedAscending : .orderedDescending
  }

  /// False: samples are decoded in the order in which they are shown.
  public func samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(
    than cursor: AVSampleCursor
  ) -> Bool { false }

  /// False: samples are decoded in the order in which they are shown.
  public func samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(
    than cursor: AVSampleCursor
  ) -> Bool { false }
}
