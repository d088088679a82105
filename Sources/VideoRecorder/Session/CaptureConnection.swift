public import CaptureDevices
public import MediaCore
import Synchronization

/// The way from an input's port to an output, as `AVCaptureConnection` is.
public final class CaptureConnection: Sendable {
  /// Where samples come from.
  public let inputPorts: [CaptureInputPort]
  private let port: CaptureInputPort
  private let target: Mutex<WeakOutput>
  private let enabled = Atomic(true)
  private let levels = ConnectionLevels()
  /// The gain of each channel of its audio; none for video.
  package let gains = ConnectionGains()

  private struct WeakOutput: Sendable {
    weak var output: (CaptureOutput)?
  }

  /// A connection from a port to an output, for ``CaptureSession/add(_:)-(CaptureConnection)``.
  public init(inputPort: CaptureInputPort, output: CaptureOutput) {
    self.port = inputPort
    self.inputPorts = [inputPort]
    self.target = Mutex(WeakOutput(output: output))
  }

  /// A connection as requested. The session refuses one without a port, or with several.
  package init(ports inputPorts: [CaptureInputPort], to output: CaptureOutput) {
    self.port =
      inputPorts.first
      ?? CaptureInputPort(mediaType: .video, device: CaptureDevice(driver: AbsentDevice()))
    self.inputPorts = inputPorts
    self.target = Mutex(WeakOutput(output: output))
  }

  /// Where samples go.
  public var output: (CaptureOutput)? { target.withLock { $0.output } }

  /// What the connection carries.
  public var mediaType: MediaType { port.mediaType }

  /// False to stop samples.
  public var isEnabled: Bool {
    get { enabled.load(ordering: .acquiring) }
    set { enabled.store(newValue, ordering: .releasing) }
  }

  /// True while samples flow.
  public var isActive: Bool { isWanted && port.isFlowing }

  /// True if both the connection and its port are enabled.
  var isWanted: Bool { isEnabled && port.isEnabled }

  /// What the last stream ended with; nil while one delivers, and where the session stopped it.
  var ending: CaptureEvent? { port.ending }

  /// False while the stream that delivers says that it has no signal.
  var hasSignal: Bool { port.hasSignal }

  /// True while a stream delivers, wanted or not.
  var isFlowing: Bool { port.isFlowing }

  /// What the samples are, or will be once the session runs.
  public var formatDescription: FormatDescription? { port.formatDescription }

  /// The rate of the video; nil for audio, and if the device does not report it.
  public var frameRate: FrameRate? { port.frameRate }

  /// What the source reports about its video or audio beyond the format, once the session runs.
  public var metadata: CaptureStreamMetadata { port.metadata }

  /// True where samples come whether or not the output has time for them.
  public var isRealTime: Bool { port.isRealTime }

  /// The device that the samples come from.
  public var device: CaptureDevice { port.device }

  /// The tier of the video; nil for audio.
  public var tier: FormatTier? {
    guard case .video(let video)? = formatDescription else { return nil }
    if let active = device.activeFormat, active.video?.pixelFormat == video.pixelFormat {
      return active.tier
    }
    return CaptureDevice.Format(formatDescription: .video(video)).tier
  }

  /// The level of each channel of its audio, in the last run that came; empty for video, and until audio has come
  /// after the first request, which starts the measurement. A peak is held for 1.5 s.
  public var audioLevels: [LevelMeter.Level] { mediaType == .audio ? levels.levels : [] }

  /// Hands an event on to an output.
  func deliver(_ event: CaptureEvent, to output: CaptureOutput) {
    guard case .sample(let sample) = event, mediaType == .audio else {
      output.receive(event, from: self)
      return
    }
    let audio = gains.applied(to: sample)
    levels.measure(audio)
    output.receive(.sample(audio), from: self)
  }

  func carries(from port: CaptureInputPort) -> Bool { self.port === port }
}

/// The device of a connection without a port.
private final class AbsentDevice: CaptureDeviceDriver {
  let identity = CaptureDevice.Identity(
    uniqueID: "none", localizedName: "No device", mediaType: .video)
  var isConnected: Bool { false }
  func formats() throws(CaptureError) -> [CaptureDevice.Format] { [] }
  func openStream(
    _ request: CaptureStreamRequest
  ) throws(CaptureError) -> any CaptureStream {
    throw CaptureError(.deviceDisconnected, "the connection has no input port")
  }
}

extension CaptureConnection: Hashable {
  /// True for the same object.
  public static func == (lhs: CaptureConnection, rhs: CaptureConnection) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
