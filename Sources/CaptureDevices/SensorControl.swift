public import MediaCore

/// The exposure of a camera whose sensor can be told what to do.
public protocol SensorControl: AnyObject, Sendable {
  /// What exposures the sensor takes.
  func exposureLimits() throws(CaptureError) -> ExposureLimits

  /// The exposure that the sensor is set to.
  func exposure() throws(CaptureError) -> SensorExposure

  /// Sets the exposure, and says what the sensor made of it.
  func setExposure(_ exposure: SensorExposure) throws(CaptureError) -> SensorExposure

  /// Everything that ``setExposure(_:)`` may change, as it is now.
  func settings() throws(CaptureError) -> SensorSettings

  /// Sets what an earlier ``settings()`` returned, an automatic exposure included.
  func restore(_ settings: SensorSettings) throws(CaptureError)

  /// Frames that may still be of the old exposure after a change, where the frames themselves do
  /// not say what exposure they are of.
  var settlingFrames: Int { get }

  /// Suspends or wakes the sensor. A suspended sensor captures no frames, and none count as lost. A
  /// sensor that costs nothing while its frames are unused need not do anything.
  func setResting(_ isResting: Bool)

  /// The device's own calibration of its sensor; nil if it has none.
  var calibration: SensorCalibration? { get }
}

extension SensorControl {
  /// Does nothing: the sensor keeps running.
  public func setResting(_ isResting: Bool) {}

  /// The exposure alone: the sensor has no automatic exposure.
  ///
  /// - Throws: What ``exposure()`` throws.
  public func settings() throws(CaptureError) -> SensorSettings {
    SensorSettings(exposure: try exposure())
  }

  /// Sets the exposure.
  ///
  /// - Throws: What ``setExposure(_:)`` throws.
  public func restore(_ settings: SensorSettings) throws(CaptureError) {
    _ = try setExposure(settings.exposure)
  }
}

/// What a sensor is set to, for ``SensorControl/restore(_:)``.
public struct SensorSettings: Sendable, Hashable {
  /// The exposure.
  public var exposure: SensorExposure
  /// Values of the driver's own controls, by their numbers.
  package var controls: [UInt32: Int64] = [:]

  /// The settings of a sensor that has only an exposure.
  public init(exposure: SensorExposure) { self.exposure = exposure }
}

/// The exposures that a sensor takes.
public struct ExposureLimits: Sendable, Hashable {
  /// Exposure times, in seconds.
  public var duration: ClosedRange<Double>
  /// Gains, as factors; 1 is the sensor's base sensitivity.
  public var gain: ClosedRange<Double>

  /// Limits from their spans.
  public init(duration: ClosedRange<Double>, gain: ClosedRange<Double>) {
    self.duration = duration
    self.gain = gain
  }

  /// True for an exposure that the sensor takes, but for rounding.
  public func contains(_ exposure: SensorExposure) -> Bool {
    let slack = 1e-6
    return exposure.duration >= duration.lowerBound * (1 - slack)
      && exposure.duration <= duration.upperBound * (1 + slack)
      && exposure.gain >= gain.lowerBound * (1 - slack)
      && exposure.gain <= gain.upperBound * (1 + slack)
  }
}

extension CaptureDevice {
  /// The way to the sensor's exposure; nil where the device has none.
  public var sensorControl: (any SensorControl)? { driver.sensorControl }

  /// What exposures the device takes; nil where it has no control of them, or does not answer.
  public var exposureLimits: ExposureLimits? { try? driver.sensorControl?.exposureLimits() }

  /// Sets duration and gain by hand, as Apple's `setExposureModeCustom(duration:iso:)` does, and
  /// says what the device made of them.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument`` for an exposure beyond the limits,
  ///   ``CaptureError/Code/invalidState`` where the device has no control of its exposure.
  @discardableResult
  public func setExposureModeCustom(
    _ exposure: SensorExposure
  ) throws(CaptureError) -> SensorExposure {
    guard let control = driver.sensorControl else {
      throw CaptureError(
        .invalidState, "\(self) cannot set its exposure; set it at the camera")
    }
    let limits = try control.exposureLimits()
    guard limits.contains(exposure) else {
      throw CaptureError(
        .invalidArgument,
        "\(self) does not expose for \(exposure.duration.text(significantDigits: 3)) s at a gain of "
          + "\(exposure.gain.text(significantDigits: 3)); it takes \(limits.duration.text) s and gains of "
          + limits.gain.text)
    }
    return try control.setExposure(exposure)
  }
}
