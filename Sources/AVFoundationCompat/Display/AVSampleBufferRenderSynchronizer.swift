public import Dispatch
public import Foundation
public import MediaCore
import Synchronization

/// Has several renderers show and play by one timeline.
public final class AVSampleBufferRenderSynchronizer: AVKeyValueObservable, ComparedByIdentity,
  Sendable
{
  /// The timeline: 0 and standing still at first.
  public let timebase = CMTimebase(sourceClock: CMClockGetHostTimeClock())
  private let state = Mutex(State())

  private struct State: Sendable {
    var renderers: [any FollowingRenderer] = []
    var observers: [ObjectIdentifier: TimelineObserver] = [:]
  }

  /// A synchronizer without renderers.
  public init() {}

  /// ``rate`` was set to another one; the notification's object is the synchronizer.
  public static let rateDidChangeNotification = Notification.Name(
    "AVSampleBufferRenderSynchronizerRateDidChangeNotification")

  // MARK: Time

  /// How fast the timeline runs; 0 while it stands still.
  public var rate: Float {
    get { Float(timebase.rate) }
    set { setRate(newValue, time: .invalid) }
  }

  /// The timeline's time.
  public func currentTime() -> CMTime { timebase.time }

  /// False: the timeline runs when it is told to. To set it changes nothing.
  public var delaysRateChangeUntilHasSufficientMediaData: Bool {
    get { false }
    set {}
  }

  /// Sets how fast the timeline runs, and its time now; an invalid time leaves that as it is.
  public func setRate(_ rate: Float, time: CMTime) {
    setRate(rate, time: time, atHostTime: .invalid)
  }

  /// Sets how fast the timeline runs, and its time at an instant of the host's clock; an invalid instant is now. A rate
  /// that is not finite changes nothing.
  public func setRate(_ rate: Float, time: CMTime, atHostTime hostTime: CMTime) {
    let before = timebase.rate
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    try? timebase.setRate(
      Double(rate), anchorTime: time.isNumeric ? time : timebase.time,
      immediateSourceTime: hostTime.isNumeric ? hostTime : now)
    guard timebase.rate != before else { return }
    NotificationCenter.default.post(name: Self.rateDidChangeNotification, object: self)
  }

  // MARK: Renderers

  /// The renderers, in the order in which they were added.
  public var renderers: [any AVQueuedSampleBufferRendering] { state.withLock { $0.renderers } }

  /// Has a renderer of this module go by the timeline: ``AVSampleBufferDisplayLayer``,
  /// ``AVSampleBufferVideoRenderer`` or ``AVSampleBufferAudioRenderer``. Another one, and one that is here already, changes nothing.
  public func addRenderer(_ renderer: any AVQueuedSampleBufferRendering) {
    guard let renderer = renderer as? any FollowingRenderer else { return }
    let isNew = state.withLock { state in
      guard !state.renderers.contains(where: { $0 === renderer }) else { return false }
      state.renderers.append(renderer)
      return true
    }
    if isNew { renderer.follow(timebase) }
  }

  /// Lets go of a renderer when the timeline comes to a time, an invalid one for now. It goes by the host's clock then.
  ///
  /// - Parameters:
  ///   - renderer: The renderer.
  ///   - time: When.
  ///   - completionHandler: Called with false if it was not here.
  public func removeRenderer(
    _ renderer: any AVQueuedSampleBufferRendering, at time: CMTime,
    completionHandler: (@Sendable (_ didRemoveRenderer: Bool) -> Void)? = nil
  ) {
    let name = ObjectIdentifier(renderer)
    guard time.isNumeric, time > timebase.time else {
      let wasHere = remove(name)
      completionHandler?(wasHere)
      return
    }
    let observer = TimelineObserver(timebase, from: time)
    keep(observer)
    observer.begin { [weak self, weak observer] _ in
      guard let self, let observer else { return }
      removeTimeObserver(observer)
      completionHandler?(remove(name))
    }
  }

  /// Lets go of a renderer when the timeline comes to a time; false if it was not here.
  @discardableResult
  public func removeRenderer(
    _ renderer: any AVQueuedSampleBufferRendering, at time: CMTime
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      removeRenderer(renderer, at: time) { continuation.resume(returning: $0) }
    }
  }

  private func remove(_ name: ObjectIdentifier) -> Bool {
    let removed = state.withLock { state -> (any FollowingRenderer)? in
      guard let place = state.renderers.firstIndex(where: { ObjectIdentifier($0) == name })
      else { return nil }
      return state.renderers.remove(at: place)
    }
    removed?.follow(nil)
    return removed != nil
  }

  // MARK: Observers

  /// Calls `block` with the time, at each multiple of `interval` from now on, and where the timeline jumps; never for
  /// an interval that is no number above 0.
  ///
  /// - Returns: What ``removeTimeObserver(_:)`` takes. The calls end as well when the synchronizer goes.
  public func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?,
    using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    let observer = TimelineObserver(timebase, interval: interval, queue: queue)
    observer.begin(block)
    keep(observer)
    return observer
  }

  /// Calls `block` whenever the timeline comes to one of `times`: not where it jumps over one.
  ///
  /// - Returns: What ``removeTimeObserver(_:)`` takes. The calls end as well when the synchronizer goes.
  public func addBoundaryTimeObserver(
    forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
  ) -> Any {
    let observer = TimelineObserver(timebase, times: times.map(\.timeValue), queue: queue)
    observer.begin { _ in block() }
    keep(observer)
    return observer
  }

  /// Ends the calls of an observer.
  public func removeTimeObserver(_ observer: Any) {
    guard let observer = observer as? TimelineObserver else { return }
    observer.end()
    state.withLock { $0.observers[ObjectIdentifier(observer)] = nil }
  }

  private func keep(_ observer: TimelineObserver) {
    state.withLock { $0.observers[ObjectIdentifier(observer)] = observer }
  }

  deinit {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.end() }
  }
}

/// A renderer that can be told whose timeline to go by.
protocol FollowingRenderer: AVQueuedSampleBufferRendering, Sendable {
  /// Goes by a timeline; nil for the host's clock.
  func follow(_ timebase: CMTimebase?)
}

extension AVSampleBufferVideoRenderer: FollowingRenderer {
  func follow(_ timebase: CMTimebase?) { controlTimebase = timebase }
}
extension AVSampleBufferDisplayLayer: FollowingRenderer {
  func follow(_ timebase: CMTimebase?) { controlTimebase = timebase }
}
extension AVSampleBufferAudioRenderer: FollowingRenderer {
  func follow(_ timebase: CMTimebase?) { controlTimebase = timebase }
}
