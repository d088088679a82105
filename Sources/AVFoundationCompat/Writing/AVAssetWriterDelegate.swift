import AssetWriter
import Dispatch
public import Foundation

/// Receives the segments of a writer created with a content type. Implement one of both methods; if both are
/// implemented, the one with a report is called.
public protocol AVAssetWriterDelegate: AnyObject {
  /// Called with a segment and its report, in order, on a queue of the writer. Further segments wait in memory until
  /// it returns: pass the data on, and do not send them from here.
  func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType, segmentReport: AVAssetSegmentReport?)
  /// Called with a segment, in order, on a queue of the writer.
  func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType)
}

extension AVAssetWriterDelegate {
  /// Calls the method without a report.
  public func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType, segmentReport: AVAssetSegmentReport?
  ) {
    assetWriter(writer, didOutputSegmentData: segmentData, segmentType: segmentType)
  }
  public func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType
  ) {}
}

/// Delivers segments to a delegate, in order, on a queue of its own.
///
/// Unchecked: Apple's delegates need not be `Sendable`. The lock protects both references, and the delegate is called
/// only on the serial queue.
final class SegmentDelivery: @unchecked Sendable {
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "asset-writer.segments")
  private weak var listener: (any AVAssetWriterDelegate)?
  private weak var owner: AVAssetWriter?

  /// Receives the segments; not retained.
  var delegate: (any AVAssetWriterDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  /// The writer passed to the delegate; not retained.
  var writer: AVAssetWriter? {
    get { lock.withLock { owner } }
    set { lock.withLock { owner = newValue } }
  }

  /// Delivers a segment asynchronously.
  func deliver(_ segment: MediaSegment) {
    queue.async { [self] in
      guard let delegate, let writer else { return }
      let report = AVAssetSegmentReport(segment)
      delegate.assetWriter(
        writer, didOutputSegmentData: segment.data, segmentType: report.segmentType,
        segmentReport: report)
    }
  }

  /// Calls `handler` after earlier segments were delivered.
  func afterDelivery(_ handler: @escaping @Sendable () -> Void) { queue.async(execute: handler) }
}
