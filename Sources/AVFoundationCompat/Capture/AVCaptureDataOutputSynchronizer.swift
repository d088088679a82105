public import Dispatch
import MediaCore
import Synchronization
public import VideoRecorder

/// Takes what several data outputs give together, on the queue that was given with it.
public protocol AVCaptureDataOutputSynchronizerDelegate: AnyObject {
  /// What the outputs gave at one time. An output that gave nothing at this time is not in the collection.
  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection)
}

/// Gives a program what several data outputs of a session give, in one order of time: what has the same time,
/// such as the pictures of two outputs of a camera, with one call, everything else with a call of its own.
///
/// A run of sound rarely begins at the very time of a picture, and so comes by itself, between the pictures. A
/// picture is held until the other outputs have given something as late, are not connected, or five pictures
/// wait: it holds the device's own memory. What comes still later is given at once.
///
/// The program keeps the synchronizer; the outputs do not.
public final class AVCaptureDataOutputSynchronizer: Sendable {
  /// The outputs. The first is the main one for Apple; here all are alike.
  public let dataOutputs: [AVCaptureOutput]
  private let state: Mutex<State>
  /// Apart from the delegate, so that no call is made under its lock.
  private let alignment: Mutex<DataAlignment<AVCaptureSynchronizedData>>

  private struct State: Sendable {
    var listener = SynchronizedListener()
    var queue: DispatchQueue?
    var error: AVError?
  }

  /// A synchronizer of video and audio data outputs. Those of metadata and depth may be among them, which never
  /// give anything here.
  ///
  /// Apple's stops the program where there is no output, one is there twice, or one is of another kind. Here
  /// ``setDelegate(_:queue:)`` does nothing then, and ``error`` says why.
  public init(dataOutputs: [AVCaptureOutput]) {
    self.dataOutputs = dataOutputs
    state = Mutex(State())
    alignment = Mutex(DataAlignment(capacities: dataOutputs.map(Self.capacity)))
  }

  deinit { restore() }

  /// Who is called; nil once nobody keeps it.
  public var delegate: (any AVCaptureDataOutputSynchronizerDelegate)? {
    state.withLock { $0.listener }.delegate
  }
  /// Where the delegate is called; nil without one.
  public var delegateCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }
  /// Why the last ``setDelegate(_:queue:)`` did nothing; nil where it did. Not of AVFoundation.
  public var error: AVError? { state.withLock { $0.error } }

  /// Has the outputs' data given to a delegate, in place of the delegates of their own, on a serial queue; nil for
  /// both to have their own ones called again. The synchronizer does not keep the delegate.
  ///
  /// `alwaysDiscardsLateVideoFrames` and the layouts of the outputs count as before. Where an output has
  /// another synchronizer, the last one that was given a delegate counts.
  ///
  /// Apple's stops the program for a delegate without a queue. Here nothing is given then, and nothing where
  /// the outputs are in different sessions: ``error`` says so.
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

  // MARK: What comes

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
        // What never came has no sample to be given, as with a data output's own delegate.
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

  /// How much of an output may be held: few pictures, which are a device's own memory, and seconds of sound.
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

/// A delegate on its way to its queue, and no owner of it.
///
/// Unchecked because Apple's delegates need not be `Sendable`: nobody sets the reference again, weak references
/// are counted atomically, and only `give(_:to:)` calls the delegate, which the handlers of
/// `handler(of:_:_:)` do on the serial queue that its program gave with it.
private struct SynchronizedListener: @unchecked Sendable {
  weak var delegate: (any AVCaptureDataOutputSynchronizerDelegate)?
}
