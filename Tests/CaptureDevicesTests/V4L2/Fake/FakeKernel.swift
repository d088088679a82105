import CVideo4Linux
import Foundation
import Synchronization
import SystemPackage

@testable import CaptureDevices

/// A kernel for the tests: its devices do what a test says, and any call can fail with any errno.
final class FakeKernel: V4L2SystemCalls {
  /// The k-th call with this name fails.
  struct Fault: Hashable, Sendable {
    var call: String
    var occurrence = 1
    var error: Errno
  }

  struct State {
    var devices: [String: FakeDevice] = [:]
    var files: [String: String] = [:]
    var links: [String: String] = [:]
    var unopenable: [String: Errno] = [:]
    var faults: [Fault] = []
    var counts: [String: Int] = [:]
    var trace: [String] = []
    var open: [Int32: String] = [:]
    var nextDescriptor: Int32 = 100
    var mappings: [UInt: Int] = [:]
    var signalled: Set<Int32> = []
    var now: Int64 = 1_000_000_000_000
    var pollError = false
    var changed = false
  }

  let state: Mutex<State>

  init(_ devices: [String: FakeDevice] = ["/dev/video0": FakeDevice()], faults: [Fault] = []) {
    var state = State(devices: devices)
    state.faults = faults
    self.state = Mutex(state)
  }

  /// Open descriptors and existing mappings: none once everything is over.
  var leaks: (descriptors: Int, mappings: Int) {
    state.withLock { ($0.open.count, $0.mappings.count) }
  }
  var trace: [String] { state.withLock { $0.trace } }

  func change(_ node: String = "/dev/video0", _ body: (inout FakeDevice) -> Void) {
    state.withLock { state in
      if var device = state.devices[node] {
        body(&device)
        state.devices[node] = device
      }
    }
  }

  func read<Value: Sendable>(
    _ node: String = "/dev/video0", _ body: (FakeDevice) -> Value
  ) -> Value? {
    state.withLock { $0.devices[node].map(body) }
  }

  func advance(milliseconds: Int64) { state.withLock { $0.now += milliseconds * 1_000_000 } }

  /// Unplugs a device, and plugs it in again under another node.
  func unplug(_ node: String = "/dev/video0") -> FakeDevice? {
    state.withLock { state in
      state.changed = true
      return state.devices.removeValue(forKey: node)
    }
  }
  func plug(_ device: FakeDevice, as node: String) {
    state.withLock { state in
      state.devices[node] = device
      state.devices[node]?.reset()
      state.changed = true
    }
  }

  /// Fills the device's next buffer; returns false if there is none.
  @discardableResult
  func fill(
    _ sequence: UInt32, flags: Int32 = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC, stamp: Int64? = nil,
    bytesUsed: Int? = nil, index: Int? = nil, field: v4l2_field = V4L2_FIELD_NONE,
    after milliseconds: Int64 = 40, of node: String = "/dev/video0"
  ) -> Bool {
    state.withLock { state in
      state.now += milliseconds * 1_000_000
      let now = state.now
      return state.devices[node]?.fill(
        sequence: sequence, flags: UInt32(bitPattern: flags), stamp: stamp ?? now,
        bytesUsed: bytesUsed, index: index, field: field) ?? false
    }
  }

  // MARK: The seam

  private func enter(_ call: String, _ state: inout State) throws(Errno) {
    let count = (state.counts[call] ?? 0) + 1
    state.counts[call] = count
    // Waiting is not logged as a step: the clock determines how often it happens.
    if call != "poll" { state.trace.append(call) }
    if let fault = state.faults.first(where: { $0.call == call && $0.occurrence == count }) {
      throw fault.error
    }
  }

  func open(_ path: String) throws(Errno) -> Int32 {
    try state.withLock { state throws(Errno) in
      try enter("open", &state)
      if let error = state.unopenable[path] { throw error }
      guard state.devices[path] != nil else { throw .noSuchFileOrDirectory }
      state.nextDescriptor += 1
      state.open[state.nextDescriptor] = path
      return state.nextDescriptor
    }
  }

