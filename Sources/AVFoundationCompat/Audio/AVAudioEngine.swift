import MediaCore
public import VideoRecorder

/// Delivers audio from the default input device to a program. It does not play, mix or connect nodes.
///
/// ```swift
/// let engine = AVAudioEngine()
/// engine.inputNode.installTap(onBus: 0, bufferSize: 4096, format: nil) { buffer, time in … }
/// try engine.start()
/// ```
public final class AVAudioEngine: Sendable {
  /// The audio device.
  public let inputNode: AVAudioInputNode
  private let session: CaptureSession
  private let failure: SessionFailure

  /// An engine for the audio session's preferred input, or the default audio device. The device is looked up when it is
  /// first needed.
  public convenience init() { self.init { AVAudioSession.sharedInstance().inputDevice } }

  /// An engine for the given audio device. Apple's engine uses only the default device.
  public convenience init(inputDevice: AVCaptureDevice) { self.init { inputDevice } }

  init(device: @escaping @Sendable () -> AVCaptureDevice?) {
    let failure = SessionFailure()
    self.failure = failure
    session = CaptureSession(preset: .inputPriority) { _, event in failure.note(event) }
    inputNode = AVAudioInputNode(session, device)
  }

  /// True between ``start()`` and ``stop()``.
  public var isRunning: Bool { session.isRunning }
  /// Why no audio arrives; nil if it does, and before the first start. Not in AVFoundation.
  public var error: (any Error)? { failure.error }

  /// Opens the device ahead of time, so that ``start()`` has less to do.
  public func prepare() { try? inputNode.connect() }

  /// Starts the flow of audio; does nothing if it is running. Blocks until the device delivers audio.
  ///
  /// - Throws: ``AVError``: ``AVError/Code/deviceNotConnected`` if there is no audio device, the device's error, or the
  ///   reason why a tap could not be installed.
  public func start() throws {
    if let refusal = inputNode.refusal { throw refusal }
    try inputNode.connect()
    guard !session.isRunning else { return }
    failure.clear()
    session.startRunning()
    guard session.isRunning else {
      throw failure.error ?? AVError(.unknown, "the audio device did not start")
    }
  }

  /// Stops the flow after the tap has received all audio so far; ``start()`` resumes it.
  public func pause() { stop() }

  /// Stops the flow after the tap has received all audio so far.
  public func stop() {
    session.stopRunning()
    inputNode.settle()
  }
}
