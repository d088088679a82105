public import MediaCore
public import VideoRecorder

/// White balance with the controls of USB cameras, which use color temperatures. If a device has none, each
/// `is…Supported` is false, and setting a value has no effect.
extension CaptureDevice {
  /// True if the camera supports the mode.
  public func isWhiteBalanceModeSupported(_ whiteBalanceMode: WhiteBalanceMode) -> Bool {
    switch whiteBalanceMode {
    case .continuousAutoWhiteBalance: facts(.automaticWhiteBalance) != nil
    case .autoWhiteBalance: facts(.whiteBalanceOnce) != nil
    case .locked: facts(.automaticWhiteBalance) != nil || facts(.whiteBalanceTemperature) != nil
    }
  }

  /// The white balance mode; locked if the camera has no automatic white balance.
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

  /// False: cameras here do not report it.
  public var isAdjustingWhiteBalance: Bool { false }

  /// True if a color temperature can be set.
  public var isLockingWhiteBalanceWithCustomDeviceGainsSupported: Bool {
    facts(.whiteBalanceTemperature) != nil
  }

  /// The temperature, in kelvins, at which no color is amplified. Gains only represent temperatures here: red divided
  /// by blue is the temperature divided by this one.
  private static let neutral: Float = 5000

  /// 4 if a color temperature can be set, otherwise 1.
  public var maxWhiteBalanceGain: Float {
    isLockingWhiteBalanceWithCustomDeviceGainsSupported ? 4 : 1
  }
  /// The gains for the camera's color temperature; 1 for each color if it is unknown.
  public var deviceWhiteBalanceGains: WhiteBalanceGains {
    guard let temperature = value(.whiteBalanceTemperature) else { return WhiteBalanceGains() }
    return deviceWhiteBalanceGains(
      for: WhiteBalanceTemperatureAndTintValues(temperature: Float(temperature), tint: 0))
  }
  /// As ``deviceWhiteBalanceGains``: cameras here do not report gray world gains.
  public var grayWorldDeviceWhiteBalanceGains: WhiteBalanceGains { deviceWhiteBalanceGains }

  /// The gains for a color temperature. Cameras here have no tint.
  public func deviceWhiteBalanceGains(
    for tempAndTintValues: WhiteBalanceTemperatureAndTintValues
  ) -> WhiteBalanceGains {
    guard isLockingWhiteBalanceWithCustomDeviceGainsSupported, tempAndTintValues.temperature > 0
    else { return WhiteBalanceGains() }
    let ratio = tempAndTintValues.temperature / Self.neutral
    return WhiteBalanceGains(redGain: max(ratio, 1), greenGain: 1, blueGain: max(1 / ratio, 1))
  }
  /// 1 for each color: cameras here support only temperatures.
  public func deviceWhiteBalanceGains(
    for chromaticityValues: WhiteBalanceChromaticityValues
  ) -> WhiteBalanceGains { WhiteBalanceGains() }
  /// The color temperature for the given gains; 0 if none can be set.
  public func temperatureAndTintValues(
    for whiteBalanceGains: WhiteBalanceGains
  ) -> WhiteBalanceTemperatureAndTintValues {
    guard isLockingWhiteBalanceWithCustomDeviceGainsSupported, whiteBalanceGains.blueGain > 0 else {
      return WhiteBalanceTemperatureAndTintValues()
    }
    return WhiteBalanceTemperatureAndTintValues(
      temperature: Self.neutral * whiteBalanceGains.redGain / whiteBalanceGains.blueGain, tint: 0)
  }
  /// 0 for both: unknown.
  public func chromaticityValues(
    for whiteBalanceGains: WhiteBalanceGains
  ) -> WhiteBalanceChromaticityValues { WhiteBalanceChromaticityValues() }

  /// Sets the color temperature for the given gains; `handler` is called with the host time at which it was set.
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
  /// - Returns: The host time at which it was set.
  @discardableResult
  public func setWhiteBalanceModeLocked(
    with whiteBalanceGains: WhiteBalanceGains
  ) async -> CMTime {
    await withCheckedContinuation { continuation in
      setWhiteBalanceModeLocked(with: whiteBalanceGains) { continuation.resume(returning: $0) }
    }
  }
}
