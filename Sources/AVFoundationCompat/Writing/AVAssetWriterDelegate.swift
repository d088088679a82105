import AssetWriter
import Dispatch
public import Foundation

/// Takes the segments of a writer that was made with a content type. A delegate has one of the two functions; of one
/// that has both, the one with a report is called.
public protocol AVAssetWriterDelegate: AnyObject {
  /// A segment, with what it holds. Called in order, on a queue of the writer's, where those behind it wait in memory
  /// until it returns: hand the data on, and do not send them here.
  func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType, segmentReport: AVAssetSegmentReport?)
  /// A segment. Called in order, on a queue of the writer's.
  func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType)
}

extension AVAssetWriterDelegate {
  /// Calls the function without a report.
  public func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType, segmentReport: AVAssetSegmentReport?
  ) {
    assetWriter(writer, didOutputSegmentData: segmentData, segmentType: segmentType)
  }
  /// No effect.
  public func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType
  ) {}
}

/// Brings segments to a delegate, in order, on a queue of its own.
///
/// Unchecked because Apple's delegates need not be `Sendable`: the references are kept under a lock, and the delegate
/// is called on the serial queue alone.
final class SegmentDelivery: @unchecked Sendable {
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "asset-writer.segments")
  private weak var listener: (any AVAssetWriterDelegate)?
  private weak var owner: AVAssetWriter?

  /// Told of the segments; not kept.
  var delegate: (any AVAssetWriterDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  /// The writer that the delegate is told of; not kept.
  var writer: AVAssetWriter? {
    get { lock.withLock { owner } }
    set { lock.withLock { owner = newValue } }
  }

  /// Brings a segment to the delegate, soon.
  func deliver(_ segment: MediaSegment) {
    queue.async { [self] in
      guard let delegate, let writer else { return }
      let report = AVAssetSegmentReport(segment)
      delegate.assetWriter(
        writer, didOutputSegmentData: segment.data, segmentType: report.segmentType,
        segmentReport: report)
    }
  }

  /// Calls `handler` once the delegate has what was delivered.
  func afterDelivery(_ handler: @escaping @Sendable () -> Void) { queue.async(execute: handler) }
}
