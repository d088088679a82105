public import Dispatch
public import Foundation
public import MediaCore

/// The status of a renderer.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable, Hashable {
  /// Nothing has been enqueued yet.
  case unknown
  /// Samples are rendered at their times.
  case rendering
  /// A sample could not be rendered; no more are accepted until a flush.
  case failed
}

/// Accepts samples ahead of time and renders each at its time.
public protocol AVQueuedSampleBufferRendering: AnyObject {
  /// The timeline of the samples' times.
  var timebase: CMTimebase { get }
  /// True while the queue has room; a sample enqueued beyond that is still accepted. False after a failure, when
  /// nothing is accepted.
  var isReadyForMoreMediaData: Bool { get }
  /// True if enough samples are queued to start playback.
  var hasSufficientMediaDataForReliablePlaybackStart: Bool { get }
  /// Adds a sample to the queue.
  func enqueue(_ sampleBuffer: CMSampleBuffer)
  /// Discards the queued samples.
  func flush()
  /// Calls `block` on a queue whenever there is room for more samples, until ``stopRequestingMediaData()``.
  func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
  /// Ends the calls started by ``requestMediaDataWhenReady(on:using:)``.
  func stopRequestingMediaData()
}

/// The error in the notification that a frame could not be decoded.
public let AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey =
  "AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey"

extension NSNotification.Name {
  /// A layer could not decode a frame; ``AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey`` holds the
  /// error.
  public static let AVSampleBufferDisplayLayerFailedToDecode = Notification.Name(
    "AVSampleBufferDisplayLayerFailedToDecodeNotification")
  /// Never posted: the system never takes a decoder away here.
  public static let AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange =
    Notification.Name(
      "AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChangeNotification")
}
