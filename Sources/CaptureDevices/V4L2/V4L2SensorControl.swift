import CVideo4Linux
public import MediaCore

/// The exposure and gain of a V4L2 camera, through the controls of the device or of its sensor's
/// sub-device.
///
/// The kernel has two ways to state an exposure: in units of 100 µs (USB cameras), and in lines of
/// the sensor, whose length follows from its pixel rate, width and horizontal blanking. Gains have no
/// unit at all: here they count in steps of the least one above zero, as linear sensors have it.
public final class V4L2SensorControl: SensorControl {
  private let open: @Sendable () throws(CaptureError) -> [V4L2Handle]
  private let width: @Sendable () throws(CaptureError) -> Int

  /// - Parameters:
  ///   - open: Opens the device, and its sub-device before it where there is one.
  ///   - width: Pixels of the sensor's row in the present format.
  init(
    open: @escaping @Sendable () throws(CaptureError) -> [V4L2Handle],
    width: @escaping @Sendable () throws(CaptureError) -> Int
  ) {
    self.open = open
    self.width = width
  }

  /// Numbers of controls, as videodev2.h has them.
  private enum Number {
    static let exposureAuto: UInt32 = 0x009A_0901
    static let exposureAbsolute: UInt32 = 0x009A_0902
    static let exposure: UInt32 = 0x0098_0911
    static let gain: UInt32 = 0x0098_0913
    static let analogueGain: UInt32 = 0x009E_0903
    static let horizontalBlanking: UInt32 = 0x009E_0902
    static let pixelRate: UInt32 = 0x009F_0902
  }

  /// A control and the node that has it.
  private struct Found {
    let handle: V4L2Handle
    let control: V4L2Control
  }

  private struct Controls {
    var exposure: Found
    var secondsPerUnit: Double
    var gain: Found?
    var automatic: Found?

    /// Those that can be set, in the order in which they are restored.
    var settable: [Found] {
      [exposure, gain, automatic].compactMap(\.self).filter { !$0.control.isReadOnly }
    }

    /// The code of a gain of 1.
    var unity: Double { Double(max(gain?.control.range.lowerBound ?? 1, 1)) }
  }

  private func controls() throws(CaptureError) -> Controls {
    var found: [UInt32: Found] = [:]
    var nodes: [String] = []
    for handle in try open() {
      nodes.append(handle.node)
      for control in try handle.controls() where found[control.id] == nil {
        found[control.id] = Found(handle: handle, control: control)
      }
    }
    let gain = found[Number.analogueGain] ?? found[Number.gain]
    let automatic = found[Number.exposureAuto]
    if let exposure = found[Number.exposureAbsolute] {
      return Controls(
        exposure: exposure, secondsPerUnit: 1e-4, gain: gain, automatic: automatic)
    }
    if let exposure = found[Number.exposure], let rate = found[Number.pixelRate] {
      let blanking = try found[Number.horizontalBlanking].map { (item) throws(CaptureError) in
        try item.handle.value(ofControl: item.control.id)
      }
      let pixels = try rate.handle.value(ofControl: rate.control.id)
      if pixels > 0 {
        let line = (Double(try width()) + Double(blanking ?? 0)) / Double(pixels)
        return Controls(
          exposure: exposure, secondsPerUnit: line, gain: gain, automatic: automatic)
      }
    }
    throw CaptureError(
      .invalidState,
      "\(nodes.joined(separator: " and ")) have no control of exposure; name the sensor's "
        + "sub-device, or set the exposure at the camera")
  }

  /// The spans of the controls, in seconds and as a factor.
  ///
  /// - Throws: ``CaptureError/Code/invalidState`` if the device has no exposure control.
  public func exposureLimits() throws(CaptureError) -> ExposureLimits {
    let controls = try controls()
    let span = controls.exposure.control.range
    let least = Double(max(span.lowerBound, 1)) * controls.secondsPerUnit
    let most = Double(max(span.upperBound, 1)) * controls.secondsPerUnit
    let gain = controls.gain.map {
      1...max(Double($0.control.range.upperBound) / controls.unity, 1)
    }
    return ExposureLimits(duration: least...max(most, least), gain: gain ?? 1...1)
  }

  /// What the controls say now.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or fails.
  public func exposure() throws(CaptureError) -> SensorExposure {
    let controls = try controls()
    return try read(controls)
  }

  private func read(_ controls: Controls) throws(CaptureError) -> SensorExposure {
    let exposure = controls.exposure
    let units = try exposure.handle.value(ofControl: exposure.control.id)
    var gain = 1.0
    if let found = controls.gain {
      let code = try found.handle.value(ofControl: found.control.id)
      gain = max(Double(code) / controls.unity, 1)
    }
    return SensorExposure(duration: Double(max(units, 1)) * controls.secondsPerUnit, gain: gain)
  }

  /// Sets the controls, automatic exposure off, and reads back what the driver made of them.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or refuses the values.
  public func setExposure(
    _ exposure: SensorExposure
  ) throws(CaptureError) -> SensorExposure {
    let controls = try controls()
    if let automatic = controls.automatic, !automatic.control.isReadOnly {
      // 1 is V4L2_EXPOSURE_MANUAL.
      try automatic.handle.setValue(1, ofControl: automatic.control.id)
    }
    try set(controls.exposure, exposure.duration / controls.secondsPerUnit)
    if let gain = controls.gain { try set(gain, exposure.gain * controls.unity) }
    return try read(controls)
  }

  /// The values of the controls of exposure, gain and automatic exposure.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or fails.
  public func settings() throws(CaptureError) -> SensorSettings {
    let controls = try controls()
    var settings = SensorSettings(exposure: try read(controls))
    for found in controls.settable {
      settings.controls[found.control.id] = try found.handle.value(ofControl: found.control.id)
    }
    return settings
  }

  /// Sets the controls to earlier values, automatic exposure last, because it takes the others out of use.
  ///
  /// - Throws: The first ``CaptureError``. The remaining controls are set all the same.
  public func restore(_ settings: SensorSettings) throws(CaptureError) {
    var failure: CaptureError?
    for found in try controls().settable {
      guard let value = settings.controls[found.control.id] else { continue }
      do throws(CaptureError) {
        try found.handle.setValue(value, ofControl: found.control.id)
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func set(_ found: Found, _ value: Double) throws(CaptureError) {
    let range = found.control.range
    let step = Double(max(found.control.step, 1))
    let base = Double(range.lowerBound)
    let nearest = base + ((value - base) / step).rounded() * step
    let bounded = min(max(nearest, base), Double(range.upperBound))
    try found.handle.setValue(Int64(saturating: bounded), ofControl: found.control.id)
  }

  /// Three: sensors take a change over one or two frames later, and one may be on its way.
  public var settlingFrames: Int { 3 }

  /// Nil: V4L2 does not describe levels and colors.
  public var calibration: SensorCalibration? { nil }
}
