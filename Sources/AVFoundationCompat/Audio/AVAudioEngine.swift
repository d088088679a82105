import MediaCore
public import VideoRecorder

/// Gives a program the sound of the default sound device. Nothing is played, mixed or connected.
///
/// ```swift
/// let engine = AVAudioEngine()
/// engine.inputNode.installTap(onBus: 0, bufferSize: 4096, format: nil) { buffer, time in … }
/// try engine.start()
/// ```
public final class AVAudioEngine: Sendable {
  /// The sound device.
  public let inputNode: AVAudioInputNode
  private let session: CaptureSession
  private let failure: SessionFailure

  /// An engine of the audio session's preferred input, else of the default sound device, which is looked for when it
  /// is first needed.
  public convenience init() { self.init { AVAudioSession.sharedInstance().inputDevice } }

  /// An engine of a sound device. Apple's engine has the default one alone.
  public convenience init(inputDevice: AVCaptureDevice) { self.init { inputDevice } }

  init(device: @escaping @Sendable () -> AVCaptureDevice?) {
    let failure = SessionFailure()
    self.failure = failure
    session = CaptureSession(preset: .inputPriority) { _, event in failure.note(event) }
    inputNode = AVAudioInputNode(session, device)
  }

  /// True between a start and the stop.
  public var isRunning: Bool { session.isRunning }
  /// Why no sound comes; nil where it does, and before the first start. Apple's has no such property.
  public var error: (any Error)? { failure.error }

  /// Looks for the device, so that less is left for the start.
  public func prepare() { try? inputNode.connect() }

  /// Has sound flow; does nothing while it does. Blocks until the device gives some.
  ///
  /// - Throws: ``AVError``: ``AVError/Code/deviceNotConnected`` without a sound device, what the device says, and what
  ///   was wrong with a tap.
  public func start() throws {
    if let refusal = inputNode.refusal { throw refusal }
    try inputNode.connect()
    guard !session.isRunning else { return }
    failure.clear()
    session.startRunning()
    guard session.isRunning else {
      throw failure.error ?? AVError(.unknown, "the sound device does not start")
    }
  }

  /// Ends the flow, once the tap has what came; a start continues it.
  public func pause() { stop() }

  /// Ends the flow, once the tap has what came.
  public func stop() {
    session.stopRunning()
    inputNode.settle()
  }
}
