import CaptureDevices
public import Dispatch
public import MediaCore
import Synchronization

/// Gives a program the frames of a session, as `AVCaptureVideoDataOutput` does.
///
/// Frames have the device's own pixel format unless ``conversion`` asks for another. They may occupy the device's
/// own buffers: a program that holds many of them starves the device, which then reports dropped frames.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class CaptureVideoDataOutput: CaptureOutput, @unchecked Sendable {
  private let delivery = FrameDelivery()
  private let fanout: SampleFanout
  private let options = Mutex(Options())

  private struct Options: Sendable {
    var discardsLate = true
    var queueDepth = 8
    var pixelFormat: PixelFormat?
    var size = Size()
    var refusal: CaptureError?
    var delegateRefusal: CaptureError?
    weak var delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?
  }

  /// A width and a height, each nil where any value will do.
  package struct Size: Sendable, Hashable {
    package var width: Int?
    package var height: Int?

    package init(width: Int? = nil, height: Int? = nil) {
      (self.width, self.height) = (width, height)
    }

    func fits(_ size: VideoDimensions) -> Bool {
      (width ?? size.width) == size.width && (height ?? size.height) == size.height
    }
  }

  /// An output without a delegate.
  public override init() {
    fanout = SampleFanout(depth: 1, delivery)
    super.init()
  }

  // MARK: Delivery

  /// Frames that arrive after the call. The sequence ends when the session stops.
  ///
  /// A reader that falls behind misses frames, which ``droppedSamples`` reports.
  public var sampleBuffers: AsyncStream<SampleBuffer> { fanout.samples() }

  /// Losses after the call, by the device or by a slow reader.
  public var droppedSamples: AsyncStream<DroppedSamples> { fanout.drops() }

  /// Sets the delegate, which is called on a serial queue; nil removes it. The output holds the delegate
  /// weakly. With a delegate but no queue the session does not start, and every frame is dropped.
  public func setSampleBufferDelegate(
    _ delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    options.withLock { $0.delegate = delegate }
    guard let delegate else { return setSampleBufferHandler(nil) }
    guard let queue else { return setSampleBufferHandler(nil, refusal: .delegateLacksQueue) }
    setSampleBufferHandler(SampleHandler(delegate, of: self, on: queue))
  }

  /// As ``setSampleBufferDelegate(_:queue:)``, with closures.
  ///
  /// - Parameter refusal: Why a handler that was asked for could not be set.
  package func setSampleBufferHandler(_ handler: SampleHandler?, refusal: CaptureError? = nil) {
    options.withLock { $0.delegateRefusal = refusal }
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

  public var sampleBufferDelegate: (any CaptureVideoDataOutputSampleBufferDelegate)? {
    options.withLock { $0.delegate }
  }

  /// The delegate's queue.
  public var sampleBufferCallbackQueue: DispatchQueue? { fanout.queue }

  /// True, the default, to drop a frame while the consumer is busy with the one before; false to
  /// let ``maximumQueueDepth`` frames wait.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { options.withLock { $0.discardsLate } }
    set {
      fanout.depth = options.withLock { options in
        options.discardsLate = newValue
        return newValue ? 1 : options.queueDepth
      }
    }
  }

  /// The number of frames that may wait for a slow consumer if late ones are not discarded; 8 by default.
  public var maximumQueueDepth: Int {
    get { options.withLock { $0.queueDepth } }
    set {
      fanout.depth = options.withLock { options in
        options.queueDepth = max(newValue, 1)
        return options.discardsLate ? 1 : options.queueDepth
      }
    }
  }

  /// The pixel format that frames are converted to for the delegate, on its queue; nil, the default, for none.
  /// Frames that cannot be converted are dropped as `DropReason.formatMismatch`. ``sampleBuffers`` is not converted.
  public var conversion: FrameConversion? {
    get { delivery.wanted }
    set {
      delivery.wanted = newValue
      refusal = nil
    }
  }

  /// The shortest time between two frames for the delegate. Frames in between are skipped, and don't count as
  /// dropped. Invalid (the default) or 0 for no limit. ``sampleBuffers`` has every frame.
  ///
  /// The device's own rate does not change; `CaptureDevice.activeVideoMinFrameDuration` limits that.
  public var minFrameDuration: MediaTime {
    get { delivery.minimumInterval }
    set { delivery.minimumInterval = newValue }
  }

  /// The only pixel format that the consumer accepts; nil, the default, for any. Frames are not converted to it:
  /// those in another format are dropped as `DropReason.formatMismatch`.
  public var pixelFormat: PixelFormat? {
    get { options.withLock { $0.pixelFormat } }
    set {
      options.withLock { options in
        options.pixelFormat = newValue
        options.refusal = nil
      }
    }
  }

  /// The only size that the consumer accepts; any by default. Frames are not scaled to it: a session whose device
  /// has another size does not start, and frames of another size are dropped as `DropReason.formatMismatch`.
  package var size: Size {
    get { options.withLock { $0.size } }
    set { options.withLock { $0.size = newValue } }
  }

  /// Why the connected device cannot deliver a size; nil if it can, and without a device.
  package func obstacle(to size: Size) -> CaptureError? {
    guard case .video(let given)? = connection(with: .video)?.formatDescription,
      !size.fits(given.dimensions)
    else { return nil }
    let wanted = VideoDimensions(
      width: size.width ?? given.dimensions.width, height: size.height ?? given.dimensions.height)
    return CaptureError(
      .invalidArgument,
      "the device delivers \(given.dimensions) frames, which cannot be scaled to \(wanted); choose an active "
        + "format of that size")
  }

  /// Why a session with this output cannot start: ``refusal``, a delegate without a queue, or a device with
  /// another ``size``.
  var obstacle: CaptureError? {
    let (refusal, size) = options.withLock { ($0.refusal ?? $0.delegateRefusal, $0.size) }
    return refusal ?? obstacle(to: size)
  }

  /// The error of settings whose setter cannot throw. Until ``pixelFormat`` is set, the session does not start
  /// and every frame is dropped.
  package var refusal: CaptureError? {
    get { options.withLock { $0.refusal } }
    set { options.withLock { $0.refusal = newValue } }
  }

  // MARK: CaptureOutput

  /// One video connection.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    mediaType == .video ? 1 : 0
  }

  /// Delivers a frame to the delegate and the sequences.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    fanout.receive(event, from: connection) { sample in
      options.withLock { options in
        guard options.refusal == nil, options.delegateRefusal == nil,
          let frame = sample.imageBuffer
        else { return false }
        return options.pixelFormat.map { $0 == frame.format } ?? true
          && options.size.fits(VideoDimensions(width: frame.width, height: frame.height))
      }
    }
  }

  /// Ends the sequences.
  public override func sessionDidStop() { fanout.finish() }
}

/// Receives frames from a data output, on the queue that was set with the delegate.
///
/// The default for frames that were lost with a reason reports only frames that arrived, without the reason.
public protocol CaptureVideoDataOutputSampleBufferDelegate: CaptureDataOutputSampleBufferDelegate {
  /// Called with a frame that was dropped because the consumer was busy.
  func captureOutput(
    _ output: CaptureOutput, didDrop sampleBuffer: SampleBuffer,
    from connection: CaptureConnection)
}

extension CaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: CaptureOutput, didDrop sampleBuffer: SampleBuffer,
    from connection: CaptureConnection
  ) {}

  /// Passes the frame on, if it arrived.
  public func captureOutput(
    _ output: CaptureOutput, didDrop samples: DroppedSamples,
    from connection: CaptureConnection
  ) {
    guard let sample = samples.sampleBuffer else { return }
    captureOutput(output, didDrop: sample, from: connection)
  }
}
