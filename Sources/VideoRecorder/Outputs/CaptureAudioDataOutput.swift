import AssetWriter
import CaptureDevices
public import Dispatch
public import MediaCore
import Synchronization

/// Gives a program the sound of a session, as `AVCaptureAudioDataOutput` does.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class CaptureAudioDataOutput: CaptureOutput, @unchecked Sendable {
  private let fanout: SampleFanout
  private let delegate = Mutex(WeakDelegate())
  private let delivery = SoundDelivery()
  private let refused = Mutex(Refusals())

  private struct Refusals: Sendable {
    var settings: CaptureError?
    var delegate: CaptureError?
  }

  private struct WeakDelegate: Sendable {
    weak var object: (any CaptureAudioDataOutputSampleBufferDelegate)?
  }

  /// An output that nobody listens to yet.
  public override init() {
    // Sound must not be lost: a consumer may be seconds behind.
    fanout = SampleFanout(depth: 256, delivery)
    super.init()
  }

  /// The sound from the moment of the call on; the sequence ends with the session.
  public var sampleBuffers: AsyncStream<SampleBuffer> { fanout.samples() }

  /// What the device or a slow reader lost, from the moment of the call on.
  public var droppedSamples: AsyncStream<DroppedSamples> { fanout.drops() }

  /// Has the sound given to a delegate on a serial queue; nil for none any more. The output does
  /// not keep the delegate alive. With a delegate and no queue the session does not start, and all sound is dropped.
  public func setSampleBufferDelegate(
    _ delegate: (any CaptureAudioDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    self.delegate.withLock { $0.object = delegate }
    guard let delegate else { return setSampleBufferHandler(nil) }
    guard let queue else { return setSampleBufferHandler(nil, refusal: .delegateLacksQueue) }
    setSampleBufferHandler(
      SampleHandler(
        queue: queue,
        deliver: { [weak self, weak delegate] sample, connection in
          guard let self else { return }
          delegate?.captureOutput(self, didOutput: sample, from: connection)
        },
        drop: { [weak self, weak delegate] drop, connection in
          guard let self else { return }
          delegate?.captureOutput(self, didDrop: drop, from: connection)
        }))
  }

  /// As ``setSampleBufferDelegate(_:queue:)``, with functions.
  ///
  /// - Parameter refusal: Why there is no handler though one is wanted.
  package func setSampleBufferHandler(_ handler: SampleHandler?, refusal: CaptureError? = nil) {
    refused.withLock { $0.delegate = refusal }
    fanout.setDelegate(handler)
  }

  /// Puts a handler in the delegate's place, which is kept and called again later.
  ///
  /// - Parameters:
  ///   - handler: Who gets the sound; nil takes out what the owner put there, and no other's.
  ///   - owner: Who puts it there.
  package func setSubstituteHandler(_ handler: SampleHandler?, of owner: ObjectIdentifier) {
    fanout.setSubstitute(handler, of: owner)
  }

  /// What sound is brought to before a delegate has it, on its queue; nil, as at first, for nothing. Sound that
  /// cannot be converted is dropped for `DropReason.formatMismatch`. ``sampleBuffers`` has the sound as the
  /// device gives it.
  public var conversion: SoundConversion? {
    get { delivery.wanted }
    set {
      delivery.wanted = newValue
      refusal = nil
    }
  }

  /// What is wrong with settings that could not throw: the session does not start with them, and all sound is
  /// dropped, until ``conversion`` is set.
  package var refusal: CaptureError? {
    get { refused.withLock { $0.settings } }
    set { refused.withLock { $0.settings = newValue } }
  }

  /// Why all sound is dropped: ``refusal``, or a delegate without a queue; nil where it is not.
  private var anyRefusal: CaptureError? { refused.withLock { $0.settings ?? $0.delegate } }

  /// What keeps a session with the output from starting: ``refusal``, a delegate without a queue, or a device's
  /// sound that ``conversion`` has no way from.
  var obstacle: CaptureError? {
    if let anyRefusal { return anyRefusal }
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
    fanout.receive(event, from: connection) { _ in anyRefusal == nil }
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
