import CVideo4Linux
import MediaCore
import Synchronization
import SystemPackage
import Testing

@testable import CaptureDevices

/// The controls of a USB camera, by the numbers of v4l2-controls.h.
@Suite struct V4L2CameraControlTests {
  private let kernel: FakeKernel
  private let camera: CaptureDevice

  init() throws {
    var device = FakeDevice()
    device.controls = [
      0x009A_0901: .init(
        type: V4L2_CTRL_TYPE_MENU, range: 0...3, value: 3, menu: [1: 0, 3: 0]),
      0x009A_0902: .init(range: 3...2047, value: 250),
      0x009A_0913: .init(
        type: V4L2_CTRL_TYPE_INTEGER_MENU, range: 0...4, value: 2,
        menu: [0: -2000, 1: -1000, 2: 0, 3: 1000, 4: 2000]),
      0x0098_0918: .init(type: V4L2_CTRL_TYPE_MENU, range: 0...2, value: 1),
      0x0098_091A: .init(range: 2800...6500, step: 10, value: 4600),
      0x009A_090A: .init(range: 0...250, flags: V4L2_CTRL_FLAG_READ_ONLY, value: 7),
      0x009A_090D: .init(
        range: 100...500, flags: Int32(V4L2_CTRL_FLAG_INACTIVE), value: 100),
    ]
    kernel = FakeKernel(["/dev/video0": device])
    camera = CaptureDevice(
      driver: try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel))
  }

  @Test func settings_are_listed_with_ranges_and_choices() throws {
    let control = try #require(camera.cameraControl)
    let exposure = try #require(try control.facts(of: .exposureMode))
    #expect(Set(exposure.choices.keys) == [1, 3])
    let bias = try #require(try control.facts(of: .exposureBias))
    #expect(bias.choices == [0: "-2000", 1: "-1000", 2: "0", 3: "1000", 4: "2000"])
    let white = try #require(try control.facts(of: .whiteBalanceTemperature))
    #expect(white.range == 2800...6500 && white.step == 10 && white.isActive)
    #expect(white.nearest(5004) == 5000 && white.nearest(9000) == 6500)
    #expect(try control.facts(of: .zoom)?.isActive == false)
    #expect(try control.facts(of: .focusPosition) == nil, "it cannot be set")
    #expect(try control.facts(of: .automaticFocus) == nil)
  }

  @Test func values_set_reach_the_camera() throws {
    let control = try #require(camera.cameraControl)
    try control.setValue(5000, of: .whiteBalanceTemperature)
    #expect(kernel.read { $0.controls[0x0098_091A]?.value } == 5000)
    #expect(try control.value(of: .whiteBalanceTemperature) == 5000)
    let error = #expect(throws: CaptureError.self) { try control.setValue(99, of: .zoom) }
    #expect(error?.code == .invalidArgument)
    #expect(throws: CaptureError.self) { try control.value(of: .focusOnce) }
    #expect(camera.powerLineFrequency == .hertz50)
    camera.powerLineFrequency = .hertz60
    #expect(kernel.read { $0.controls[0x0098_0918]?.value } == 2)
    camera.powerLineFrequency = .automatic
    #expect(camera.powerLineFrequency == .hertz60, "the camera has no such choice")
  }

  @Test func errors_explain_why_a_control_cannot_be_set() throws {
    kernel.change {
      $0.controls[0x0098_0918]?.flags = Int32(V4L2_CTRL_FLAG_GRABBED)
    }
    let control = try #require(camera.cameraControl)
    func refusal(_ setting: CameraSetting, _ value: Int64) -> CaptureError? {
      do throws(CaptureError) { try control.setValue(value, of: setting) } catch { return error }
      return nil
    }
    let readOnly = refusal(.focusPosition, 8)
    #expect(readOnly?.code == .invalidArgument && readOnly?.message.contains("read-only") == true)
    let grabbed = refusal(.powerLineFrequency, 2)
    #expect(
      grabbed?.code == .invalidState && grabbed?.message.contains("locked by the device") == true)
    kernel.state.withLock { state in
      let name = V4L2Request.setControls.name
      let count = state.counts[name] ?? 0
      state.faults = [
        .init(call: name, occurrence: count + 1, error: .permissionDenied),
        .init(call: name, occurrence: count + 2, error: .resourceBusy),
      ]
    }
    let inactive = refusal(.zoom, 200)
    #expect(inactive?.code == .invalidState && inactive?.message.contains("is inactive") == true)
    let busy = refusal(.whiteBalanceTemperature, 5000)
    #expect(busy?.code == .invalidState && busy?.message.contains("current state") == true)
    let read = V4L2Request.getControls.name
    kernel.state.withLock {
      $0.faults = [
        .init(call: read, occurrence: ($0.counts[read] ?? 0) + 1, error: .permissionDenied)
      ]
    }
    let secret = #expect(throws: CaptureError.self) { try control.value(of: .zoom) }
    #expect(secret?.code == .invalidArgument && secret?.message.contains("only set") == true)
  }

  @Test func a_device_without_controls_has_no_camera_settings() throws {
    let card = CaptureDevice(
      driver: try V4L2DeviceDriver(
        identifier: "/dev/video0", calls: FakeKernel(["/dev/video0": FakeDevice()])))
    #expect(card.cameraControl == nil && card.powerLineFrequency == nil)
  }
}
