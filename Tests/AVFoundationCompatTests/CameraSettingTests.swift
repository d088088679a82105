import AVFoundationCompat
import Synchronization
import Testing

/// Exposure, focus, white balance and zoom, through Apple's names, on a fake camera.
@Suite struct CameraSettingTests {
  /// A USB camera's controls, with the exposure of a sensor.
  private final class Webcam: CaptureDeviceDriver, CameraControl, SensorControl {
    let values = Mutex<[CameraSetting: Int64]>([
      .exposureMode: 3, .exposureTime: 250, .exposureBias: 1, .automaticWhiteBalance: 1,
      .whiteBalanceTemperature: 4600, .automaticFocus: 1, .focusPosition: 0, .zoom: 100,
    ])
    private let known: [CameraSetting: CameraSettingFacts] = [
      .exposureMode: .init(range: 0...3, choices: [1: "Manual Mode", 3: "Aperture Priority Mode"]),
      .exposureTime: .init(range: 1...10_000),
      .exposureBias: .init(range: 0...2, choices: [0: "-1000", 1: "0", 2: "1500"]),
      .automaticWhiteBalance: .init(range: 0...1), .automaticFocus: .init(range: 0...1),
      .whiteBalanceTemperature: .init(range: 2800...6500, step: 10),
      .focusPosition: .init(range: 0...250, step: 5), .zoom: .init(range: 100...400),
    ]
    let identity = CaptureDevice.Identity(
      uniqueID: "test:webcam", localizedName: "Webcam", mediaType: .video)
    let isConnected = true
    let settlingFrames = 0
    let calibration: SensorCalibration? = nil
    var cameraControl: (any CameraControl)? { self }
    var sensorControl: (any SensorControl)? { self }

    func formats() throws(CaptureError) -> [CaptureDevice.Format] { [] }
    func openStream(_ request: CaptureStreamRequest) throws(CaptureError) -> any CaptureStream {
      throw CaptureError(.deviceNotFound, "it streams nothing")
    }
    func facts(of setting: CameraSetting) throws(CaptureError) -> CameraSettingFacts? {
      known[setting]
    }
    func value(of setting: CameraSetting) throws(CaptureError) -> Int64 {
      guard let value = values.withLock({ $0[setting] }) else {
        throw CaptureError(.invalidArgument, "no \(setting)")
      }
      return value
    }
    func setValue(_ value: Int64, of setting: CameraSetting) throws(CaptureError) {
      guard known[setting]?.range.contains(value) == true else {
        throw CaptureError(.invalidArgument, "no \(setting)")
      }
      values.withLock { $0[setting] = value }
    }
    func exposureLimits() throws(CaptureError) -> ExposureLimits {
      ExposureLimits(duration: 1e-4...1, gain: 1...16)
    }
    private let gain = Mutex(1.0)
    func exposure() throws(CaptureError) -> SensorExposure {
      SensorExposure(
        duration: Double(try value(of: .exposureTime)) / 10_000, gain: gain.withLock { $0 })
    }
    func setExposure(_ exposure: SensorExposure) throws(CaptureError) -> SensorExposure {
      try setValue(1, of: .exposureMode)
      try setValue(Int64((exposure.duration * 10_000).rounded()), of: .exposureTime)
      gain.withLock { $0 = exposure.gain }
      return exposure
    }
  }

  private let webcam = Webcam()
  private let device: AVCaptureDevice

  init() { device = AVCaptureDevice(driver: webcam) }

  private func value(_ setting: CameraSetting) -> Int64? { webcam.values.withLock { $0[setting] } }

