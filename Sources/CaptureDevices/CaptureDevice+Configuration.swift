public import MediaCore
import Synchronization

extension CaptureDevice {
  /// What was chosen for the next stream, and the observers of changes.
  package struct Configuration: Sendable {
    /// What the device said last; nil before it was asked.
    package var formats: [Format]?
    /// The user's choice; nil for the device's best.
    package var activeFormat: Format?
    /// The user's choice of frame durations; invalid for the format's own.
    var minFrameDuration = MediaTime.invalid
    var maxFrameDuration = MediaTime.invalid
    /// How many hold the configuration lock.
    var lockDepth = 0
    /// What was wrong with the last assignment; nil once a valid one follows.
    var refusal: CaptureError?
    /// What was changed since the lock was taken, where a format outweighs a rate. Nil for nothing.
    var change: Change?
    /// True where the program chose the exposure, and not only kept it.
    package var hasCustomExposure = false
    var observers: [ObjectIdentifier: @Sendable (Change) -> Void] = [:]

    mutating func note(_ change: Change) {
      if self.change != .format { self.change = change }
    }

    mutating func forgetFormat() {
      activeFormat = nil
      minFrameDuration = .invalid
      maxFrameDuration = .invalid
    }
  }

  /// What the user chose.
  package enum Change: Sendable {
    /// The format, with its frame durations.
    case format
    /// A frame duration, or nothing that a session must choose formats anew for.
    case rate
  }

  // MARK: Lock

  /// Takes the right to change ``activeFormat`` and the frame durations. Locks nest; each one
  /// needs its ``unlockForConfiguration()``.
  ///
  /// - Throws: ``CaptureError/Code/deviceDisconnected`` where the device is gone.
  public func lockForConfiguration() throws(CaptureError) { try lock() }

  /// ``lockForConfiguration()`` under a name that no other module gives to a form of its own.
  package func lock() throws(CaptureError) {
    guard isConnected else {
      throw CaptureError(
        .deviceDisconnected, "\(self) is disconnected; plug it in again and look it up again")
    }
    configuration.withLock { $0.lockDepth += 1 }
  }

  /// Gives the right back. With the last lock, a session that streams from the device takes the
  /// change over.
  public func unlockForConfiguration() {
    let reported = configuration.withLock { state -> (Change, [@Sendable (Change) -> Void])? in
      guard state.lockDepth > 0 else { return nil }
      state.lockDepth -= 1
      guard state.lockDepth == 0, let change = state.change else { return nil }
      state.change = nil
      return (change, Array(state.observers.values))
    }
    guard let (change, observers) = reported else { return }
    for observer in observers { observer(change) }
  }

  /// Changes the configuration under the lock.
  ///
  /// - Throws: What locking or `change` throws.
  public func configure<Result>(
    _ change: (CaptureDevice) throws(CaptureError) -> Result
  ) throws(CaptureError) -> Result {
    try lockForConfiguration()
    defer { unlockForConfiguration() }
    return try change(self)
  }

  /// Calls `observer` after each change of the configuration, until `owner` is removed.
  package func addObserver(
    _ owner: ObjectIdentifier, _ observer: @escaping @Sendable (Change) -> Void
  ) {
    configuration.withLock { $0.observers[owner] = observer }
  }

  package func removeObserver(_ owner: ObjectIdentifier) {
    configuration.withLock { _ = $0.observers.removeValue(forKey: owner) }
  }

  // MARK: Format

  /// The format that a session streams: the one that was set, else the best that the device has;
  /// nil where it has none.
  ///
  /// To assign needs ``lockForConfiguration()`` and one of the device's ``formats``. Without, the
  /// format stays, and a session with the device does not run until a valid one follows: it throws,
  /// or sends, what ``setActiveFormat(_:)`` throws at once.
  public var activeFormat: Format? {
    get { chosenFormat }
    set { chosenFormat = newValue }
  }

  /// What was wrong with the last assignment of a format or a frame duration; nil once a valid one
  /// followed.
  package var refusal: CaptureError? { configuration.withLock { $0.refusal } }

  /// ``activeFormat`` under a name that no other module gives to a form of its own.
  package var chosenFormat: Format? {
    get {
      if let chosen = configuration.withLock({ $0.activeFormat }) { return chosen }
      let formats = formats
      return identity.mediaType == .audio
        ? FormatOrder.audio(formats).first
        : FormatOrder.video(formats).first ?? formats.first
    }
    set {
      guard let newValue else {
        configuration.withLock { state in
          state.forgetFormat()
          state.refusal = nil
          state.note(.format)
        }
        return
      }
      do throws(CaptureError) { try setActiveFormat(newValue) } catch { refuse(error, .format) }
    }
  }

