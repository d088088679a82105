public import MediaCore
import Synchronization
public import VideoRecorder

/// Access to a camera's settings. A missing setting has no value, and setting it has no effect.
extension CaptureDevice {
  /// The values that a setting accepts; nil if the camera does not have it.
  func facts(_ setting: CameraSetting) -> CameraSettingFacts? {
    try? cameraControl?.facts(of: setting)
  }

  /// The value of a setting; nil if the camera does not have it.
  func value(_ setting: CameraSetting) -> Int64? { try? cameraControl?.value(of: setting) }

  /// Changes a setting; true if the camera accepted the value.
  @discardableResult
  func set(_ value: Int64, _ setting: CameraSetting) -> Bool {
    guard let control = cameraControl else { return false }
    return (try? control.setValue(value, of: setting)) != nil
  }
}

/// Exposure with the controls of USB cameras and sensors. If a device has none, each `is…Supported` is false, and
/// setting a value has no effect.
extension CaptureDevice {
  /// The camera's automatic exposure mode, aperture priority preferred; nil if it has none.
  private var automaticExposure: CameraExposure? {
    guard let choices = facts(.exposureMode)?.choices else { return nil }
    return [CameraExposure.aperturePriority, .automatic].first { choices[$0.rawValue] != nil }
  }

  private var hasManualExposure: Bool {
    facts(.exposureMode)?.choices[CameraExposure.manual.rawValue] != nil
  }

  /// True if the camera supports the mode: continuous if it has automatic exposure, locked and custom if the program
  /// can set exposure. A sensor without automatic exposure supports only custom. Single auto exposure is never
  /// supported.
  public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
    switch exposureMode {
    case .continuousAutoExposure: automaticExposure != nil
    case .locked: hasManualExposure
    case .custom: exposureLimits != nil
    case .autoExpose: false
    }
  }

  /// The exposure mode; locked if the camera does not report it.
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
        // Some cameras return to the last manual exposure time.
        let time = value(.exposureTime)
        set(CameraExposure.manual.rawValue, .exposureMode)
        if let time { set(time, .exposureTime) }
      case .autoExpose: return
      }
      configuration.withLock { $0.hasCustomExposure = newValue == .custom }
    }
  }

  /// False: cameras here choose the metering area themselves.
  public var isExposurePointOfInterestSupported: Bool { false }
  /// False: cameras here do not report it.
  public var isAdjustingExposure: Bool { false }

  /// The exposure time that the camera reports; invalid if it does not. A sensor's is also part of its samples
  /// (`sourceFacts`).
  public var exposureDuration: CMTime {
    guard let exposure = try? sensorControl?.exposure() else { return .invalid }
    return CMTime(seconds: exposure.duration, preferredTimescale: 1_000_000)
  }

  /// The sensitivity: a gain of 1 is ISO 100 unless a calibration gives another value; 0 if unknown.
  public var iso: Float {
    guard let exposure = try? sensorControl?.exposure() else { return 0 }
    return Float(exposure.gain * baseISO)
  }

  private var baseISO: Double { Double(sensorControl?.calibration?.baseISO ?? 100) }

  /// Sets exposure time and sensitivity, clamped to the camera's limits.
  ///
  /// - Parameters:
  ///   - duration: The exposure time; ``currentExposureDuration`` to keep it.
  ///   - iso: The sensitivity; ``currentISO`` to keep it.
  ///   - handler: Called with the host time at which the values were set.
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
  /// - Returns: The host time at which the values were set.
  @discardableResult
  public func setExposureModeCustom(duration: CMTime, iso: Float) async -> CMTime {
    await withCheckedContinuation { continuation in
      setExposureModeCustom(duration: duration, iso: iso) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Bias

  /// The exposure biases that the camera offers, in stops, by setting value; nil if it offers none.
  private var biases: [Int64: Float]? {
    facts(.exposureBias)?.choices.compactMapValues { Float($0).map { $0 / 1000 } }
  }

  /// The bias of automatic exposure, in stops; 0 if unknown.
  public var exposureTargetBias: Float { value(.exposureBias).flatMap { biases?[$0] } ?? 0 }
  /// The minimum bias; 0 if the camera has none.
  public var minExposureTargetBias: Float { biases?.values.min() ?? 0 }
  /// The maximum bias; 0 if the camera has none.
  public var maxExposureTargetBias: Float { biases?.values.max() ?? 0 }

  /// Sets the closest available bias; `handler` is called with the host time at which it was set.
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
  /// - Returns: The host time at which the values were set.
  @discardableResult
  public func setExposureTargetBias(_ bias: Float) async -> CMTime {
    await withCheckedContinuation { continuation in
      setExposureTargetBias(bias) { continuation.resume(returning: $0) }
    }
  }
}
