package import CaptureDevices
import Dispatch
import MediaCore
import Synchronization

/// Delivers samples from devices to outputs, as `AVCaptureSession` does.
///
/// ```swift
/// let session = CaptureSession()
/// try session.configure { session throws(CaptureError) in
///   try session.add(CaptureDeviceInput(device: camera))
///   try session.add(movieOutput)
/// }
/// try await session.start()
/// ```
///
/// Every method may be called from any thread. Samples reach the outputs on the threads of the
/// devices' streams; nothing of the session runs on the cooperative pool.
public final class CaptureSession: Sendable {
  /// How a session chooses its devices' formats.
  public struct Preset: RawRepresentable, Hashable, Sendable {
    /// The name of the preset.
    public let rawValue: String
    /// A preset from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The devices' active formats are used as they are. ProRes wants this one (TN3104,
    /// "Choosing a preset"), and it is a new session's.
    public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")
    /// The best format of each device.
    public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
    /// The best format of 1280x720.
    public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
    /// The best format of 1920x1080.
    public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
    /// The best format of 3840x2160.
    public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")

    /// The largest format that stills are made of: a sensor's mosaic, where the device has one.
    public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")

    /// The formats that the preset allows; nil for any.
    var criteria: FormatCriteria? {
      let everyTier = Set(FormatTier.allCases)
      func size(_ width: Int, _ height: Int) -> FormatCriteria {
        FormatCriteria(
          dimensions: VideoDimensions(width: width, height: height), allowedTiers: everyTier)
      }
      switch self {
      case .high: return FormatCriteria(allowedTiers: everyTier)
      case .hd1280x720: return size(1280, 720)
      case .hd1920x1080: return size(1920, 1080)
      case .hd4K3840x2160: return size(3840, 2160)
      default: return nil
      }
    }

    /// True for a preset that this library knows.
    var isKnown: Bool { self == .inputPriority || self == .photo || criteria != nil }

    /// The format of a device that the preset chooses; nil where it leaves the choice, or the device
    /// has none. One that has the rate comes first, where a rate is given.
    func bestFormat(
      of formats: [CaptureDevice.Format], at rate: FrameRate? = nil
    ) -> CaptureDevice.Format? {
      if let criteria {
        let fitting = FormatSelector.rank(formats, criteria)
        return rate.flatMap { rate in fitting.first { $0.supports(rate) } } ?? fitting.first
      }
      return self == .photo ? FormatSelector.bestForPhotos(formats) : nil
    }
  }

  struct State: Sendable {
    /// What callers see and change.
    var topology = CaptureTopology()
    /// Transactions that are open.
    var depth = 0
    var isRunning = false
    /// Inputs without a signal, gone or changed, by their device.
    var interruptions: [String: CaptureSessionEvent.InterruptionReason] = [:]
    /// Inputs whose stream has ended, and which must not be reopened.
    var ended: Set<ObjectIdentifier> = []
    var reconnectsDevices = false
  }

  let state = Mutex(State())
  /// The streams that flow. Used on ``control`` only.
  let streams = Mutex<[RunningStream]>([])
  /// The tasks that wait for a device to return, by its input.
  let returns = Mutex<[ObjectIdentifier: Task<Void, Never>]>([:])
  /// Everything that opens, starts or stops a stream happens here, one after the other.
  let control = DispatchQueue(label: "capture-session")
  let broadcaster = EventBroadcaster<CaptureSessionEvent>()

  /// Called with every event, besides ``events``, for notifications that are not sequences.
  private let observer: (@Sendable (CaptureSession, CaptureSessionEvent) -> Void)?

  /// A session without inputs and outputs.
  @_disfavoredOverload
  public init() { observer = nil }

  /// A session whose events are also told to an observer.
  ///
  /// - Parameters:
  ///   - preset: How it chooses formats unless told otherwise. A device whose format was chosen by hand
  ///     before it is added sets that to ``Preset/inputPriority``.
  ///   - observer: Called for each event.
  package init(
    preset: Preset, observer: @escaping @Sendable (CaptureSession, CaptureSessionEvent) -> Void
  ) {
    self.observer = observer
    state.withLock { state in
      state.topology.preset = preset
      state.topology.isPresetImplicit = true
    }
  }

  deinit {
    stopWaiting()
    for stream in streams.withLock({ $0 }) { stream.stop() }
    let topology = state.withLock { $0.topology }
    for output in topology.consumers { output.connectionList.release() }
    for input in topology.inputs { input.device.removeObserver(ObjectIdentifier(self)) }
  }

  /// Run-time errors, interruptions, starts and stops after the call. Each call
  /// returns a new sequence, which buffers the newest 256 events.
  public var events: AsyncStream<CaptureSessionEvent> { broadcaster.listen() }

  /// Sends an event to all listeners.
  func send(_ event: CaptureSessionEvent) {
    broadcaster.send(event)
    observer?(self, event)
  }

  /// True between a successful start and the stop.
  public var isRunning: Bool { state.withLock { $0.isRunning } }

  /// True to use a device again that failed or went away, found by its identity, as soon as it is
  /// back and delivers the same format. False unless set. A file that failed is not started again.
  ///
  /// Until then the session is interrupted; ``CaptureSessionEvent/interruptionEnded(deviceID:)``
  /// tells that samples flow again.
  public var reconnectsDevices: Bool {
    get { state.withLock { $0.reconnectsDevices } }
    set { state.withLock { $0.reconnectsDevices = newValue } }
  }

  /// True while a device delivers no usable samples.
  public var isInterrupted: Bool { state.withLock { !$0.interruptions.isEmpty } }

  /// Why a device delivers no usable samples; nil if it does.
  package func interruption(of device: CaptureDevice) -> CaptureSessionEvent.InterruptionReason? {
    state.withLock { $0.interruptions[device.uniqueID] }
  }

  public var inputs: [CaptureInput] { state.withLock { $0.topology.inputs } }
  public var outputs: [CaptureOutput] { state.withLock { $0.topology.outputs } }
  public var connections: [CaptureConnection] { state.withLock { $0.topology.connections } }

  // MARK: Start and stop

  /// Starts the session. Returns once every device delivers, or one has failed. Does nothing if the session runs
  /// already.
  ///
  /// - Throws: The error of the first device that failed. No device streams then.
  public func start() async throws(CaptureError) {
    let result = await withCheckedContinuation { continuation in
      control.async { continuation.resume(returning: self.startStreams()) }
    }
    try result.get()
  }

  /// Stops the flow, and waits until the last sample was delivered and the devices are free.
  public func stop() async {
    await withCheckedContinuation { continuation in
      control.async {
        self.stopStreams()
        continuation.resume()
      }
    }
  }

  /// Apple's form of ``start()``: blocks, and tells of a failure through ``events`` alone.
  public func startRunning() {
    let result = control.sync { startStreams() }
    if case .failure(let error) = result { send(.runtimeError(error)) }
  }

  /// Apple's form of ``stop()``: blocks.
  public func stopRunning() { control.sync { stopStreams() } }
}

extension CaptureSession: Hashable {
  /// True for the same object.
  public static func == (lhs: CaptureSession, rhs: CaptureSession) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
