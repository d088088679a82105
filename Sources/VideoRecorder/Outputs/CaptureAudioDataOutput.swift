import AssetWriter
import CaptureDevices
public import Dispatch
public import MediaCore
import Synchronization

/// Gives a program the sound of a session, as `AVCaptureAudioDataOutput` does.
///
/// Unchecked because its superclass is: what it adds is constant, and guarded by locks of its own.
public final class CaptureAudioDataOutput: CaptureOutput, @unchecked Sendable {
  /// Sound must not be lost: a consumer may be seconds behind.
  private let fanout = SampleFanout(depth: 256)
  private let delegate = Mutex(WeakDelegate())
  private let options = Mutex(Options())
  private let delivery = SoundDelivery()

  private struct Options: Sendable {
    var conversion: SoundConversion?
    var refusal: CaptureError?
  }

  private struct WeakDelegate: Sendable {
    weak var object: (any CaptureAudioDataOutputSampleBufferDelegate)?
  }

  /// An output that nobody listens to yet.
  public override init() { super.init() }

  /// The sound from the moment of the call on; the sequence ends with the session.
  public var sampleBuffers: AsyncStream<SampleBuffer> { fanout.samples() }

  /// What the device or a slow reader lost, from the moment of the call on.
  public var droppedSamples: AsyncStream<DroppedSamples> { fanout.drops() }

  /// Has the sound given to a delegate on a serial queue; nil for none any more. The output does
  /// not keep the delegate alive.
  public func setSampleBufferDelegate(
    _ delegate: (any CaptureAudioDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    self.delegate.withLock { $0.object = delegate }
    guard let delegate, let queue else {
      setSampleBufferHandler(queue: nil, deliver: nil, drop: nil)
      return
    }
    setSampleBufferHandler(
      queue: queue,
      deliver: { [weak self, weak delegate] sample, connection in
        guard let self else { return }
        delegate?.captureOutput(self, didOutput: sample, from: connection)
      },
      drop: { [weak self, weak delegate] drop, connection in
        guard let self else { return }
        delegate?.captureOutput(self, didDrop: drop, from: connection)
      })
  }

  /// As ``setSampleBufferDelegate(_:queue:)``, with functions.
  package func setSampleBufferHandler(
    queue: DispatchQueue?, deliver: (@Sendable (SampleBuffer, CaptureConnection) -> Void)?,
    drop: (@Sendable (DroppedSamples, CaptureConnection) -> Void)?
  ) {
    guard let queue, let deliver, let drop else { return fanout.setDelegate(nil) }
    fanout.setDelegate(converting(SampleHandler(queue: queue, deliver: deliver, drop: drop)))
  }

  /// Puts a handler in the delegate's place, which is kept and called again later.
  ///
  /// - Parameters:
  ///   - handler: Who gets the sound; nil takes out what the owner put there, and no other's.
  ///   - owner: Who puts it there.
  package func setSubstituteHandler(_ handler: SampleHandler?, of owner: ObjectIdentifier) {
    fanout.setSubstitute(handler.map { converting($0) }, of: owner)
  }

  /// A handler that gets the sound in the form that ``conversion`` asks for.
  private func converting(_ handler: SampleHandler) -> SampleHandler {
    var converting = handler
    converting.deliver = { [weak self] sample, connection in
      guard let self, let wanted = conversion, let sound = sample.audioBuffer else {
        return handler.deliver(sample, connection)
      }
      switch delivery.convert(sample, sound, to: wanted.format(of: sound.format)) {
      case .sound(let made): handler.deliver(made, connection)
      case .kept: break
      case .impossible: handler.drop(DroppedSamples(unfit: sample), connection)
      }
    }
    return converting
  }

  /// What sound is brought to before a delegate has it, on its queue; nil, as at first, for nothing. Sound that
  /// cannot be converted is dropped for `DropReason.formatMismatch`. ``sampleBuffers`` has the sound as the
  /// device gives it.
  public var conversion: SoundConversion? {
    get { options.withLock { $0.conversion } }
    set { options.withLock { ($0.conversion, $0.refusal) = (newValue, nil) } }
  }

  /// What is wrong with settings that could not throw: the session does not start with them, and all sound is
  /// dropped, until ``conversion`` is set.
  package var refusal: CaptureError? {
    get { options.withLock { $0.refusal } }
    set { options.withLock { $0.refusal = newValue } }
  }

  /// What keeps a session with the output from starting: ``refusal``, or a device's sound that ``conversion`` has
  /// no way from.
  var obstacle: CaptureError? {
    if let refusal { return refusal }
    guard let conversion,
      case .audio(let given)? = connection(with: .audio)?.formatDescription
    else { return nil }
    let wanted = conversion.format(of: given)
    guard SoundConverter(from: given, to: wanted) == nil else { return nil }
    return CaptureError(
      .invalidArgument,
      "sound of \(given.channelCount) channels is not brought to \(wanted.channelCount); ask for as many, "
        + "or choose a format with 1 to 8")
  }

  public var sampleBufferDelegate: (any CaptureAudioDataOutputSampleBufferDelegate)? {
    delegate.withLock { $0.object }
  }

  public var sampleBufferCallbackQueue: DispatchQueue? { fanout.queue }

  /// Runs of sound that may wait for a slow consumer: 256 at first.
  public var maximumQueueDepth: Int {
    get { fanout.depth }
    set { fanout.depth = newValue }
  }

  /// One connection of sound.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    mediaType == .audio ? 1 : 0
  }

  /// Hands a run of sound on.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    switch event {
    case .sample(let sample):
      guard refusal == nil else {
        return fanout.lost(
          DroppedSamples(
            reason: .formatMismatch, count: sample.sampleCount,
            presentationTimeStamp: sample.presentationTimeStamp),
          of: sample, from: connection)
      }
      fanout.send(sample, from: connection)
    case .lost(let count, let reason, let time):
      fanout.lost(
        DroppedSamples(reason: reason, count: count, presentationTimeStamp: time),
        from: connection)
    default: break
    }
  }

  /// Ends the sequences.
  public override func sessionDidStop() { fanout.finish() }
}

/// Takes sound from a data output, on the queue that was given with it.
public protocol CaptureAudioDataOutputSampleBufferDelegate: AnyObject, Sendable {
  /// A run of sound.
  func captureOutput(
    _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
    from connection: CaptureConnection)

  /// Sound that was lost, with the reason.
  func captureOutput(
    _ output: CaptureOutput, didDrop samples: DroppedSamples,
    from connection: CaptureConnection)
}

extension CaptureAudioDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: CaptureOutput, didDrop samples: DroppedSamples,
    from connection: CaptureConnection
  ) {}
}
