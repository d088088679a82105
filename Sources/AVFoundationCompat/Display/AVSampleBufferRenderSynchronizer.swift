public import Dispatch
public import Foundation
public import MediaCore
import Synchronization

/// Runs several renderers on one timeline.
public final class AVSampleBufferRenderSynchronizer: AVKeyValueObservable, ComparedByIdentity,
  Sendable
{
  /// The timeline; initially stopped at 0.
  public let timebase = CMTimebase(sourceClock: CMClockGetHostTimeClock())
  private let state = Mutex(State())

  private struct State: Sendable {
    var renderers: [any FollowingRenderer] = []
    /// Pending removals of renderers.
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

  /// ``rate`` changed; the notification's object is the synchronizer.
  public static let rateDidChangeNotification = Notification.Name(
    "AVSampleBufferRenderSynchronizerRateDidChangeNotification")

  // MARK: Time

  /// The rate of the timeline; 0 while stopped.
  public var rate: Float {
    get { Float(timebase.rate) }
    set { setRate(newValue, time: .invalid) }
  }

  /// The timeline's time.
  public func currentTime() -> CMTime { timebase.time }

  /// False: rate changes are immediate. Setting it has no effect.
  public var delaysRateChangeUntilHasSufficientMediaData: Bool {
    get { false }
    set {}
  }

  /// Sets the rate and the current time of the timeline; an invalid time leaves the time unchanged.
  public func setRate(_ rate: Float, time: CMTime) {
    setRate(rate, time: time, atHostTime: .invalid)
  }

  /// Sets the rate of the timeline and its time at a host clock time; an invalid host time means now. A rate that is
  /// not finite has no effect.
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

  /// The renderers, in the order they were added.
  public var renderers: [any AVQueuedSampleBufferRendering] { state.withLock { $0.renderers } }

  /// Why the last ``addRenderer(_:)`` failed, for which Apple's implementation raises an exception; nil if it
  /// succeeded. Not in AVFoundation.
  public var error: AVError? { state.withLock { $0.error } }

  /// Adds a renderer of this module: ``AVSampleBufferDisplayLayer``, ``AVSampleBufferVideoRenderer`` or
  /// ``AVSampleBufferAudioRenderer``.
  ///
  /// Any other renderer, and one that already belongs to a synchronizer, is not added; ``error`` gives the reason.
  public func addRenderer(_ renderer: any AVQueuedSampleBufferRendering) {
    let mistake = mistake(adding: renderer)
    state.withLock { $0.error = mistake }
  }

  private func mistake(adding renderer: any AVQueuedSampleBufferRendering) -> AVError? {
    guard let renderer = renderer as? any FollowingRenderer else {
      return AVError(
        .operationNotAllowed, "a synchronizer does not support the program's own renderers")
    }
    guard renderer.follow(timebase) else {
      return AVError(
        .operationNotAllowed,
        "the renderer already belongs to a synchronizer; remove it there first")
    }
    state.withLock { $0.renderers.append(renderer) }
    return nil
  }

  /// Removes a renderer when the timeline reaches a time; immediately for an invalid time. The renderer then runs on
  /// the host clock.
  ///
  /// A later call for the same renderer replaces a pending one. When the synchronizer is deallocated, its renderers run
  /// on the host clock.
  ///
  /// - Parameters:
  ///   - renderer: The renderer.
  ///   - time: When to remove it.
  ///   - completionHandler: Called once: with true when the renderer is removed, with false if it does not belong to
  ///     the synchronizer, another call replaces this one, or the synchronizer is deallocated before that time.
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

  /// Removes a renderer when the timeline reaches a time; false if it does not belong to the synchronizer.
  @discardableResult
  public func removeRenderer(
    _ renderer: any AVQueuedSampleBufferRendering, at time: CMTime
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      removeRenderer(renderer, at: time) { continuation.resume(returning: $0) }
    }
  }

  /// Removes a renderer, unless another removal has replaced the observer's.
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

  /// Calls `block` with the time at each multiple of `interval`, and when the timeline jumps; never for an interval
  /// that is not a positive number.
  ///
  /// - Returns: An object for ``removeTimeObserver(_:)``. The calls also end when the synchronizer is deallocated.
  public func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?,
    using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    let observer = TimelineObserver(timebase, interval: interval, queue: queue)
    observer.begin(block)
    keep(observer)
    return observer
  }

  /// Calls `block` whenever the timeline reaches one of `times`, but not when it jumps over one.
  ///
  /// - Returns: An object for ``removeTimeObserver(_:)``. The calls also end when the synchronizer is deallocated.
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
