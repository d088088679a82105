public import Dispatch
import Foundation
public import MediaCore
import Synchronization

/// Delivers each audio sample at its time to the program that plays it: no playback device is opened here.
///
/// ```swift
/// renderer.setAudioHandler(queue: playback) { audio, volume in
///   if let audio { device.play(audio, volume) } else { device.dropWhatWaits() }
/// }
/// ```
///
/// A sample's time is ``MediaCore/SampleBuffer/outputPresentationTimeStamp`` on ``timebase``, the timeline of the
/// ``AVSampleBufferRenderSynchronizer`` that has the renderer, or the host clock. Samples are delivered in the order
/// they were enqueued. A sample that should have ended more than 0.5 s ago, such as after a jump of the timeline, is
/// dropped and counted in ``droppedSampleBufferCount``.
public final class AVSampleBufferAudioRenderer: AVQueuedSampleBufferRendering,
  AVKeyValueObservable, ComparedByIdentity, Sendable
{
  /// The amount of queued audio at which no more is requested.
  private static let capacity = CMTime(value: 1, timescale: 1)
  /// How late a sample may be, in seconds.
  private static let tolerance = 0.5
  /// In seconds. Short because a timeline can be changed at any time.
  private static let longestWait = 0.01

  /// The program's samples and blocks are released outside the lock because their deinitializers may call the renderer.
  private struct State: Sendable {
    var control: CMTimebase?
    var waiting: [CMSampleBuffer] = []
    var droppedCount = 0
    var status = AVQueuedSampleBufferRenderingStatus.unknown
    var error: AVError?
    var volume: Float = 1
    var isMuted = false
    var player: Player?
    /// True while a timer is pending.
    var isTimed = false

    var waitingTime: CMTime { waiting.reduce(.zero) { $0 + Self.duration(of: $1) } }
    var hasRoom: Bool {
      status != .failed && waitingTime < AVSampleBufferAudioRenderer.capacity
    }

    /// From the frame count, because a program need not set the sample's duration.
    static func duration(of sample: CMSampleBuffer) -> CMTime { sample.audio?.duration ?? .zero }

    /// Removes the samples that are due, and counts those that are too late.
    mutating func takeDue(
      at now: CMTime, _ rate: Double
    ) -> (due: [CMSampleBuffer], late: [CMSampleBuffer]) {
      let taken = waiting.prefix { $0.outputPresentationTimeStamp <= now }
      let tolerance = AVSampleBufferAudioRenderer.tolerance * max(abs(rate), 1)
      let isDue = taken.map {
        (now - $0.outputPresentationTimeStamp - Self.duration(of: $0)).seconds < tolerance
      }
      waiting.removeFirst(taken.count)
      let due = zip(taken, isDue).filter { $0.1 }.map { $0.0 }
      let late = zip(taken, isDue).filter { !$0.1 }.map { $0.0 }
      droppedCount += late.count
      return (due, late)
    }
  }

  private struct Player: Sendable {
    let queue: DispatchQueue
    let play: @Sendable (CMSampleBuffer?, Float) -> Void
  }

  private let state = Mutex(State())
  private let requests = MediaDataRequests()
  let claim = TimelineClaim()
  private let queue = DispatchQueue(label: "audio", qos: .userInteractive)
  private let hostTimebase = CMTimebase.ofHost()

  /// A renderer without samples.
  public init() {}

  /// The timeline of the renderer's synchronizer, or the host clock.
  public var timebase: CMTimebase { controlTimebase ?? hostTimebase }

  var controlTimebase: CMTimebase? {
    get { state.withLock { $0.control } }
    set {
      state.withLock { $0.control = newValue }
      queue.async { self.playWhatIsDue() }
    }
  }

  // MARK: State

  /// The status. A flush clears a failure.
  public var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
  /// Why a sample was rejected, an ``AVError``; nil if none was.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// True while less than one second of audio is queued; false from a failure to the next flush.
  public var isReadyForMoreMediaData: Bool { state.withLock { $0.hasRoom } }
  /// True if audio is queued.
  public var hasSufficientMediaDataForReliablePlaybackStart: Bool {
    state.withLock { !$0.waiting.isEmpty }
  }
  /// The number of samples dropped because they were too late. Not in AVFoundation.
  public var droppedSampleBufferCount: Int { state.withLock { $0.droppedCount } }
  /// The volume, from 0 for silence; 1 is unchanged. It is passed to the player with each sample. Negative values
  /// become 0; NaN has no effect.
  public var volume: Float {
    get { state.withLock { $0.volume } }
    set { if !newValue.isNaN { state.withLock { $0.volume = max(newValue, 0) } } }
  }
  /// True to pass a volume of 0 to the player.
  public var isMuted: Bool {
    get { state.withLock { $0.isMuted } }
    set { state.withLock { $0.isMuted = newValue } }
  }

  // MARK: Samples

  /// Sets the function that receives each sample at its time on a serial queue, with its playback volume; a nil sample
  /// means that the audio delivered so far should stop. Nil for no more calls. Not in AVFoundation.
  public func setAudioHandler(
    queue: DispatchQueue,
    _ handler: (@Sendable (_ audio: CMSampleBuffer?, _ volume: Float) -> Void)?
  ) {
    let player = handler.map { Player(queue: queue, play: $0) }
    _ = state.withLock { state in
      defer { state.player = player }
      return state.player
    }
  }

  /// Adds a sample to the queue. A sample without audio is a failure: ``error`` gives the reason, and nothing more is
  /// accepted until a flush.
  public func enqueue(_ sampleBuffer: CMSampleBuffer) {
    state.withLock { state in
      guard state.status != .failed else { return }
      guard sampleBuffer.audio != nil, sampleBuffer.outputPresentationTimeStamp.isNumeric else {
        state.status = .failed
        state.error = AVError(
          .invalidSourceMedia, "the sample has no audio with a playback time")
        return
      }
      state.status = .rendering
      state.waiting.append(sampleBuffer)
    }
    queue.async { self.playWhatIsDue() }
  }

  private func playWhatIsDue() {
    let (now, rate) = (timebase.time, timebase.rate)
    let look = state.withLock { state -> (wait: Double?, gone: [CMSampleBuffer]) in
      let (due, late) = state.takeDue(at: now, rate)
      for sample in due { hand(sample, state) }
      guard !state.isTimed, let next = state.waiting.first else { return (nil, due + late) }
      state.isTimed = true
      let seconds = (next.outputPresentationTimeStamp - now).seconds
      let wait = rate > 0 ? seconds / rate : Self.longestWait
      return (min(max(wait, 0.001), Self.longestWait), due + late)
    }
    if let wait = look.wait {
      queue.asyncAfter(deadline: .now() + wait) { [weak self] in
        self?.state.withLock { $0.isTimed = false }
        self?.playWhatIsDue()
      }
    }
    askForMore()
  }

  private func hand(_ sample: CMSampleBuffer?, _ state: State) {
    guard let player = state.player else { return }
    let volume = state.isMuted ? 0 : state.volume
    player.queue.async { player.play(sample, volume) }
  }

  // MARK: Flushing

  /// Discards the queued samples and clears a failure; the player receives nil.
  public func flush() {
    _ = state.withLock { state in
      defer { state.waiting = [] }
      (state.status, state.error) = (.unknown, nil)
      hand(nil, state)
      return state.waiting
    }
    queue.async { self.askForMore() }
  }

  /// Discards the queued samples from a time on.
  ///
  /// - Parameters:
  ///   - time: The earliest time of the discarded samples.
  ///   - completionHandler: Called with true when done: samples are not split, and earlier ones are kept.
  public func flush(
    fromSourceTime time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    _ = state.withLock { state in
      defer { state.waiting.removeAll { $0.outputPresentationTimeStamp >= time } }
      return state.waiting
    }
    queue.async {
      completionHandler(true)
      self.askForMore()
    }
  }

  // MARK: Asking for samples

  /// Calls `block` on a queue whenever ``isReadyForMoreMediaData`` is true, until ``stopRequestingMediaData()``. If
  /// there is still room when it returns, it is called again after a few milliseconds.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    requests.begin(on: queue, block)
    askForMore()
  }

  /// Ends the calls.
  public func stopRequestingMediaData() { requests.end() }

  private func askForMore() {
    requests.ask(again: queue) { [weak self] in self?.isReadyForMoreMediaData == true }
  }
}

extension AVSampleBufferAudioRenderer {
  /// Nil: the player chooses the device. Setting it has no effect.
  public var audioOutputDeviceUniqueID: String? {
    get { nil }
    set {}
  }
}
