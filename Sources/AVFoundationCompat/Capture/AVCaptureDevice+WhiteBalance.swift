public import MediaCore
public import VideoRecorder

/// White balance by the controls of USB cameras, which know color temperatures. Where a device has none each
/// `is…Supported` is false, and what is set changes nothing.
extension CaptureDevice {
  /// True for what the camera can do.
  public func isWhiteBalanceModeSupported(_ whiteBalanceMode: WhiteBalanceMode) -> Bool {
    switch whiteBalanceMode {
    case .continuousAutoWhiteBalance: facts(.automaticWhiteBalance) != nil
    case .autoWhiteBalance: facts(.whiteBalanceOnce) != nil
    case .locked: facts(.automaticWhiteBalance) != nil || facts(.whiteBalanceTemperature) != nil
    }
  }

  /// How white is found: locked, where the camera does not find it by itself.
  public var whiteBalanceMode: WhiteBalanceMode {
    get { value(.automaticWhiteBalance) == 1 ? .continuousAutoWhiteBalance : .locked }
    set {
      guard isWhiteBalanceModeSupported(newValue) else { return }
      switch newValue {
      case .continuousAutoWhiteBalance: set(1, .automaticWhiteBalance)
      case .locked: set(0, .automaticWhiteBalance)
      case .autoWhiteBalance:
        set(0, .automaticWhiteBalance)
        set(1, .whiteBalanceOnce)
      }
    }
  }

  /// False: cameras here do not say.
  public var isAdjustingWhiteBalance: Bool { false }

  /// True where a color temperature can be set.
  public var isLockingWhiteBalanceWithCustomDeviceGainsSupported: Bool {
    facts(.whiteBalanceTemperature) != nil
  }

  /// The temperature at which no color is amplified. Gains stand for temperatures here and for nothing else: red
  /// over blue is the temperature over this one.
  private static let neutral: Float = 5000

  /// 4 where a color temperature can be set, else 1.
  public var maxWhiteBalanceGain: Float {
    isLockingWhiteBalanceWithCustomDeviceGainsSupported ? 4 : 1
  }
  /// The gains that stand for the camera's color temperature; 1 for each color where it does not say.
  public var deviceWhiteBalanceGains: WhiteBalanceGains {
    guard let temperature = value(.whiteBalanceTemperature) else { return WhiteBalanceGains() }
    return deviceWhiteBalanceGains(
      for: WhiteBalanceTemperatureAndTintValues(temperature: Float(temperature), tint: 0))
  }
  /// As ``deviceWhiteBalanceGains``: cameras here do not say what gray would take.
  public var grayWorldDeviceWhiteBalanceGains: WhiteBalanceGains { deviceWhiteBalanceGains }

  /// The gains that stand for a color temperature. Cameras here have no tint.
  public func deviceWhiteBalanceGains(
    for tempAndTintValues: WhiteBalanceTemperatureAndTintValues
  ) -> WhiteBalanceGains {
    guard isLockingWhiteBalanceWithCustomDeviceGainsSupported, tempAndTintValues.temperature > 0
    else { return WhiteBalanceGains() }
    let ratio = tempAndTintValues.temperature / Self.neutral
    return WhiteBalanceGains(redGain: max(ratio, 1), greenGain: 1, blueGain: max(1 / ratio, 1))
  }
  /// 1 for each color, whatever the white: cameras here know temperatures alone.
  public func deviceWhiteBalanceGains(
    for chromaticityValues: WhiteBalanceChromaticityValues
  ) -> WhiteBalanceGains { WhiteBalanceGains() }
  /// The color temperature that gains stand for; 0 where none can be set.
  public func temperatureAndTintValues(
    for whiteBalanceGains: WhiteBalanceGains
  ) -> WhiteBalanceTemperatureAndTintValues {
    guard isLockingWhiteBalanceWithCustomDeviceGainsSupported, whiteBalanceGains.blueGain > 0 else {
      return WhiteBalanceTemperatureAndTintValues()
    }
    return WhiteBalanceTemperatureAndTintValues(
      temperature: Self.neutral * whiteBalanceGains.redGain / whiteBalanceGains.blueGain, tint: 0)
  }
  /// 0 for both: not known.
  public func chromaticityValues(
    for whiteBalanceGains: WhiteBalanceGains
  ) -> WhiteBalanceChromaticityValues { WhiteBalanceChromaticityValues() }

  /// Sets the color temperature that gains stand for; `handler` is called with the time when it was set.
  public func setWhiteBalanceModeLocked(
    with whiteBalanceGains: WhiteBalanceGains, completionHandler handler: ((CMTime) -> Void)? = nil
  ) {
    defer { handler?(CMClock.hostTimeClock.time) }
    set(0, .automaticWhiteBalance)
    guard whiteBalanceGains != Self.currentWhiteBalanceGains,
      let facts = facts(.whiteBalanceTemperature)
    else { return }
    let white = temperatureAndTintValues(for: whiteBalanceGains)
    set(facts.nearest(Double(white.temperature)), .whiteBalanceTemperature)
  }

  /// As ``setWhiteBalanceModeLocked(with:completionHandler:)``.
  ///
  /// - Returns: The time when it was set.
  @discardableResult
  public func setWhiteBalanceModeLocked(
    with whiteBalanceGains: WhiteBalanceGains
  ) async -> CMTime {
    await withCheckedContinuation { continuation in
      setWhiteBalanceModeLocked(with: whiteBalanceGains) { continuation.resume(returning: $0) }
    }
  }
}
