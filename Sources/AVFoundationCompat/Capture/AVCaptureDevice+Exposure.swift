public import MediaCore
import Synchronization
public import VideoRecorder

/// A camera's settings, as far as it has them; those that it has not come to nothing.
extension CaptureDevice {
  /// What values a setting takes; nil where the camera has it not.
  func facts(_ setting: CameraSetting) -> CameraSettingFacts? {
    try? cameraControl?.facts(of: setting)
  }

  /// The value of a setting; nil where the camera has it not.
  func value(_ setting: CameraSetting) -> Int64? { try? cameraControl?.value(of: setting) }

  /// Sets a setting, and says whether the camera took it.
  @discardableResult
  func set(_ value: Int64, _ setting: CameraSetting) -> Bool {
    guard let control = cameraControl else { return false }
    return (try? control.setValue(value, of: setting)) != nil
  }
}

/// Exposure by the controls of USB cameras and of sensors. Where a device has none each `is…Supported` is false,
/// and what is set changes nothing.
extension CaptureDevice {
  /// The ways in which the camera sets the exposure by itself, the usual one first.
  private var automaticExposure: CameraExposure? {
    guard let choices = facts(.exposureMode)?.choices else { return nil }
    return [CameraExposure.aperturePriority, .automatic].first { choices[$0.rawValue] != nil }
  }

  private var hasManualExposure: Bool {
    facts(.exposureMode)?.choices[CameraExposure.manual.rawValue] != nil
  }

  /// True for what the camera can do: continuous where it sets the exposure by itself, locked and custom where the
  /// program can. A sensor without an automatic has custom alone. Measuring once is not there.
  public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
    switch exposureMode {
    case .continuousAutoExposure: automaticExposure != nil
    case .locked: hasManualExposure
    case .custom: exposureLimits != nil
    case .autoExpose: false
    }
  }

  /// How the exposure is set: locked, where the camera does not say.
  public var exposureMode: ExposureMode {
    get {
      let isCustom = configuration.withLock { $0.hasCustomExposure }
      guard let mode = value(.exposureMode).flatMap(CameraExposure.init(rawValue:)) else {
        return isCustom ? .custom : .locked
      }
      guard mode == .manual else { return .continuousAutoExposure }
      return isCustom ? .custom : .locked
    }
    set {
      guard isExposureModeSupported(newValue) else { return }
      switch newValue {
      case .continuousAutoExposure:
        if let mode = automaticExposure { set(mode.rawValue, .exposureMode) }
      case .locked, .custom:
        // Some cameras go back to the time that was set by hand last.
        let time = value(.exposureTime)
        set(CameraExposure.manual.rawValue, .exposureMode)
        if let time { set(time, .exposureTime) }
      case .autoExpose: return
      }
      configuration.withLock { $0.hasCustomExposure = newValue == .custom }
    }
  }

  /// False: cameras here measure where they like.
  public var isExposurePointOfInterestSupported: Bool { false }
  /// False: cameras here do not say.
  public var isAdjustingExposure: Bool { false }

  /// The exposure time as the camera tells it; invalid where it does not. A sensor's is also part of its samples
  /// (`sourceFacts`).
  public var exposureDuration: CMTime {
    guard let exposure = try? sensorControl?.exposure() else { return .invalid }
    return CMTime(seconds: exposure.duration, preferredTimescale: 1_000_000)
  }

  /// The sensitivity: a gain of 1 is 100 where no calibration says otherwise; 0 where not known.
  public var iso: Float {
    guard let exposure = try? sensorControl?.exposure() else { return 0 }
    return Float(exposure.gain * baseISO)
  }

  private var baseISO: Double { Double(sensorControl?.calibration?.baseISO ?? 100) }

  /// Sets time and sensitivity by hand; what is beyond the camera's limits becomes the nearest that is not.
  ///
  /// - Parameters:
  ///   - duration: The time; ``currentExposureDuration`` for what it is.
  ///   - iso: The sensitivity; ``currentISO`` for what it is.
  ///   - handler: Called with the time when it was set.
  public func setExposureModeCustom(
    duration: CMTime, iso: Float, completionHandler handler: ((CMTime) -> Void)? = nil
  ) {
    defer { handler?(CMClock.hostTimeClock.time) }
    guard let control = sensorControl, let limits = try? control.exposureLimits(),
      let present = try? control.exposure()
    else { return }
    func nearest(_ value: Double, _ span: ClosedRange<Double>) -> Double {
      min(max(value.isFinite ? value : 0, span.lowerBound), span.upperBound)
    }
    let seconds = duration.isNumeric ? duration.seconds : present.duration
    let gain = iso == Self.currentISO ? present.gain : Double(iso) / baseISO
    let wanted = SensorExposure(
      duration: nearest(seconds, limits.duration), gain: nearest(gain, limits.gain))
    guard (try? control.setExposure(wanted)) != nil else { return }
    configuration.withLock { $0.hasCustomExposure = true }
  }

  /// As ``setExposureModeCustom(duration:iso:completionHandler:)``.
  ///
  /// - Returns: The time when it was set.
  @discardableResult
  public func setExposureModeCustom(duration: CMTime, iso: Float) async -> CMTime {
    await withCheckedContinuation { continuation in
      setExposureModeCustom(duration: duration, iso: iso) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Bias

  /// The biases that the camera offers, in stops, by their values; nil where it offers none.
  private var biases: [Int64: Float]? {
    facts(.exposureBias)?.choices.compactMapValues { Float($0).map { $0 / 1000 } }
  }

  /// How much brighter or darker, in stops, the camera exposes by itself; 0 where it cannot be told.
  public var exposureTargetBias: Float { value(.exposureBias).flatMap { biases?[$0] } ?? 0 }
  /// The least bias; 0 where there is none.
  public var minExposureTargetBias: Float { biases?.values.min() ?? 0 }
  /// The greatest bias; 0 where there is none.
  public var maxExposureTargetBias: Float { biases?.values.max() ?? 0 }

  /// Sets the bias that is nearest to one; `handler` is called with the time when it was set.
  public func setExposureTargetBias(
    _ bias: Float, completionHandler handler: ((CMTime) -> Void)? = nil
  ) {
    defer { handler?(CMClock.hostTimeClock.time) }
    guard bias.isFinite, bias != Self.currentExposureTargetBias, let biases else { return }
    let nearest = biases.min { ($0.value - bias).magnitude < ($1.value - bias).magnitude }
    if let nearest { set(nearest.key, .exposureBias) }
  }

  /// As ``setExposureTargetBias(_:completionHandler:)``.
  ///
  /// - Returns: The time when it was set.
  @discardableResult
  public func setExposureTargetBias(_ bias: Float) async -> CMTime {
    await withCheckedContinuation { continuation in
      setExposureTargetBias(bias) { continuation.resume(returning: $0) }
    }
  }
}
