import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import CaptureDevices

@Suite struct DeviceWatchTests {
  @Test(arguments: [true, false])
  func connected_and_disconnected_devices_are_reported(canWatch: Bool) async throws {
    let kernel = FakeKernel(faults: canWatch ? [] : [.init(call: "inotify", error: .noSpace)])
    do {
      let watch = try V4L2DeviceDriver.watch(kernel)
      var changes = watch.changes().makeAsyncIterator()
      kernel.state.withLock {
        $0.devices["/dev/video3"] = FakeDevice(card: "Second", bus: "usb-fake-2")
        $0.changed = true
      }
      guard case .connected(let device) = await changes.next() else {
        Issue.record("no device was connected")
        return
      }
      #expect(device.uniqueID == "v4l2:usb-fake-2")
      kernel.state.withLock {
        $0.devices["/dev/video0"] = nil
        $0.changed = true
      }
      guard case .disconnected(let gone) = await changes.next() else {
        Issue.record("no device was disconnected")
        return
      }
      #expect(gone.identity.node == "/dev/video0" && !gone.isConnected)
    }
    _ = try Guest.wait(for: "the watch's end") { kernel.leaks == (0, 0) ? true : nil }
  }

  @Test func watching_without_free_descriptors_is_an_error() throws {
    let kernel = FakeKernel(faults: [.init(call: "eventfd", error: .tooManyOpenFiles)])
    #expect(throws: Errno.tooManyOpenFiles) { _ = try V4L2DeviceDriver.watch(kernel) }
    #expect(kernel.leaks == (0, 0))
  }
}
