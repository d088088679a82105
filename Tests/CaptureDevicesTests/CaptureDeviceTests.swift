import CaptureTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices

@Suite struct CaptureDeviceTests {
  @Test func the_active_format_changes_only_under_the_lock() throws {
    let device = CaptureDevice(
      driver: ScriptedDriver(formats: [.frames(.v210), .frames(.uyvy)]))
    #expect(throws: CaptureError.self) { try device.setActiveFormat(.frames(.uyvy)) }
    try device.lockForConfiguration()
    try device.lockForConfiguration()
    device.unlockForConfiguration()
    device.activeFormat = .frames(.uyvy)
    #expect(throws: CaptureError.self) { try device.setActiveFormat(.frames(.nv12)) }
    device.unlockForConfiguration()
    #expect(device.activeFormat == .frames(.uyvy))
    #expect(throws: CaptureError.self) { try device.setActiveFormat(.frames(.v210)) }
  }

  @Test func an_invalid_assignment_is_kept_as_the_refusal_until_a_valid_one() throws {
    let device = CaptureDevice(
      driver: ScriptedDriver(formats: [.frames(.v210), .frames(.uyvy)]))
    let calls = Counter()
    device.addObserver(ObjectIdentifier(calls)) { _ in calls.add() }
    device.activeFormat = .frames(.uyvy)
    #expect(device.activeFormat == .frames(.v210) && calls.value == 1)
    #expect(device.refusal?.code == .invalidState)
    device.activeVideoMinFrameDuration = FrameRate.fps25.frameDuration
    #expect(device.refusal?.message.contains("frame duration") == true)
    try device.lockForConfiguration()
    device.activeFormat = .frames(.nv12)
    #expect(device.refusal?.code == .formatUnavailable)
    device.unlockForConfiguration()
    #expect(calls.value == 3)
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(.frames(.v210))
    }
    #expect(device.refusal == nil && calls.value == 4)
  }

  @Test func the_rate_defaults_to_the_highest_and_a_new_format_resets_it() throws {
    let fast = CaptureDevice.Format.frames(.v210, rates: [.fps50, .fps25])
    let device = CaptureDevice(driver: ScriptedDriver(formats: [fast, .frames(.uyvy)]))
    #expect(device.activeFrameRate == .fps50)
    #expect(device.activeVideoMinFrameDuration == FrameRate.fps50.frameDuration)
    #expect(device.activeVideoMaxFrameDuration == FrameRate.fps25.frameDuration)
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(fast)
      try device.setActiveFrameRate(.fps25)
    }
    #expect(device.activeFrameRate == .fps25)
    #expect(throws: CaptureError.self) {
      try device.configure { device throws(CaptureError) in
        try device.setActiveFrameRate(.fps24)
      }
    }
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(.frames(.uyvy))
      device.activeVideoMinFrameDuration = FrameRate.fps25.frameDuration
    }
    #expect(device.activeFrameRate == .fps25)
  }

  @Test func observers_are_notified_once_at_the_last_unlock() throws {
    let device = CaptureDevice(
      driver: ScriptedDriver(formats: [.frames(.v210), .frames(.uyvy)]))
    let calls = Counter()
    device.addObserver(ObjectIdentifier(calls)) { _ in calls.add() }
    try device.configure { device throws(CaptureError) in
      try device.configure { device throws(CaptureError) in
        try device.setActiveFormat(.frames(.uyvy))
      }
      #expect(calls.value == 0)
    }
    #expect(calls.value == 1)
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(.frames(.uyvy))
    }
    #expect(calls.value == 2, "choosing the same format again counts")
    try device.configure { _ throws(CaptureError) in }
    #expect(calls.value == 2, "nothing was chosen")
  }

  @Test func a_disconnected_device_cannot_be_locked() {
    let driver = ScriptedDriver(formats: [.frames(.v210)])
    driver.state.withLock { $0.isConnected = false }
    let error = #expect(throws: CaptureError.self) {
      try CaptureDevice(driver: driver).lockForConfiguration()
    }
    #expect(error?.code == .deviceDisconnected)
  }

  @Test func a_format_no_longer_offered_is_not_active() throws {
    let driver = ScriptedDriver(formats: [.frames(.v210), .frames(.uyvy)])
    let device = CaptureDevice(driver: driver)
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(.frames(.uyvy))
    }
    driver.state.withLock { $0.formats = [.frames(.y210, 1280, 720)] }
    #expect(device.activeFormat == .frames(.uyvy), "the formats have not been queried again yet")
    try device.queryFormats()
    #expect(device.activeFormat == .frames(.y210, 1280, 720))
  }

  @Test func devices_are_found_by_identifier_node_and_serial_number() throws {
    let card = CaptureDevice(
      driver: ScriptedDriver("v4l2:pci-1", node: "/dev/video3", formats: [.frames(.v210)]))
    let catalog = CaptureDeviceCatalog(sources: [
      .init(schemes: ["v4l2"], discover: { [card] }, open: nil)
    ])
    for name in ["v4l2:pci-1", "/dev/video3", "v4l2:/dev/video3", "v4l2:S1"] {
      #expect(try catalog.device(identifier: name) == card)
    }
    let absent = #expect(throws: CaptureError.self) {
      try catalog.device(identifier: "/dev/video9")
    }
    #expect(absent?.code == .deviceNotFound)
    #expect(absent?.message.contains("v4l2:pci-1") == true)
    let nonsense = #expect(throws: CaptureError.self) { try catalog.device(identifier: "camera") }
    #expect(nonsense?.code == .invalidArgument)
  }

  @Test func the_default_device_has_10_bit_422_or_is_the_pattern() {
    func device(_ id: String, _ formats: [CaptureDevice.Format]) -> CaptureDevice {
      CaptureDevice(driver: ScriptedDriver(id, formats: formats))
    }
    let webcam = device("v4l2:usb", [.frames(.yuyv)])
    let deep = device("v4l2:pci-1", [.frames(.y216)])
    let card = device("v4l2:pci-2", [.frames(.uyvy), .frames(.v210)])
    let pattern = device("pattern:bars", [.frames(.v210)])
    func best(_ devices: [CaptureDevice]) -> CaptureDevice? {
      CaptureDeviceCatalog(sources: [
        .init(schemes: ["v4l2"], discover: { devices }, open: nil),
        .init(schemes: ["pattern"], discover: { [pattern] }, open: nil),
      ]).bestDevice(for: .video)
    }
    #expect(best([webcam, deep, card]) == card)
    #expect(best([webcam, deep]) == deep)
    #expect(best([webcam]) == pattern)
    #expect(best([]) == pattern)
  }

  @Test func discovery_filters_by_device_type_and_media_type() {
    let card = CaptureDevice(driver: ScriptedDriver(formats: [.frames(.v210)]))
    let audio = CaptureDevice(
      driver: ScriptedDriver("alsa:1", mediaType: .audio, formats: [.audio()]))
    let catalog = CaptureDeviceCatalog(sources: [
      .init(schemes: ["v4l2", "alsa"], discover: { [card, audio] }, open: nil)
    ])
    func found(
      _ types: [CaptureDevice.DeviceType], _ media: MediaType?
    ) -> [CaptureDevice] {
      CaptureDevice.DiscoverySession(deviceTypes: types, mediaType: media, catalog: catalog).devices
    }
    #expect(found([], nil) == [card, audio])
    #expect(found([], .audio) == [audio])
    #expect(found([.external], nil) == [card])
    #expect(found([.pattern], nil).isEmpty)
  }
}