  func close(_ descriptor: Int32) {
    state.withLock { state in
      guard let path = state.open.removeValue(forKey: descriptor) else {
        state.trace.append("close of a closed descriptor")
        return
      }
      if !state.open.values.contains(path) { state.devices[path]?.reset() }
    }
  }

  func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    try state.withLock { state throws(Errno) in
      let name = FakeDevice.names[request] ?? "0x" + String(request, radix: 16)
      try enter(name, &state)
      guard let path = state.open[descriptor] else { throw .badFileDescriptor }
      guard var device = state.devices[path], !device.isGone else { throw .deviceGone }
      defer { state.devices[path] = device }
      try device.answer(request, argument)
    }
  }

  func map(_ descriptor: Int32, length: Int, offset: Int) throws(Errno) -> UnsafeMutableRawPointer {
    try state.withLock { state throws(Errno) in
      try enter("mmap", &state)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: length + 64, alignment: 4096)
      memory.initializeMemory(
        as: UInt8.self, repeating: UInt8(truncatingIfNeeded: offset), count: length + 64)
      state.mappings[UInt(bitPattern: memory)] = length
      return UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: memory)) ?? memory
    }
  }

  func unmap(_ address: UnsafeMutableRawPointer, length: Int) {
    let bits = UInt(bitPattern: address)
    let known = state.withLock { state -> Bool in
      guard state.mappings.removeValue(forKey: bits) == length else {
        state.trace.append("munmap of what was not mapped")
        return false
      }
      return true
    }
    if known { UnsafeMutableRawPointer(bitPattern: bits)?.deallocate() }
  }

  func poll(device: Int32, wakeup: Int32, milliseconds: Int32) throws(Errno) -> V4L2Readiness {
    for _ in 0..<max(1, min(milliseconds, 10)) {
      let ready = try state.withLock { state throws(Errno) -> V4L2Readiness in
        try enter("poll", &state)
        var ready: V4L2Readiness = []
        if state.signalled.contains(wakeup) { ready.insert(.wakeup) }
        if let path = state.open[device], let model = state.devices[path] {
          if !model.filled.isEmpty { ready.insert(.buffer) }
          if !model.events.isEmpty { ready.insert(.event) }
          if model.isGone || state.pollError { ready.insert(.error) }
        } else if state.open[device]?.hasPrefix("/dev/") == true {
          // Unplugged: poll(2) reports an error immediately.
          ready.insert(.error)
        }
        if state.open[device] == "watch", state.changed { ready.insert(.buffer) }
        return ready
      }
      if !ready.isEmpty { return ready }
      usleep(1000)
    }
    return []
  }

  func makeWakeup() throws(Errno) -> Int32 {
    try state.withLock { state throws(Errno) in
      try enter("eventfd", &state)
      state.nextDescriptor += 1
      state.open[state.nextDescriptor] = "eventfd"
      return state.nextDescriptor
    }
  }

  func watch(_ folder: String) throws(Errno) -> Int32 {
    try state.withLock { state throws(Errno) in
      try enter("inotify", &state)
      state.nextDescriptor += 1
      state.open[state.nextDescriptor] = "watch"
      return state.nextDescriptor
    }
  }
  func watch(_ folder: String, with watch: Int32) throws(Errno) {}
  func drain(_ watch: Int32) { state.withLock { $0.changed = false } }

  func signal(_ wakeup: Int32) { state.withLock { _ = $0.signalled.insert(wakeup) } }
  func monotonicNanoseconds() -> Int64 { state.withLock { $0.now } }

  func entries(of folder: String) -> [String] {
    state.withLock { state in
      Set(state.devices.keys).union(state.unopenable.keys)
        .filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
    }
  }
  func text(of path: String) -> String? { state.withLock { $0.files[path] } }
  func resolved(_ path: String) -> String? { state.withLock { $0.links[path] } }
}
