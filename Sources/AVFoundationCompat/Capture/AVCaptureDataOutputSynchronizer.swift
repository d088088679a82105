public import Dispatch
import MediaCore
import Synchronization
public import VideoRecorder

/// Receives the synchronized data of several data outputs, on the queue set with the delegate.
public protocol AVCaptureDataOutputSynchronizerDelegate: AnyObject {
  /// The outputs' data for one time. An output without data for this time is not in the collection.
  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection)
}

/// Delivers the data of several data outputs of a session in one time order. Data with the same time, such as the
/// frames of two outputs of a camera, comes in one call; all other data comes in its own call.
///
/// An audio buffer rarely begins exactly at a frame's time, so it comes by itself, between frames. A frame is held
/// until each other output has delivered data at least as late or is not connected, or until five frames wait, because
/// it occupies device memory. Data that arrives later still is delivered immediately.
///
/// The program keeps the synchronizer; the outputs do not.
public final class AVCaptureDataOutputSynchronizer: Sendable {
  /// The outputs. In AVFoundation the first is the primary one; here all are equal.
  public let dataOutputs: [AVCaptureOutput]
  private let state: Mutex<State>
  /// Separate from the delegate, so that no delegate call is made under its lock.
  private let alignment: Mutex<DataAlignment<AVCaptureSynchronizedData>>

  private struct State: Sendable {
    var listener = SynchronizedListener()
    var queue: DispatchQueue?
    var error: AVError?
  }

  /// A synchronizer of video and audio data outputs. Metadata and depth outputs are allowed, but never deliver data
  /// here.
  ///
  /// Apple's implementation stops the program for an empty list, a duplicate, or an output of another kind. Here
  /// ``setDelegate(_:queue:)`` then does nothing, and ``error`` gives the reason.
  public init(dataOutputs: [AVCaptureOutput]) {
    self.dataOutputs = dataOutputs
    state = Mutex(State())
    alignment = Mutex(DataAlignment(capacities: dataOutputs.map(Self.capacity)))
  }

  deinit { restore() }

  /// The delegate, held weakly.
  public var delegate: (any AVCaptureDataOutputSynchronizerDelegate)? {
    state.withLock { $0.listener }.delegate
  }
  /// The queue on which the delegate is called; nil without a delegate.
  public var delegateCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }
  /// Why the last ``setDelegate(_:queue:)`` failed; nil if it succeeded. Not in AVFoundation.
  public var error: AVError? { state.withLock { $0.error } }

  /// Delivers the outputs' data to a delegate on a serial queue, instead of to the outputs' own delegates; nil for both
  /// restores those. The synchronizer does not retain the delegate.
  ///
  /// The outputs' `alwaysDiscardsLateVideoFrames` and layouts still apply. If an output belongs to several
  /// synchronizers, the last one that was given a delegate receives its data.
  ///
  /// Apple's implementation stops the program for a delegate without a queue. Here nothing is delivered in that case,
  /// or if the outputs are in different sessions; ``error`` gives the reason.
  public func setDelegate(
    _ delegate: (any AVCaptureDataOutputSynchronizerDelegate)?, queue: DispatchQueue?
  ) {
    let mistake = delegate == nil ? nil : mistake(queue: queue)
    let listener = SynchronizedListener(delegate: mistake == nil ? delegate : nil)
    let active = listener.delegate == nil ? nil : queue
    state.withLock { $0 = State(listener: listener, queue: active, error: mistake) }
    _ = alignment.withLock { $0.finish() }
    guard let active else { return restore() }
    for (index, output) in dataOutputs.enumerated() {
      substitute(handler(of: index, listener, active), in: output)
    }
  }

  // MARK: Incoming data

  private func handler(
    of index: Int, _ listener: SynchronizedListener, _ queue: DispatchQueue
  ) -> SampleHandler {
    SampleHandler(
      queue: queue,
      deliver: { [weak self] sample, _ in
        let datum = AVCaptureSynchronizedSampleBufferData(sample.withOwnNotes())
        self?.take(datum, from: index, listener)
      },
      drop: { [weak self] drop, _ in
        // Data that never arrived has no sample to deliver, as with a data output's own delegate.
        guard let sample = drop.sampleBuffer?.withOwnNotes() else { return }
        let datum = AVCaptureSynchronizedSampleBufferData(
          sample, droppedReason: drop.reason.dataDroppedReason)
        self?.take(datum, from: index, listener)
      },
      stop: { [weak self] in
        guard let self else { return }
        give(alignment.withLock { $0.finish() }, to: listener)
      })
  }

  private func take(
    _ datum: AVCaptureSynchronizedData, from index: Int, _ listener: SynchronizedListener
  ) {
    let isFlowing = dataOutputs.map { output in output.connections.contains(where: \.isActive) }
    let groups = alignment.withLock {
      $0.take(datum, at: datum.timestamp, from: index) { isFlowing[$0] }
    }
    give(groups, to: listener)
  }

  private func give(_ groups: [[Int: AVCaptureSynchronizedData]], to listener: SynchronizedListener)
  {
    for group in groups {
      let data = dataOutputs.enumerated().compactMap { index, output in
        group[index].map { (output: output, datum: $0) }
      }
      listener.delegate?.dataOutputSynchronizer(
        self, didOutput: AVCaptureSynchronizedDataCollection(data))
    }
  }

  // MARK: The outputs

  /// How many samples of an output may be held: few frames, which occupy device memory, but seconds of audio.
  private static func capacity(of output: AVCaptureOutput) -> Int {
    output is AVCaptureAudioDataOutput ? 64 : 4
  }

  private func restore() { for output in dataOutputs { substitute(nil, in: output) } }

  private func substitute(_ handler: SampleHandler?, in output: AVCaptureOutput) {
    let owner = ObjectIdentifier(self)
    (output as? AVCaptureVideoDataOutput)?.setSubstituteHandler(handler, of: owner)
    (output as? AVCaptureAudioDataOutput)?.setSubstituteHandler(handler, of: owner)
  }

  private func mistake(queue: DispatchQueue?) -> AVError? {
    let message: String? =
      if dataOutputs.isEmpty {
        "a synchronizer needs at least one data output"
      } else if Set(dataOutputs).count < dataOutputs.count {
        "a data output is listed twice; list each one once"
      } else if !dataOutputs.allSatisfy(Self.takes) {
        "a synchronizer takes only video, audio, metadata and depth outputs"
      } else if Set(dataOutputs.compactMap(\.connectionList.owner)).count > 1 {
        "the synchronizer's data outputs are in different sessions; make one synchronizer for each session"
      } else if queue == nil {
        "a synchronizer's delegate needs a queue; pass one"
      } else {
        nil
      }
    return message.map { AVError(.operationNotAllowed, $0) }
  }

  private static func takes(_ output: AVCaptureOutput) -> Bool {
    output is AVCaptureVideoDataOutput || output is AVCaptureAudioDataOutput
      || output is AVCaptureMetadataOutput || output is AVCaptureDepthDataOutput
  }
}

/// A weak reference to a delegate, which is called on its queue.
///
/// Unchecked because Apple's delegates need not be `Sendable`: the reference is never set again, weak references are
/// counted atomically, and only `give(_:to:)` calls the delegate, from the handlers made by `handler(of:_:_:)`, on the
/// serial queue that the program set with it.
private struct SynchronizedListener: @unchecked Sendable {
  weak var delegate: (any AVCaptureDataOutputSynchronizerDelegate)?
}
