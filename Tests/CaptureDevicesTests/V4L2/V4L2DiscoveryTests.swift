import CVideo4Linux
import MediaCore
import Synchronization
import SystemPackage
import Testing

@testable import CaptureDevices

@Suite struct V4L2DiscoveryTests {
  /// Gives a node the sysfs entries of a USB device.
  private func describe(
    _ kernel: FakeKernel, node: String, index: Int, port: String, serial: String?
  ) {
    kernel.state.withLock { state in
      let entry = "/sys/class/video4linux/\(node)"
      let device = "/sys/devices/usb1/\(port)"
      state.links["\(entry)/device"] = "\(device)/\(port):1.0"
      state.files["\(entry)/index"] = String(index)
      state.files["\(device)/idVendor"] = "1d6b"
      state.files["\(device)/idProduct"] = "0102"
      state.files["\(device)/manufacturer"] = "Makers"
      state.files["\(device)/serial"] = serial
    }
  }

  private func identities(_ kernel: FakeKernel) -> [CaptureDevice.Identity] {
    V4L2Discovery(calls: kernel).nodes().map(\.identity)
  }

  @Test func a_usb_device_has_manufacturer_model_and_serial() throws {
    let kernel = FakeKernel()
    describe(kernel, node: "video0", index: 0, port: "1-2", serial: "S1")
    let identity = try #require(identities(kernel).first)
    #expect(identity.uniqueID == "v4l2:usb-fake-1")
    #expect(identity.manufacturer == "Makers" && identity.modelID == "usb:1d6b:0102")
    #expect(identity.serialNumber == "S1" && identity.node == "/dev/video0")
    #expect(identity.localizedName == "Fake Camera")
  }

  @Test func capture_nodes_of_one_device_are_numbered_in_order() {
    let metadata = FakeDevice(capabilities: UInt32(V4L2_CAP_META_CAPTURE))
    let kernel = FakeKernel([
      "/dev/video10": FakeDevice(), "/dev/video9": FakeDevice(), "/dev/video11": metadata,
    ])
    describe(kernel, node: "video9", index: 2, port: "1-2", serial: "S1")
    describe(kernel, node: "video10", index: 0, port: "1-2", serial: "S1")
    describe(kernel, node: "video11", index: 1, port: "1-2", serial: "S1")
    let found = identities(kernel)
    #expect(found.map(\.node) == ["/dev/video9", "/dev/video10"])
    #expect(found.map(\.uniqueID) == ["v4l2:usb-fake-1#2", "v4l2:usb-fake-1"])
  }

  @Test func a_device_is_found_again_at_another_node_or_port() throws {
    let kernel = FakeKernel()
    describe(kernel, node: "video0", index: 0, port: "1-2", serial: "S1")
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    let format = try #require(try driver.formats().first)
    // Another camera has taken the number; this one came back with a later one.
    kernel.state.withLock {
      $0.devices = [
        "/dev/video0": FakeDevice(card: "Other", bus: "usb-fake-9"), "/dev/video4": FakeDevice(),
      ]
      $0.files = [:]
      $0.links = [:]
    }
    describe(kernel, node: "video4", index: 0, port: "1-2", serial: "S1")
    #expect(driver.isConnected)
    #expect(driver.identity.node == "/dev/video4")
    // Then it was plugged into another port: its serial number identifies it.
    kernel.state.withLock {
      $0.devices = ["/dev/video5": FakeDevice(bus: "usb-fake-3")]
      $0.files = [:]
      $0.links = [:]
    }
    describe(kernel, node: "video5", index: 0, port: "1-7", serial: "S1")
    let stream = try driver.openV4L2Stream(CaptureStreamRequest(format: format))
    stream.stop()
    #expect(driver.identity.node == "/dev/video5")
    #expect(driver.identity.busPath == "usb-fake-3", "the path at which its audio is found")
    kernel.state.withLock { $0.devices = [:] }
    #expect(!driver.isConnected)
    let error = #expect(throws: CaptureError.self) { _ = try driver.formats() }
    #expect(error?.code == .deviceDisconnected)
    #expect(error?.message.contains("Fake Camera") == true)
  }

