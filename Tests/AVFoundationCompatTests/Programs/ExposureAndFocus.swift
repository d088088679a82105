import AVFoundationCompat

/// A tap on the preview sets focus and exposure at that point, if the camera can.
final class ExposureAndFocus {
  private let device: AVCaptureDevice

  init(device: AVCaptureDevice) { self.device = device }

  @discardableResult
  func focus(
    with focusMode: AVCaptureDevice.FocusMode, exposureMode: AVCaptureDevice.ExposureMode,
    at point: CGPoint, monitor: Bool
  ) throws -> Bool {
    var isDone = false
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    if device.isFocusPointOfInterestSupported && device.isFocusModeSupported(focusMode) {
      device.focusPointOfInterest = point
      device.focusMode = focusMode
      isDone = true
    }
    if device.isExposurePointOfInterestSupported && device.isExposureModeSupported(exposureMode) {
      device.exposurePointOfInterest = point
      device.exposureMode = exposureMode
      isDone = true
    }
    if device.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance) {
      device.whiteBalanceMode = .continuousAutoWhiteBalance
    }
    device.isSubjectAreaChangeMonitoringEnabled = monitor
    return isDone
  }

  func zoom(by factor: CGFloat) throws -> CGFloat {
    let limit = min(device.activeFormat.videoMaxZoomFactor, device.maxAvailableVideoZoomFactor)
    try device.lockForConfiguration()
    device.videoZoomFactor = max(device.minAvailableVideoZoomFactor, min(factor, limit))
    device.unlockForConfiguration()
    return device.videoZoomFactor
  }

  func expose(for seconds: Double) throws -> Bool {
    guard device.isExposureModeSupported(.custom) else { return false }
    let format = device.activeFormat
    let duration = CMTimeClampToRange(
      CMTime(seconds: seconds, preferredTimescale: 1_000_000),
      range: CMTimeRange(start: format.minExposureDuration, end: format.maxExposureDuration))
    try device.lockForConfiguration()
    device.setExposureModeCustom(
      duration: duration, iso: max(format.minISO, min(400, format.maxISO)), completionHandler: nil)
    device.unlockForConfiguration()
    return true
  }

  func light(_ isOn: Bool) throws -> Bool {
    guard device.hasTorch, device.isTorchAvailable, device.isTorchModeSupported(.on) else {
      return false
    }
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    if isOn {
      try device.setTorchModeOn(level: AVCaptureDevice.maxAvailableTorchLevel)
    } else {
      device.torchMode = .off
    }
    return true
  }

  func setTemperature(_ kelvin: Float) throws -> Bool {
    guard device.isLockingWhiteBalanceWithCustomDeviceGainsSupported else { return false }
    let values = AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: kelvin, tint: 0)
    var gains = device.deviceWhiteBalanceGains(for: values)
    gains.redGain = max(1, min(gains.redGain, device.maxWhiteBalanceGain))
    try device.lockForConfiguration()
    device.setWhiteBalanceModeLocked(with: gains, completionHandler: nil)
    device.unlockForConfiguration()
    return true
  }

  static func run() async throws {
    let device = try AVCaptureDevice.testCamera()
    let controls = ExposureAndFocus(device: device)
    let done = try controls.focus(
      with: .autoFocus, exposureMode: .autoExpose, at: CGPoint(x: 0.2, y: 0.8), monitor: true)
    expect(!done && device.focusMode == .locked, "a pattern is focused")
    expect(try controls.zoom(by: 4) == 1, "a pattern is zoomed")
    expect(try !controls.expose(for: 0.01), "a pattern is exposed")
    expect(try !controls.light(true) && !device.isTorchActive, "there is a torch")
    expect(try !controls.setTemperature(5600), "a pattern has a white balance")
    let bias = min(max(1, device.minExposureTargetBias), device.maxExposureTargetBias)
    await device.setExposureTargetBias(bias)
    expect(device.exposureTargetBias == 0 && device.exposureTargetOffset == 0, "the bias is set")
    expect(device.iso >= 0 && device.lensAperture >= 0, "there is a negative aperture")
  }
}
