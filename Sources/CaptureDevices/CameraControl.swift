import MediaCore

/// What can be set on a camera while it streams, as on USB cameras.
public enum CameraSetting: String, Sendable, Hashable, CaseIterable {
  /// How the exposure is set: one of the values of ``CameraExposure``.
  case exposureMode
  /// The exposure time, in units of 100 µs.
  case exposureTime
  /// How much brighter or darker an automatic exposure is to be: a choice, whose names are thousandths of a
  /// stop.
  case exposureBias
  /// Whether the camera finds white by itself: 0 or 1.
  case automaticWhiteBalance
  /// Finds white once; its value means nothing.
  case whiteBalanceOnce
  /// White as a color temperature, in kelvin.
  case whiteBalanceTemperature
  /// Whether the camera focuses by itself, again and again: 0 or 1.
  case automaticFocus
  /// Focuses once; its value means nothing.
  case focusOnce
  /// Where the lens stands: larger values are nearer to the camera. The unit is the camera's own.
  case focusPosition
  /// How far the lens is zoomed in. The unit is the camera's own.
  case zoom
  /// The mains frequency against whose flicker the camera works: a choice, whose values
  /// ``PowerLineFrequency`` has.
  case powerLineFrequency
}

/// How a camera's exposure is set: values of ``CameraSetting/exposureMode``.
public enum CameraExposure: Int64, Sendable, Hashable {
  /// The camera, time and aperture.
  case automatic = 0
  /// The program, time and aperture.
  case manual = 1
  /// The program the time, the camera the aperture.
  case timePriority = 2
  /// The program the aperture, the camera the time: what most USB cameras call automatic.
  case aperturePriority = 3
}

/// The mains frequency that a camera reckons with: values of ``CameraSetting/powerLineFrequency``.
public enum PowerLineFrequency: Int64, Sendable, Hashable, CaseIterable {
  /// None.
  case off = 0
  /// 50 Hz.
  case hertz50 = 1
  /// 60 Hz.
  case hertz60 = 2
  /// Whichever the camera finds.
  case automatic = 3
}

/// What values a camera's setting takes.
public struct CameraSettingFacts: Sendable, Hashable {
  /// The least and the greatest value.
  public var range: ClosedRange<Int64>
  /// The distance between values.
  public var step: Int64
  /// The value after a reset.
  public var defaultValue: Int64
  /// The names of values, where the setting is a choice; empty for others.
  public var choices: [Int64: String]
  /// False where another setting has taken it out of use for now.
  public var isActive: Bool

  /// Facts from their parts.
  public init(
    range: ClosedRange<Int64>, step: Int64 = 1, defaultValue: Int64 = 0,
    choices: [Int64: String] = [:], isActive: Bool = true
  ) {
    self.range = range
    self.step = step
    self.defaultValue = defaultValue
    self.choices = choices
    self.isActive = isActive
  }

  /// The value that is nearest to a number.
  public func nearest(_ number: Double) -> Int64 {
    guard number.isFinite else { return defaultValue }
    let step = Double(max(step, 1))
    let base = Double(range.lowerBound)
    let value = base + ((number - base) / step).rounded() * step
    return Int64(min(max(value, base), Double(range.upperBound)))
  }
}

/// The settings of a camera.
public protocol CameraControl: AnyObject, Sendable {
  /// The values that a setting accepts; nil if the camera does not have it, or does not let it be changed.
  func facts(of setting: CameraSetting) throws(CaptureError) -> CameraSettingFacts?

  /// The value of a setting now.
  func value(of setting: CameraSetting) throws(CaptureError) -> Int64

  /// Sets a setting.
  func setValue(_ value: Int64, of setting: CameraSetting) throws(CaptureError)
}

extension CaptureDevice {
  /// The way to the camera's settings; nil where it has none that can be set. The device is asked, so keep what
  /// you need of it.
  public var cameraControl: (any CameraControl)? { driver.cameraControl }

  /// The mains frequency whose flicker the camera suppresses; nil if unknown. Setting a value that the camera does
  /// not support has no effect.
  public var powerLineFrequency: PowerLineFrequency? {
    get {
      guard let control = cameraControl,
        (try? control.facts(of: .powerLineFrequency)) != nil,
        let value = try? control.value(of: .powerLineFrequency)
      else { return nil }
      return PowerLineFrequency(rawValue: value)
    }
    set {
      guard let newValue, let control = cameraControl,
        let facts = try? control.facts(of: .powerLineFrequency),
        facts.choices[newValue.rawValue] != nil
      else { return }
      try? control.setValue(newValue.rawValue, of: .powerLineFrequency)
    }
  }
}