  @Test func a_duplicate_serial_number_does_not_identify_a_device() throws {
    let kernel = FakeKernel([
      "/dev/video0": FakeDevice(), "/dev/video1": FakeDevice(bus: "usb-fake-2"),
    ])
    describe(kernel, node: "video0", index: 0, port: "1-2", serial: "S1")
    describe(kernel, node: "video1", index: 0, port: "1-3", serial: "S1")
    let driver = try V4L2DeviceDriver(identifier: "v4l2:usb-fake-1", calls: kernel)
    let camera = try #require(kernel.unplug())
    #expect(!driver.isConnected, "the other device with the same serial number is not this one")
    kernel.plug(camera, as: "/dev/video2")
    describe(kernel, node: "video2", index: 0, port: "1-2", serial: "S1")
    #expect(driver.isConnected)
    #expect(driver.identity.node == "/dev/video2")
    let refusal = #expect(throws: CaptureError.self) {
      _ = try V4L2DeviceDriver(identifier: "v4l2:S1", calls: kernel)
    }
    #expect(refusal?.code == .invalidArgument)
    #expect(refusal?.message.contains("v4l2:usb-fake-1") == true)
    #expect(refusal?.message.contains("v4l2:usb-fake-2") == true)
  }

  @Test func a_duplicate_plugged_in_while_streaming_is_not_mistaken_for_it() throws {
    let kernel = FakeKernel()
    describe(kernel, node: "video0", index: 0, port: "1-2", serial: "S1")
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    var camera = FakeDevice()
    do {
      let recording = try driver.record(try #require(try driver.formats().first))
      describe(kernel, node: "video1", index: 0, port: "1-3", serial: "S1")
      kernel.plug(FakeDevice(bus: "usb-fake-2"), as: "/dev/video1")
      camera = try #require(kernel.unplug())
      try recording.end()
      recording.stream.stop()
      #expect(recording.failure?.code == .deviceDisconnected)
    }
    #expect(!driver.isConnected)
    let refusal = #expect(throws: CaptureError.self) { _ = try driver.formats() }
    #expect(refusal?.code == .deviceDisconnected && refusal?.message.contains("usb-fake-2") == true)
    kernel.plug(camera, as: "/dev/video2")
    describe(kernel, node: "video2", index: 0, port: "1-2", serial: "S1")
    #expect(driver.isConnected && driver.identity.node == "/dev/video2")
    _ = try Guest.wait(for: "the thread's end") { kernel.leaks == (0, 0) ? true : nil }
  }

  @Test func a_node_is_found_again_if_nodes_were_renumbered() throws {
    let kernel = FakeKernel(["/dev/video0": FakeDevice(), "/dev/video1": FakeDevice()])
    describe(kernel, node: "video0", index: 0, port: "1-2", serial: "S1")
    describe(kernel, node: "video1", index: 1, port: "1-2", serial: "S1")
    let driver = try V4L2DeviceDriver(identifier: "v4l2:usb-fake-1#2", calls: kernel)
    #expect(driver.identity.node == "/dev/video1")
    // Another camera now has the first number, and the nodes of this device have each moved up by
    // one.
    kernel.state.withLock {
      $0.devices["/dev/video0"] = FakeDevice(card: "Other", bus: "usb-fake-9")
      $0.devices["/dev/video2"] = FakeDevice()
      $0.files = [:]
      $0.links = [:]
    }
    describe(kernel, node: "video1", index: 0, port: "1-2", serial: "S1")
    describe(kernel, node: "video2", index: 1, port: "1-2", serial: "S1")
    #expect(driver.isConnected)
    #expect(driver.identity.node == "/dev/video2")
  }

  @Test func a_node_that_cannot_be_opened_reports_the_cause() throws {
    let kernel = FakeKernel()
    let expected: [(Errno, CaptureError.Code, String)] = [
      (.permissionDenied, .permissionDenied, "video"), (.resourceBusy, .deviceBusy, "in use"),
      (.noSuchFileOrDirectory, .deviceNotFound, "choose another device"),
      (.ioError, .deviceFailed, "open"),
    ]
    for (error, code, hint) in expected {
      kernel.state.withLock { $0.unopenable["/dev/video7"] = error }
      let refusal = #expect(throws: CaptureError.self) {
        _ = try V4L2DeviceDriver(identifier: "/dev/video7", calls: kernel)
      }
      #expect(refusal?.code == code)
      #expect(refusal?.message.contains("/dev/video7") == true)
      #expect(refusal?.message.contains(hint) == true)
      #expect(refusal?.errno == error)
    }
    #expect(identities(kernel).count == 1, "the others are still found")
  }

  @Test func identifiers_name_bus_path_node_or_serial() throws {
    let kernel = FakeKernel()
    describe(kernel, node: "video0", index: 0, port: "1-2", serial: "S1")
    for name in ["v4l2:usb-fake-1", "v4l2:/dev/video0", "/dev/video0", "usb-fake-1", "v4l2:S1"] {
      #expect(
        try V4L2DeviceDriver(identifier: name, calls: kernel).identity.uniqueID
          == "v4l2:usb-fake-1")
    }
    for name in ["v4l2:usb-fake-2", "v4l2:", "/dev/video1", ""] {
      let refusal = #expect(throws: CaptureError.self) {
        _ = try V4L2DeviceDriver(identifier: name, calls: kernel)
      }
      #expect(refusal?.code == .deviceNotFound)
    }
  }
}
