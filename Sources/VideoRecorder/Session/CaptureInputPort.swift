public import MediaCore
import Synchronization

/// One stream of media that an input delivers, as `AVCaptureInput.Port` is.
public final class CaptureInputPort: Sendable {
  /// What the port delivers.
  public let mediaType: MediaType
  /// The device behind it.
  public let device: CaptureDevice
  private let agreed = Mutex(Agreement())
  private let enabled = Mutex(true)

  /// What a running stream agreed to.
  struct Agreement: Sendable {
    var formatDescription: FormatDescription?
    var frameRate: FrameRate?
    var isRealTime = true
  }

  init(mediaType: MediaType, device: CaptureDevice) {
    self.mediaType = mediaType
    self.device = device
  }

  /// False to let nothing through.
  public var isEnabled: Bool {
    get { enabled.withLock { $0 } }
    set { enabled.withLock { $0 = newValue } }
  }

  /// What the port delivers: what the running stream agreed to, else the device's active format.
  public var formatDescription: FormatDescription? {
    if let running = agreed.withLock({ $0.formatDescription }) { return running }
    if let active = device.activeFormat?.formatDescription, active.mediaType == mediaType {
      return active
    }
    return device.formats.first { $0.formatDescription.mediaType == mediaType }?.formatDescription
  }

  /// Frames a second: what the running stream agreed to, else what the device will be asked for;
  /// nil for sound and where the device does not say.
  public var frameRate: FrameRate? {
    guard mediaType == .video else { return nil }
    let running = agreed.withLock { $0 }
    return running.formatDescription == nil ? device.activeFrameRate : running.frameRate
  }

  /// False for a source that is read as fast as its consumers take it.
  var isRealTime: Bool { agreed.withLock { $0.isRealTime } }

  /// True while a stream delivers through the port.
  var isFlowing: Bool { agreed.withLock { $0.formatDescription != nil } }

  func set(_ agreement: Agreement) { agreed.withLock { $0 = agreement } }
}
