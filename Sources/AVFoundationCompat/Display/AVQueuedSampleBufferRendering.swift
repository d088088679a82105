public import Dispatch
public import Foundation
public import MediaCore

/// How what shows samples is getting on.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable, Hashable {
  /// Nothing was handed over yet.
  case unknown
  /// Samples are shown in their time.
  case rendering
  /// A sample could not be shown; no more are taken until a flush.
  case failed
}

/// What takes samples ahead of their time, and shows each when its time has come.
public protocol AVQueuedSampleBufferRendering: AnyObject {
  /// The timeline that samples' times are on.
  var timebase: CMTimebase { get }
  /// True while fewer samples wait than should; one that is handed over beyond that is taken all the same. False while
  /// nothing is taken, for a failure.
  var isReadyForMoreMediaData: Bool { get }
  /// True if enough samples wait for a start.
  var hasSufficientMediaDataForReliablePlaybackStart: Bool { get }
  /// Hands a sample over.
  func enqueue(_ sampleBuffer: CMSampleBuffer)
  /// Forgets the samples that wait.
  func flush()
  /// Calls `block` on a queue whenever more samples should come, until ``stopRequestingMediaData()``.
  func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
  /// Ends the calls that ``requestMediaDataWhenReady(on:using:)`` asked for.
  func stopRequestingMediaData()
}

/// The error, in the notification that a picture could not be decoded.
public let AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey =
  "AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey"

extension NSNotification.Name {
  /// A layer could not decode a picture; ``AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey`` says why.
  public static let AVSampleBufferDisplayLayerFailedToDecode = Notification.Name(
    "AVSampleBufferDisplayLayerFailedToDecodeNotification")
  /// A name alone: no system takes a decoder away here.
  public static let AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange =
    Notification.Name(
      "AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChangeNotification")
}
