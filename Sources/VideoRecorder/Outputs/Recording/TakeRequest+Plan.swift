import AssetWriter
import CaptureDevices
import MediaCore
import TakeReports

extension TakeRequest {
  /// What an output's settings say.
  init(_ plan: RecordingPlan) {
    self.init()
    device = plan.connection.device.uniqueID
    size = "\(plan.settings.width)x\(plan.settings.height)"
    frameRate = plan.rate.fraction
    codec = plan.settings.codec.shortName
    encoder = plan.settings.encoder.description
  }
}
