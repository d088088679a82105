import AssetWriter
import CaptureDevices
public import Dispatch
public import MediaCore
import Synchronization

/// Delivers a session's audio to a program, as `AVCaptureAudioDataOutput` does.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class CaptureAudioDataOutput: CaptureOutput, @unchecked Sendable {
  private let fanout: SampleFanout
  private let delegate = Mutex(WeakDelegate())
  private let delivery = AudioDelivery()
  private let refused = Mutex(Refusals())

  private struct Refusals: Sendable {
    var settings: CaptureError?
    var delegate: CaptureError?
  }

  private struct WeakDelegate: Sendable {
    weak var object: (any CaptureAudioDataOutputSampleBufferDelegate)?
  }

  /// An output without a delegate.
  public override init() {
    // Audio must not be lost: a consumer may be seconds behind.
    fanout = SampleFanout(depth: 256, delivery)
    super.init()
  }

  /// Samples that arrive after the call. The sequence ends when the session stops.
  public var sampleBuffers: AsyncStream<SampleBuffer> { fanout.samples() }

  /// Losses after the call, by the device or by a slow reader.
  public var droppedSamples: AsyncStream<DroppedSamples> { fanout.drops() }

  /// Sets the delegate, which is called on a serial queue; nil removes it. The output holds the delegate
  /// weakly. With a delegate but no queue the session does not start, and all audio is dropped.
  public func setSampleBufferDelegate(
    _ delegate: (any CaptureAudioDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    self.delegate.withLock { $0.object = delegate }
    guard let delegate else { return setSampleBufferHandler(nil) }
    guard let queue else { return setSampleBufferHandler(nil, refusal: .delegateLacksQueue) }
    setSampleBufferHandler(SampleHandler(delegate, of: self, on: queue))
  }

  /// As ``setSampleBufferDelegate(_:queue:)``, with closures.
  ///
  /// - Parameter refusal: Why a handler that was asked for could not be set.
  package func setSampleBufferHandler(_ handler: SampleHandler?, refusal: CaptureError? = nil) {
    refused.withLock { $0.delegate = refusal }
    fanout.setDelegate(handler)
  }

  /// Replaces the delegate for a while. It is called again once the substitute is removed.
  ///
  /// - Parameters:
  ///   - handler: The substitute; nil removes the one that this owner set, and no other's.
  ///   - owner: The object that sets it.
  package func setSubstituteHandler(_ handler: SampleHandler?, of owner: ObjectIdentifier) {
    fanout.setSubstitute(handler, of: owner)
  }

  /// The format that audio is converted to for the delegate, on its queue; nil, the default, for none. Audio that
  /// cannot be converted is dropped as `DropReason.formatMismatch`. ``sampleBuffers`` is not converted.
  public var conversion: AudioConversion? {
    get { delivery.wanted }
    set {
      delivery.wanted = newValue
      refusal = nil
    }
  }

  /// The error of settings whose setter cannot throw. Until ``conversion`` is set, the session does not start and
  /// all audio is dropped.
  package var refusal: CaptureError? {
    get { refused.withLock { $0.settings } }
    set { refused.withLock { $0.settings = newValue } }
  }

  /// Why all audio is dropped: ``refusal``, or a delegate without a queue; nil if it is not.
  private var anyRefusal: CaptureError? { refused.withLock { $0.settings ?? $0.delegate } }

  /// Why a session with this output cannot start: ``refusal``, a delegate without a queue, or a device format
  /// that ``conversion`` cannot convert.
  var obstacle: CaptureError? {
    if let anyRefusal { return anyRefusal }
    guard let conversion,
      case .audio(let given)? = connection(with: .audio)?.formatDescription
    else { return nil }
    let wanted = conversion.format(of: given)
    guard AudioConverter(from: given, to: wanted) == nil else { return nil }
    return CaptureError(
      .invalidArgument,
      "audio of \(given.channelCount) channels cannot be converted to \(wanted.channelCount); ask for as many, "
        + "or choose a format with 1 to 8")
  }

  public var sampleBufferDelegate: (any CaptureAudioDataOutputSampleBufferDelegate)? {
    delegate.withLock { $0.object }
  }

  public var sampleBufferCallbackQueue: DispatchQueue? { fanout.queue }

  /// The number of sample buffers that may wait for a slow consumer; 256 by default.
  public var maximumQueueDepth: Int {
    get { fanout.depth }
    set { fanout.depth = newValue }
  }

  /// One audio connection.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    mediaType == .audio ? 1 : 0
  }

  /// Delivers samples to the delegate and the sequences.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    fanout.receive(event, from: connection) { _ in anyRefusal == nil }
  }

  /// Ends the sequences.
  public override func sessionDidStop() { fanout.finish() }
}

/// Receives audio from a data output, on the queue that was set with the delegate.
public protocol CaptureAudioDataOutputSampleBufferDelegate: CaptureDataOutputSampleBufferDelegate {}
