public import Dispatch
import Foundation
public import MediaCore
import Synchronization

/// Hands sound, each sample when its time has come, to the program that plays it: nothing here opens a device for playback.
///
/// ```swift
/// renderer.setSoundHandler(queue: playback) { sound, volume in
///   if let sound { device.play(sound, volume) } else { device.dropWhatWaits() }
/// }
/// ```
///
/// A sample's time is ``MediaCore/SampleBuffer/outputPresentationTimeStamp``, on ``timebase``: that of an
/// ``AVSampleBufferRenderSynchronizer`` that has the renderer, else the host's clock. Samples are handed over in the
/// order in which they came. One that should have ended more than 0.5 s ago, as after a jump of the timeline, is left
/// out and counted in ``droppedSampleBufferCount``.
public final class AVSampleBufferAudioRenderer: AVQueuedSampleBufferRendering,
  AVKeyValueObservable, ComparedByIdentity, Sendable
{
  /// Sound that waits before no more is asked for.
  private static let capacity = CMTime(value: 1, timescale: 1)
  /// Seconds that a sample may come late by.
  private static let tolerance = 0.5
  /// Seconds: a timeline may be set anew at any time.
  private static let longestWait = 0.01

  /// What programs gave (samples, blocks) is let go outside of the lock: its end may call the renderer.
  private struct State: Sendable {
    var control: CMTimebase?
    var waiting: [CMSampleBuffer] = []
    var droppedCount = 0
    var status = AVQueuedSampleBufferRenderingStatus.unknown
    var error: AVError?
    var volume: Float = 1
    var isMuted = false
    var player: Player?
    /// True while a look at the time is to come.
    var isTimed = false

    var waitingTime: CMTime { waiting.reduce(.zero) { $0 + Self.duration(of: $1) } }
    var hasRoom: Bool {
      status != .failed && waitingTime < AVSampleBufferAudioRenderer.capacity
    }

    /// By its number of frames: a program need not say how long it lasts.
    static func duration(of sample: CMSampleBuffer) -> CMTime { sample.sound?.duration ?? .zero }

    /// Takes the samples whose time has come, and counts those that are too late.
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
  private let queue = DispatchQueue(label: "sound", qos: .userInteractive)
  private let hostTimebase = CMTimebase.ofHost()

  /// A renderer without samples.
  public init() {}

  /// The timeline of the synchronizer that has it, else the host's clock.
  public var timebase: CMTimebase { controlTimebase ?? hostTimebase }

  var controlTimebase: CMTimebase? {
    get { state.withLock { $0.control } }
    set {
      state.withLock { $0.control = newValue }
      queue.async { self.playWhatIsDue() }
    }
  }

  // MARK: State

  /// How it is getting on. A flush ends a failure.
  public var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
  /// Why a sample could not be taken, an ``AVError``; nil if none failed.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// True while less than a second of sound waits; false from a failure to the next flush, as nothing is taken.
  public var isReadyForMoreMediaData: Bool { state.withLock { $0.hasRoom } }
  /// True if sound waits.
  public var hasSufficientMediaDataForReliablePlaybackStart: Bool {
    state.withLock { !$0.waiting.isEmpty }
  }
  /// Samples that were left out, for they came too late. Apple's has no such number.
  public var droppedSampleBufferCount: Int { state.withLock { $0.droppedCount } }
  /// How loud, from 0 for silence, 1 as it is: told to who plays, with each sample. Less than 0 becomes 0; what is no
  /// number changes nothing.
  public var volume: Float {
    get { state.withLock { $0.volume } }
    set { if !newValue.isNaN { state.withLock { $0.volume = max(newValue, 0) } } }
  }
  /// True to have who plays told a volume of 0.
  public var isMuted: Bool {
    get { state.withLock { $0.isMuted } }
    set { state.withLock { $0.isMuted = newValue } }
  }

  // MARK: Samples

  /// Has each sample handed to a function on a serial queue when its time has come, with the volume to play it at, and
  /// nil if what was handed over is not to be heard any more; nil for no more calls. Apple's has no such function.
  public func setSoundHandler(
    queue: DispatchQueue,
    _ handler: (@Sendable (_ sound: CMSampleBuffer?, _ volume: Float) -> Void)?
  ) {
    let player = handler.map { Player(queue: queue, play: $0) }
    _ = state.withLock { state in
      defer { state.player = player }
      return state.player
    }
  }

  /// Hands a sample over. One that holds no sound is a failure: ``error`` says why, and nothing more is taken until a
  /// flush.
  public func enqueue(_ sampleBuffer: CMSampleBuffer) {
    state.withLock { state in
      guard state.status != .failed else { return }
      guard sampleBuffer.sound != nil, sampleBuffer.outputPresentationTimeStamp.isNumeric else {
        state.status = .failed
        state.error = AVError(
          .invalidSourceMedia, "the sample holds no sound with a time to play it at")
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

  /// Forgets the samples that wait, and a failure; who plays is given nil.
  public func flush() {
    _ = state.withLock { state in
      defer { state.waiting = [] }
      (state.status, state.error) = (.unknown, nil)
      hand(nil, state)
      return state.waiting
    }
    queue.async { self.askForMore() }
  }

  /// Forgets the samples that wait from a time on.
  ///
  /// - Parameters:
  ///   - time: The earliest time of the samples that go.
  ///   - completionHandler: Called with true when it is done: samples are whole, and those before stay.
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

  /// Calls `block` on a queue whenever ``isReadyForMoreMediaData`` is true, until ``stopRequestingMediaData()``. One
  /// that returns before that is called again, after a few milliseconds.
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
  /// Nil: who plays chooses. To set it changes nothing.
  public var audioOutputDeviceUniqueID: String? {
    get { nil }
    set {}
  }
}
