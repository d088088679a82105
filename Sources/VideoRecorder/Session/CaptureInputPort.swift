import CaptureDevices
public import MediaCore
import Synchronization

/// One stream of media that an input delivers, as `AVCaptureInput.Port` is.
public final class CaptureInputPort: Sendable {
  /// What the port delivers.
  public let mediaType: MediaType
  /// The device behind it.
  public let device: CaptureDevice
  private let owner = Mutex(WeakInput())
  private let agreed = Mutex(Agreement())
  private let enabled = Atomic(true)
  /// As ``agreed`` says; apart from it, for it is asked with each sample.
  private let flowing = Atomic(false)

  /// What a running stream agreed to.
  struct Agreement: Sendable {
    var formatDescription: FormatDescription?
    var frameRate: FrameRate?
    var isRealTime = true
    var metadata = CaptureStreamMetadata()
    /// False from the moment at which the stream says that its signal is lost until it says that it is back.
    var hasSignal = true
    /// The event that ended the stream, unless the session stopped it.
    var ending: CaptureEvent?
    /// The format of the last stream that was closed; nil while one is open.
    var lastFormat: FormatDescription?
  }

  private struct WeakInput: Sendable {
    weak var input: CaptureInput?
  }

  /// The input that the port belongs to; nil once it was released.
  public internal(set) var input: CaptureInput? {
    get { owner.withLock { $0.input } }
    set { owner.withLock { $0.input = newValue } }
  }

  init(mediaType: MediaType, device: CaptureDevice) {
    self.mediaType = mediaType
    self.device = device
  }

  /// False to stop samples.
  public var isEnabled: Bool {
    get { enabled.load(ordering: .acquiring) }
    set { enabled.store(newValue, ordering: .releasing) }
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
  /// nil for audio and if the device does not report it.
  public var frameRate: FrameRate? {
    guard mediaType == .video else { return nil }
    let running = agreed.withLock { $0 }
    return running.formatDescription == nil ? device.activeFrameRate : running.frameRate
  }

  /// What the running stream's source says beyond its format; nothing where none runs.
  var metadata: CaptureStreamMetadata { agreed.withLock { $0.metadata } }

  /// False for a source that is read as fast as its consumers take it.
  var isRealTime: Bool { agreed.withLock { $0.isRealTime } }

  /// True while a stream delivers through the port.
  var isFlowing: Bool { flowing.load(ordering: .acquiring) }

  /// What the last stream ended with; nil while one delivers, and where the session stopped it.
  var ending: CaptureEvent? { agreed.withLock { $0.ending } }

  /// What the stream before had agreed to, where none is open.
  var lastFormat: FormatDescription? { agreed.withLock { $0.lastFormat } }

  /// False while the stream that delivers says that it has no signal.
  var hasSignal: Bool { agreed.withLock { $0.hasSignal } }

  /// True while the last stream has said neither that its signal is lost nor that it has ended.
  var isWell: Bool { agreed.withLock { $0.hasSignal && $0.ending == nil } }

  /// Notes whether the stream has a signal. As with ``end(with:)``, call this before notifying outputs.
  func noteSignal(isPresent: Bool) { agreed.withLock { $0.hasSignal = isPresent } }

  /// A stream delivers through the port from now on.
  func open(_ agreement: Agreement) {
    agreed.withLock { $0 = agreement }
    flowing.store(agreement.formatDescription != nil, ordering: .releasing)
  }

  /// The stream has said its last. Call before notifying outputs, so that none misses the end.
  func end(with event: CaptureEvent) {
    agreed.withLock { $0.ending = event }
    flowing.store(false, ordering: .releasing)
  }

  /// The stream is given back.
  func close() {
    flowing.store(false, ordering: .releasing)
    agreed.withLock { agreed in
      agreed = Agreement(
        ending: agreed.ending, lastFormat: agreed.formatDescription ?? agreed.lastFormat)
    }
  }
}

extension CaptureInputPort: Hashable {
  /// True for the same object.
  public static func == (lhs: CaptureInputPort, rhs: CaptureInputPort) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
