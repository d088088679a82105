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
    /// Of renderers that are to go later.
    var removals: [ObjectIdentifier: Removal] = [:]
    var observers: [ObjectIdentifier: TimelineObserver] = [:]
    var error: AVError?

    func has(_ name: ObjectIdentifier) -> Bool {
      renderers.contains { ObjectIdentifier($0) == name }
    }
  }

  private struct Removal: Sendable {
    let observer: TimelineObserver
    let handler: (@Sendable (Bool) -> Void)?

    func cancel() {
      observer.end()
      handler?(false)
    }
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

  /// Why the last ``addRenderer(_:)`` added nothing, where Apple's raises an exception; nil if it added a renderer. Not
  /// of AVFoundation.
  public var error: AVError? { state.withLock { $0.error } }

  /// Has a renderer of this module go by the timeline: ``AVSampleBufferDisplayLayer``,
  /// ``AVSampleBufferVideoRenderer`` or ``AVSampleBufferAudioRenderer``.
  ///
  /// Another one, and one that is in this synchronizer or another one already, changes nothing: ``error`` says why.
  public func addRenderer(_ renderer: any AVQueuedSampleBufferRendering) {
    let mistake = mistake(adding: renderer)
    state.withLock { $0.error = mistake }
  }

  private func mistake(adding renderer: any AVQueuedSampleBufferRendering) -> AVError? {
    guard let renderer = renderer as? any FollowingRenderer else {
      return AVError(
        .operationNotAllowed, "a renderer of the program's own cannot go by a synchronizer's time")
    }
    guard renderer.follow(timebase) else {
      return AVError(
        .operationNotAllowed, "the renderer is in a synchronizer already; remove it there first")
    }
    state.withLock { $0.renderers.append(renderer) }
    return nil
  }

  /// Lets go of a renderer when the timeline comes to a time, an invalid one for now. It goes by the host's clock then.
  ///
  /// A later call for the same renderer takes the place of one whose time has not come. When the synchronizer goes, its
  /// renderers go by the host's clock.
  ///
  /// - Parameters:
  ///   - renderer: The renderer.
  ///   - time: When.
  ///   - completionHandler: Called once: with true when the renderer is let go, with false if it is not here, another call
  ///     takes this one's place, or the synchronizer goes before that time.
  public func removeRenderer(
    _ renderer: any AVQueuedSampleBufferRendering, at time: CMTime,
    completionHandler: (@Sendable (_ didRemoveRenderer: Bool) -> Void)? = nil
  ) {
    let name = ObjectIdentifier(renderer)
    let observer = TimelineObserver(timebase, from: time)
    let removal = Removal(observer: observer, handler: completionHandler)
    let (isHere, replaced) = state.withLock { state -> (Bool, Removal?) in
      guard state.has(name) else { return (false, nil) }
      return (true, state.removals.updateValue(removal, forKey: name))
    }
    guard isHere else {
      completionHandler?(false)
      return
    }
    replaced?.cancel()
    guard time.isNumeric, time > timebase.time else { return remove(name, observer) }
    observer.begin { [weak self, weak observer] _ in
      if let observer { self?.remove(name, observer) }
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

  /// Lets go of a renderer, unless another removal has taken the place of the observer's.
  private func remove(_ name: ObjectIdentifier, _ observer: TimelineObserver) {
    observer.end()
    let removed = state.withLock { state -> (renderer: any FollowingRenderer, removal: Removal)? in
      guard let removal = state.removals[name], removal.observer === observer,
        let place = state.renderers.firstIndex(where: { ObjectIdentifier($0) == name })
      else { return nil }
      state.removals[name] = nil
      return (state.renderers.remove(at: place), removal)
    }
    removed?.renderer.endFollowing()
    removed?.removal.handler?(true)
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
    let last = state.withLock { $0 }
    for observer in last.observers.values { observer.end() }
    for renderer in last.renderers { renderer.endFollowing() }
    for removal in last.removals.values { removal.cancel() }
  }
}