  @Test func exposure_settings_reach_the_camera() async throws {
    #expect(device.isExposureModeSupported(.continuousAutoExposure))
    #expect(device.isExposureModeSupported(.locked) && device.isExposureModeSupported(.custom))
    #expect(!device.isExposureModeSupported(.autoExpose))
    #expect(device.exposureMode == .continuousAutoExposure)
    try device.lockForConfiguration()
    device.exposureMode = .locked
    #expect(value(.exposureMode) == 1 && value(.exposureTime) == 250)
    #expect(device.exposureMode == .locked)
    let time = await device.setExposureModeCustom(
      duration: CMTime(value: 1, timescale: 50), iso: 400)
    #expect(time.isNumeric && device.exposureMode == .custom && value(.exposureTime) == 200)
    #expect(device.iso == 400 && device.exposureDuration == CMTime(value: 1, timescale: 50))
    // A value out of range becomes the nearest limit; a "current" value stays.
    await device.setExposureModeCustom(
      duration: CMTime(value: 5, timescale: 1), iso: AVCaptureDevice.currentISO)
    #expect(value(.exposureTime) == 10_000 && device.iso == 400)
    await device.setExposureModeCustom(duration: AVCaptureDevice.currentExposureDuration, iso: 0)
    #expect(value(.exposureTime) == 10_000 && device.iso == 100)
    device.exposureMode = .continuousAutoExposure
    #expect(value(.exposureMode) == 3 && device.exposureMode == .continuousAutoExposure)
    #expect(device.minExposureTargetBias == -1 && device.maxExposureTargetBias == 1.5)
    await device.setExposureTargetBias(1.2)
    #expect(device.exposureTargetBias == 1.5 && value(.exposureBias) == 2)
    await device.setExposureTargetBias(AVCaptureDevice.currentExposureTargetBias)
    #expect(device.exposureTargetBias == 1.5)
    device.unlockForConfiguration()
  }

  @Test func focus_and_zoom_settings_reach_the_camera() async {
    #expect(
      device.isFocusModeSupported(.continuousAutoFocus) && device.focusMode == .continuousAutoFocus)
    #expect(!device.isFocusModeSupported(.autoFocus))
    device.focusMode = .autoFocus
    #expect(device.focusMode == .continuousAutoFocus, "one-shot focus is unsupported")
    #expect(device.isLockingFocusWithCustomLensPositionSupported)
    await device.setFocusModeLocked(lensPosition: 0.2)
    #expect(value(.automaticFocus) == 0 && value(.focusPosition) == 200)
    #expect(device.focusMode == .locked && abs(device.lensPosition - 0.2) < 0.001)
    await device.setFocusModeLocked(lensPosition: AVCaptureDevice.currentLensPosition)
    #expect(value(.focusPosition) == 200)
    #expect(device.maxAvailableVideoZoomFactor == 4 && device.videoZoomFactor == 1)
    device.videoZoomFactor = 2.5
    #expect(value(.zoom) == 250)
    device.ramp(toVideoZoomFactor: 9, withRate: 2)
    #expect(device.videoZoomFactor == 4 && !device.isRampingVideoZoom)
  }

  @Test func white_balance_gains_map_to_a_color_temperature() async {
    #expect(device.whiteBalanceMode == .continuousAutoWhiteBalance)
    #expect(device.isLockingWhiteBalanceWithCustomDeviceGainsSupported)
    for kelvin in [3200, 5600, 6500] as [Float] {
      let gains = device.deviceWhiteBalanceGains(
        for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: kelvin, tint: 0))
      #expect(
        gains.redGain >= 1 && gains.blueGain >= 1 && gains.redGain <= device.maxWhiteBalanceGain)
      await device.setWhiteBalanceModeLocked(with: gains)
      #expect(
        value(.whiteBalanceTemperature) == Int64(kelvin) && value(.automaticWhiteBalance) == 0)
      let reported = device.temperatureAndTintValues(for: device.deviceWhiteBalanceGains)
      #expect(abs(reported.temperature - kelvin) < 1)
    }
    #expect(device.whiteBalanceMode == .locked)
    await device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains)
    #expect(value(.whiteBalanceTemperature) == 6500)
    device.whiteBalanceMode = .continuousAutoWhiteBalance
    #expect(value(.automaticWhiteBalance) == 1)
    #expect(device.powerLineFrequency == nil, "this camera has no such setting")
  }
}
