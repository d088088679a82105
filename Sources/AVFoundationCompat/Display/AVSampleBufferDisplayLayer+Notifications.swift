public import Foundation

extension AVSampleBufferDisplayLayer {
  /// ``requiresFlushToResumeDecoding`` is another: never posted.
  public static let requiresFlushToResumeDecodingDidChangeNotification =
    Notification.Name.AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange
}