  /// Chooses the format for the next stream, and resets the frame durations to its own unless it was
  /// chosen already. A session takes it for the user's choice in either case, and drops its preset.
  ///
  /// - Throws: ``CaptureError/Code/invalidState`` without ``lockForConfiguration()``,
  ///   ``CaptureError/Code/formatUnavailable`` for a format that the device does not offer.
  public func setActiveFormat(_ format: Format) throws(CaptureError) {
    guard formats.contains(format) else {
      throw CaptureError(
        .formatUnavailable,
        "\(self) does not offer \(format); choose another of the device's formats")
    }
    try change("activeFormat", .format) { state in
      if state.activeFormat != format {
        state.forgetFormat()
        state.activeFormat = format
      }
      return true
    }
  }

  // MARK: Rate

  /// The shortest frame that the stream may have: the inverse of its highest rate. That of the
  /// active format until it is set; invalid where the device does not say. A session keeps its preset,
  /// and chooses the preset's best format that has the rate.
  ///
  /// To assign needs ``lockForConfiguration()``; without, it is as with ``activeFormat``.
  public var activeVideoMinFrameDuration: MediaTime {
    get { frameDuration(\.minFrameDuration) { $0.map(\.minFrameDuration).min() } }
    set { setFrameDuration(\.minFrameDuration, newValue) }
  }

  /// The longest frame that the stream may have: the inverse of its lowest rate.
  public var activeVideoMaxFrameDuration: MediaTime {
    get { frameDuration(\.maxFrameDuration) { $0.map(\.maxFrameDuration).max() } }
    set { setFrameDuration(\.maxFrameDuration, newValue) }
  }

  /// The rate that a session requests: the one that was set, or else the highest of the active
  /// format; nil if the device does not say.
  public var activeFrameRate: FrameRate? {
    let chosen = configuration.withLock { $0.minFrameDuration }
    if chosen.isNumeric { return FrameRate(frameDuration: chosen) }
    return activeFormat?.highestFrameRate
  }

  /// The rate that was set; nil where none was.
  package var chosenFrameRate: FrameRate? {
    FrameRate(frameDuration: configuration.withLock { $0.minFrameDuration })
  }

  /// Chooses the rate of the next stream: both frame durations at once.
  ///
  /// - Throws: ``CaptureError/Code/invalidState`` without ``lockForConfiguration()``,
  ///   ``CaptureError/Code/formatUnavailable`` for a rate that the active format does not offer.
  public func setActiveFrameRate(_ rate: FrameRate) throws(CaptureError) {
    if let format = activeFormat, !format.supports(rate) {
      throw CaptureError(
        .formatUnavailable,
        "\(self) does not offer \(format) at \(rate) frames per second; it has "
          + format.rateSummary)
    }
    let duration = rate.frameDuration
    try change("frame rate", .rate) { state in
      guard state.minFrameDuration != duration || state.maxFrameDuration != duration else {
        return false
      }
      state.minFrameDuration = duration
      state.maxFrameDuration = duration
      return true
    }
  }

  private func frameDuration(
    _ chosen: KeyPath<Configuration, MediaTime>,
    _ standard: ([FrameRateRange]) -> MediaTime?
  ) -> MediaTime {
    let duration = configuration.withLock { $0[keyPath: chosen] }
    if duration.isNumeric { return duration }
    return standard(activeFormat?.videoSupportedFrameRateRanges ?? []) ?? .invalid
  }

  private func setFrameDuration(
    _ chosen: WritableKeyPath<Configuration, MediaTime>, _ duration: MediaTime
  ) {
    do throws(CaptureError) {
      try change("frame duration", .rate) { state in
        guard state[keyPath: chosen] != duration else { return false }
        state[keyPath: chosen] = duration
        return true
      }
    } catch { refuse(error, .rate) }
  }

  /// Keeps what is wrong with an assignment, for the session to tell.
  private func refuse(_ error: CaptureError, _ change: Change) {
    let observers = configuration.withLock { state -> [@Sendable (Change) -> Void] in
      state.refusal = error
      guard state.lockDepth == 0 else {
        state.note(change)
        return []
      }
      return Array(state.observers.values)
    }
    for observer in observers { observer(change) }
  }

  private func change(
    _ what: String, _ change: Change, _ body: (inout Configuration) -> Bool
  ) throws(CaptureError) {
    let isLocked = configuration.withLock { state in
      guard state.lockDepth > 0 else { return false }
      let wasRefused = state.refusal != nil
      state.refusal = nil
      if body(&state) || wasRefused { state.note(change) }
      return true
    }
    guard isLocked else {
      throw CaptureError(
        .invalidState, "\(what) of \(self) changes only between lockForConfiguration and unlock")
    }
  }
}

extension FrameRate {
  /// The rate whose frames last that long; nil unless the duration is a positive number.
  public init?(frameDuration: MediaTime) {
    guard frameDuration.isNumeric, let value = Int32(exactly: frameDuration.value) else {
      return nil
    }
    self.init(frameDuration.timescale, value)
  }
}
