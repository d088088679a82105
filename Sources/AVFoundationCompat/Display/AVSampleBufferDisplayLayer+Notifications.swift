public import Foundation

extension AVSampleBufferDisplayLayer {
  /// ``requiresFlushToResumeDecoding`` changed. Never posted.
  public static let requiresFlushToResumeDecodingDidChangeNotification =
    Notification.Name.AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange
}
