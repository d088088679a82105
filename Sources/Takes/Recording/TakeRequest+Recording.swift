import AssetWriter
import CaptureDevices
import MediaCore
import TakeReports
import VideoRecorder

extension TakeRequest {
  /// The sidecar's form of a request.
  ///
  /// - Parameter rate: The recorded rate; nil if the device does not say.
  init(_ request: RecordingRequest, at rate: FrameRate?) {
    let preset = request.preset
    self.init()
    self.preset = preset.name
    device = request.deviceID
    audio = preset.audio.device
    size = preset.video.dimensions.map { "\($0)" }
    frameRate = preset.video.frameRate.map(\.fraction)
    codec = preset.video.codec.shortName
    encoder = preset.video.encoder
    duration = request.duration.map(Self.text)
    timecode =
      switch preset.timecode {
      case .timeOfDay: "time-of-day"
      case .device: "device"
      case .start(let start): start
      case .none: "none"
      }
    switch preset.segment {
    case .duration(let length)?: segment = Self.text(length)
    case .bytes(let count)?: segment = "\(count) bytes"
    case nil: break
    }
    preRoll = preset.preRoll?.seconds(at: rate)
    fragmentInterval = preset.fragmentInterval
    sync = preset.syncPolicy.rawValue
    onInterruption = preset.faults.interruption.rawValue
    gaps = preset.video.fillsGaps ? "repeat" : "leave"
    minFreeSeconds = preset.limits.minimumFreeSeconds
    allowsFallback = request.allowsFallback
  }

  private static func text(_ duration: RecordingDuration) -> String {
    switch duration {
    case .frames(let count): "\(count)f"
    case .seconds(let seconds): "\(seconds)s"
    }
  }
}
