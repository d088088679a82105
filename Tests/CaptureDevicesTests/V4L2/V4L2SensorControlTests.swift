import CVideo4Linux
import MediaCore
import Synchronization
import SystemPackage
import Testing

@testable import CaptureDevices

/// Exposure and gain through cameras' controls, by the numbers of videodev2.h.
@Suite struct V4L2SensorControlTests {
  private enum Number {
    static let exposureAuto: UInt32 = 0x009A_0901
    static let exposureAbsolute: UInt32 = 0x009A_0902
    static let exposure: UInt32 = 0x0098_0911
    static let gain: UInt32 = 0x0098_0913
    static let analogueGain: UInt32 = 0x009E_0903
    static let horizontalBlanking: UInt32 = 0x009E_0902
    static let pixelRate: UInt32 = 0x009F_0902
  }

  private func device(_ kernel: FakeKernel) throws -> CaptureDevice {
    CaptureDevice(driver: try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel))
  }

  /// Like USB cameras: exposure in units of 100 µs, and an automatic exposure that must be off.
  private func webcam() -> FakeKernel {
    var camera = FakeDevice()
    camera.controls = [
      Number.exposureAuto: .init(type: V4L2_CTRL_TYPE_MENU, range: 0...3, value: 3),
      Number.exposureAbsolute: .init(range: 3...2047, value: 250),
      Number.gain: .init(range: 0...255, step: 5, value: 0),
    ]
    return FakeKernel(["/dev/video0": camera])
  }

  @Test func a_usb_cameras_exposure_is_in_units_of_a_hundred_microseconds() throws {
    let kernel = webcam()
    let camera = try device(kernel)
    let limits = try #require(camera.exposureLimits)
    #expect(abs(limits.duration.lowerBound - 3e-4) < 1e-12)
    #expect(abs(limits.duration.upperBound - 0.2047) < 1e-12)
    #expect(limits.gain == 1...255)
    let control = try #require(camera.sensorControl)
    #expect(try control.exposure() == SensorExposure(duration: 0.025, gain: 1))

    let made = try camera.setExposureModeCustom(SensorExposure(duration: 1.0 / 125, gain: 12))
    // Gain has steps of five.
    #expect(made == SensorExposure(duration: 0.008, gain: 10))
    #expect(kernel.read { $0.controls[Number.exposureAbsolute]?.value } == 80)
    #expect(kernel.read { $0.controls[Number.gain]?.value } == 10)
    #expect(kernel.read { $0.controls[Number.exposureAuto]?.value } == 1, "manual")
  }

  @Test func automatic_exposure_and_values_without_a_factor_are_restored() throws {
    let kernel = webcam()
    let control = try #require(try device(kernel).sensorControl)
    let before = kernel.read { $0.controls.mapValues(\.value) }
    let settings = try control.settings()
    #expect(settings.exposure == SensorExposure(duration: 0.025, gain: 1))
    _ = try control.setExposure(SensorExposure(duration: 0.008, gain: 10))
    #expect(kernel.read { $0.controls.mapValues(\.value) } != before)
    try control.restore(settings)
    #expect(kernel.read { $0.controls.mapValues(\.value) } == before)
  }

  @Test func a_control_that_cannot_be_restored_leaves_no_other_changed() throws {
    let kernel = webcam()
    let control = try #require(try device(kernel).sensorControl)
    let settings = try control.settings()
    _ = try control.setExposure(SensorExposure(duration: 0.008, gain: 10))
    let calls = kernel.state.withLock { $0.counts[V4L2Request.setControls.name] ?? 0 }
    kernel.state.withLock {
      $0.faults.append(
        .init(call: V4L2Request.setControls.name, occurrence: calls + 1, error: .ioError))
    }
    #expect(throws: CaptureError.self) { try control.restore(settings) }
    #expect(kernel.read { $0.controls[Number.gain]?.value } == 0)
    #expect(kernel.read { $0.controls[Number.exposureAuto]?.value } == 3)
  }

  @Test func a_control_with_a_64_bit_range_can_be_set_to_its_maximum() throws {
    var camera = FakeDevice()
    let wide = V4L2_CTRL_TYPE_INTEGER64
    camera.controls = [Number.exposureAbsolute: .init(type: wide, range: 1...Int64.max, value: 1)]
    let kernel = FakeKernel(["/dev/video0": camera])
    let control = try #require(try device(kernel).sensorControl)
    let longest = try control.exposureLimits().duration.upperBound
    _ = try control.setExposure(SensorExposure(duration: longest, gain: 1))
    #expect(kernel.read { $0.controls[Number.exposureAbsolute]?.value } == .max)
    kernel.change {
      $0.controls = [
        Number.exposure: .init(range: 1...100, value: 1),
        Number.horizontalBlanking: .init(type: wide, range: 1...Int64.max, value: .max),
        Number.pixelRate: .init(type: wide, range: 1...Int64.max, value: 1 << 40),
      ]
    }
    let limits = try #require(try device(kernel).sensorControl).exposureLimits()
    #expect(abs(limits.duration.lowerBound / 8_388_608 - 1) < 1e-6)
  }

  @Test func unsupported_exposures_are_refused_without_effect() throws {
    let kernel = webcam()
    let camera = try device(kernel)
    for exposure in [
      SensorExposure(duration: 1, gain: 1), SensorExposure(duration: 1e-5, gain: 1),
      SensorExposure(duration: 0.01, gain: 300), SensorExposure(duration: .nan, gain: 1),
      SensorExposure(duration: 0.01, gain: .infinity),
    ] {
      let error = #expect(throws: CaptureError.self) {
        try camera.setExposureModeCustom(exposure)
      }
      #expect(error?.code == .invalidArgument, "\(exposure)")
    }
    #expect(kernel.read { $0.controls[Number.exposureAuto]?.value } == 3)
    #expect(kernel.read { $0.controls[Number.exposureAbsolute]?.value } == 250)
  }

  @Test func a_sensors_exposure_is_set_in_lines_on_its_subdevice() throws {
    var sensor = FakeDevice()
    sensor.controls = [
      Number.exposure: .init(range: 4...3200, value: 1000),
      Number.analogueGain: .init(range: 16...256, value: 16),
      Number.horizontalBlanking: .init(
        range: 136...136, flags: V4L2_CTRL_FLAG_READ_ONLY, value: 136),
      Number.pixelRate: .init(
        type: V4L2_CTRL_TYPE_INTEGER64, range: 1...(1 << 40), flags: V4L2_CTRL_FLAG_READ_ONLY,
        value: 20_000_000),
    ]
    let kernel = FakeKernel(["/dev/video0": FakeDevice(), "/dev/v4l-subdev0": sensor])
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    #expect(driver.sensorControl == nil, "the device itself has no such controls")
    driver.sensorSubdevice = "/dev/v4l-subdev0"
    let control = try #require(driver.sensorControl)
    // A line is 64 + 136 pixels, or ten microseconds.
    let exposure = try control.exposure()
    #expect(abs(exposure.duration - 0.01) < 1e-12 && exposure.gain == 1)
    let limits = try control.exposureLimits()
    #expect(abs(limits.duration.upperBound - 0.032) < 1e-12 && limits.gain == 1...16)
    let made = try control.setExposure(SensorExposure(duration: 0.002504, gain: 2.5))
    #expect(abs(made.duration - 0.0025) < 1e-12 && made.gain == 2.5)
    let codes = kernel.read("/dev/v4l-subdev0") {
      [$0.controls[Number.exposure]?.value, $0.controls[Number.analogueGain]?.value]
    }
    #expect(codes == [250, 40])
  }

  @Test func setting_exposure_without_the_control_suggests_a_remedy() throws {
    let camera = try device(FakeKernel())
    #expect(camera.sensorControl == nil && camera.exposureLimits == nil)
    let error = #expect(throws: CaptureError.self) {
      try camera.setExposureModeCustom(SensorExposure(duration: 0.01))
    }
    #expect(error?.code == .invalidState && error?.message.contains("at the camera") == true)
  }

  @Test func a_failing_exposure_control_is_an_error() throws {
    let kernel = webcam()
    let camera = try device(kernel)
    let control = try #require(camera.sensorControl)
    let calls = kernel.state.withLock { $0.counts[V4L2Request.setControls.name] ?? 0 }
    kernel.state.withLock {
      $0.faults.append(
        .init(call: V4L2Request.setControls.name, occurrence: calls + 2, error: .ioError))
    }
    #expect(throws: CaptureError.self) {
      try control.setExposure(SensorExposure(duration: 0.01, gain: 1))
    }
  }
}
