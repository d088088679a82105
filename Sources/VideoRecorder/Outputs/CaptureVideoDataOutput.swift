import CaptureDevices
public import Dispatch
public import MediaCore
import Synchronization

/// Gives a program the pictures of a session, as `AVCaptureVideoDataOutput` does.
///
/// Pictures come in the device's own layout, unless ``conversion`` asks for another. Their memory may be the device's: a program that
/// keeps many starves the device, which then drops frames and says so.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class CaptureVideoDataOutput: CaptureOutput, @unchecked Sendable {
  private let delivery = PictureDelivery()
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

  /// Columns and rows of pictures, each nil where any number is right.
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

  /// An output that nobody listens to yet.
  public override init() {
    fanout = SampleFanout(depth: 1, delivery)
    super.init()
  }

  // MARK: Delivery

  /// The pictures from the moment of the call on; the sequence ends with the session.
  ///
  /// A reader that is behind loses the pictures that come meanwhile; ``droppedSamples`` tells of
  /// them.
  public var sampleBuffers: AsyncStream<SampleBuffer> { fanout.samples() }

  /// What the device or a slow reader lost, from the moment of the call on.
  public var droppedSamples: AsyncStream<DroppedSamples> { fanout.drops() }

  /// Has the pictures given to a delegate on a serial queue; nil for none any more. The output
  /// does not keep the delegate alive. With a delegate and no queue the session does not start, and every picture is
  /// dropped.
  public func setSampleBufferDelegate(
    _ delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    options.withLock { $0.delegate = delegate }
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
    options.withLock { $0.delegateRefusal = refusal }
    fanout.setDelegate(handler)
  }

  /// Puts a handler in the delegate's place, which is kept and called again later.
  ///
  /// - Parameters:
  ///   - handler: Who gets the pictures; nil takes out what the owner put there, and no other's.
  ///   - owner: Who puts it there.
  package func setSubstituteHandler(_ handler: SampleHandler?, of owner: ObjectIdentifier) {
    fanout.setSubstitute(handler, of: owner)
  }

  public var sampleBufferDelegate: (any CaptureVideoDataOutputSampleBufferDelegate)? {
    options.withLock { $0.delegate }
  }

  /// The delegate's queue.
  public var sampleBufferCallbackQueue: DispatchQueue? { fanout.queue }

  /// True, as at first, to drop a picture while the consumer is busy with the one before; false to
  /// let ``maximumQueueDepth`` pictures wait.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { options.withLock { $0.discardsLate } }
    set {
      fanout.depth = options.withLock { options in
        options.discardsLate = newValue
        return newValue ? 1 : options.queueDepth
      }
    }
  }

  /// Pictures that may wait for a slow consumer where late ones are not discarded: 8 at first.
  public var maximumQueueDepth: Int {
    get { options.withLock { $0.queueDepth } }
    set {
      fanout.depth = options.withLock { options in
        options.queueDepth = max(newValue, 1)
        return options.discardsLate ? 1 : options.queueDepth
      }
    }
  }

  /// What pictures are brought to before a delegate has them, on its queue; nil, as at first, for nothing. One
  /// that cannot be converted is dropped for `DropReason.formatMismatch`. ``sampleBuffers`` has the pictures
  /// as the device gives them.
  public var conversion: PictureConversion? {
    get { delivery.wanted }
    set {
      delivery.wanted = newValue
      refusal = nil
    }
  }

  /// The least time from one picture to the next that a delegate is given: those in between are left out, and are
  /// no dropped pictures. Invalid, as at first, and 0 stand for no limit. ``sampleBuffers`` has all pictures.
  ///
  /// The device takes as many pictures as before: `CaptureDevice.activeVideoMinFrameDuration` is its own limit.
  public var minFrameDuration: MediaTime {
    get { delivery.minimumInterval }
    set { delivery.minimumInterval = newValue }
  }

  /// The layout that the consumer wants of the device; nil, as at first, for whatever it gives. Nothing is
  /// converted for it: pictures in another layout are dropped for `DropReason.formatMismatch`.
  public var pixelFormat: PixelFormat? {
    get { options.withLock { $0.pixelFormat } }
    set {
      options.withLock { options in
        options.pixelFormat = newValue
        options.refusal = nil
      }
    }
  }

  /// The size that the consumer counts on; any, as at first. Nothing is scaled for it: a session whose device gives
  /// another size does not start, and pictures of another one are dropped for `DropReason.formatMismatch`.
  package var size: Size {
    get { options.withLock { $0.size } }
    set { options.withLock { $0.size = newValue } }
  }

  /// Why the connected device does not give pictures of a size; nil where it does, and without a device.
  package func obstacle(to size: Size) -> CaptureError? {
    guard case .video(let given)? = connection(with: .video)?.formatDescription,
      !size.fits(given.dimensions)
    else { return nil }
    let wanted = VideoDimensions(
      width: size.width ?? given.dimensions.width, height: size.height ?? given.dimensions.height)
    return CaptureError(
      .invalidArgument,
      "the device gives pictures of \(given.dimensions), which are not scaled to \(wanted); choose an active "
        + "format that has it")
  }

  /// What keeps a session with the output from starting: ``refusal``, a delegate without a queue, or a device with
  /// pictures of another ``size``.
  var obstacle: CaptureError? {
    let (refusal, size) = options.withLock { ($0.refusal ?? $0.delegateRefusal, $0.size) }
    return refusal ?? obstacle(to: size)
  }

  /// What is wrong with settings that could not throw: the session does not start with them, and
  /// every picture is dropped, until ``pixelFormat`` is set.
  package var refusal: CaptureError? {
    get { options.withLock { $0.refusal } }
    set { options.withLock { $0.refusal = newValue } }
  }

  // MARK: CaptureOutput

  /// One connection of pictures.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    mediaType == .video ? 1 : 0
  }

  /// Hands a picture on.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    fanout.receive(event, from: connection) { sample in
      options.withLock { options in
        guard options.refusal == nil, options.delegateRefusal == nil,
          let picture = sample.imageBuffer
        else { return false }
        return options.pixelFormat.map { $0 == picture.format } ?? true
          && options.size.fits(VideoDimensions(width: picture.width, height: picture.height))
      }
    }
  }

  /// Ends the sequences.
  public override func sessionDidStop() { fanout.finish() }
}

/// Takes pictures from a data output, on the queue that was given with it.
public protocol CaptureVideoDataOutputSampleBufferDelegate: AnyObject, Sendable {
  /// A picture.
  func captureOutput(
    _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
    from connection: CaptureConnection)

  /// A picture that came while the consumer was busy with another one.
  func captureOutput(
    _ output: CaptureOutput, didDrop sampleBuffer: SampleBuffer,
    from connection: CaptureConnection)

  /// Pictures that were lost, with the reason. Unless it is implemented, only those that came are
  /// told of, without the reason.
  func captureOutput(
    _ output: CaptureOutput, didDrop samples: DroppedSamples,
    from connection: CaptureConnection)
}

extension CaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: CaptureOutput, didDrop sampleBuffer: SampleBuffer,
    from connection: CaptureConnection
  ) {}

  /// Hands on the picture, where there is one.
  public func captureOutput(
    _ output: CaptureOutput, didDrop samples: DroppedSamples,
    from connection: CaptureConnection
  ) {
    guard let sample = samples.sampleBuffer else { return }
    captureOutput(output, didDrop: sample, from: connection)
  }
}
