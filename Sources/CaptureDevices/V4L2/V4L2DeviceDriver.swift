import MediaCore
import Synchronization
import SystemPackage

/// A V4L2 capture device: a camera, a capture card, an HDMI receiver.
public final class V4L2DeviceDriver: CaptureDeviceDriver {
  private let discovery: V4L2Discovery
  private let options: V4L2StreamOptions
  private let known: Mutex<Knowledge>
  private let sensor = Mutex<SensorSearch>(.init())
  /// The camera's settings, once the device was asked for them.
  let camera = Mutex<V4L2CameraControl??>(nil)

  /// The device's identity, and how to find it again.
  private struct Knowledge {
    /// With the node and the place on the bus where it was last found.
    var identity: CaptureDevice.Identity
    /// The place of that node among those of the device.
    var index: Int?
    /// True once another device with the same serial number was seen. It stays true, because the one of two that is
    /// left may be the other one.
    var sharesSerial: Bool
  }

  /// What is known of the way to the sensor's controls.
  private struct SensorSearch {
    var subdevice: String?
    /// True once the device was asked.
    var isOver = false
    var control: V4L2SensorControl?
  }

  /// The capture devices that are connected, in the order of their nodes.
  ///
  /// A device that this user may not open is not among them.
  public static func discover() -> [CaptureDevice] { discover(LinuxSystemCalls()) }

  private static func discover(_ calls: any V4L2SystemCalls) -> [CaptureDevice] {
    let nodes = V4L2Discovery(calls: calls).nodes()
    return nodes.map { node in
      let sharesSerial = V4L2Discovery.sharesSerial(node.identity, in: nodes)
      return CaptureDevice(
        driver: V4L2DeviceDriver(node.identity, sharesSerial: sharesSerial, calls: calls))
    }
  }

  /// Why ``discover()`` leaves nodes out that this user may not open, one error for each.
  public static func refusals() -> [CaptureError] {
    V4L2Discovery(calls: LinuxSystemCalls()).refusals()
  }

  /// A watch of the nodes of video devices.
  static func watch(_ calls: any V4L2SystemCalls) throws(Errno) -> DeviceWatch {
    try DeviceWatch(["/dev"], calls: calls) { discover(calls) }
  }

  /// The device behind an identifier: `v4l2:<bus path>`, `v4l2:<serial number>`,
  /// `v4l2:/dev/video0`, each also without the prefix.
  ///
  /// - Throws: ``CaptureError/Code/deviceNotFound``, ``CaptureError/Code/permissionDenied``,
  ///   ``CaptureError/Code/deviceBusy``, or ``CaptureError/Code/invalidArgument`` for a serial number that
  ///   several devices have.
  public convenience init(identifier: String) throws(CaptureError) {
    try self.init(identifier: identifier, calls: LinuxSystemCalls())
  }

  convenience init(
    identifier: String, calls: any V4L2SystemCalls, options: V4L2StreamOptions = .init()
  ) throws(CaptureError) {
    let discovery = V4L2Discovery(calls: calls)
    let identity = try discovery.node(identifier: identifier).identity
    let sharesSerial =
      identity.serialNumber != nil
      && V4L2Discovery.sharesSerial(identity, in: discovery.nodes())
    self.init(identity, sharesSerial: sharesSerial, calls: calls, options: options)
  }

  init(
    _ identity: CaptureDevice.Identity, sharesSerial: Bool = false, calls: any V4L2SystemCalls,
    options: V4L2StreamOptions = .init()
  ) {
    let discovery = V4L2Discovery(calls: calls)
    self.discovery = discovery
    self.options = options
    self.known = Mutex(
      Knowledge(
        identity: identity, index: identity.node.flatMap(discovery.index),
        sharesSerial: sharesSerial))
  }

  /// The device's identity, with the node and the place on the bus where it was last found.
  public var identity: CaptureDevice.Identity { known.withLock { $0.identity } }

  /// True while the device is there, be it under another node than before. One that cannot be asked
  /// is listed all the same, and opening it says why.
  public var isConnected: Bool {
    do throws(CaptureError) {
      _ = try locate()
      return true
    } catch {
      return error.code != .deviceDisconnected && error.code != .deviceNotFound
    }
  }

  /// The node where the device is now.
  ///
  /// - Throws: ``CaptureError/Code/deviceDisconnected`` where it is nowhere.
  private func locate() throws(CaptureError) -> V4L2Discovery.Node {
    let (identity, index) = known.withLock { ($0.identity, $0.index) }
    if let path = identity.node {
      do throws(CaptureError) {
        var node = try discovery.describe(path)
        // The node lacks its rank among the device's nodes, but it still has the same index.
        if node.identity.isSameDevice(as: identity), node.index == index {
          node.identity = identity
          return node
        }
      } catch {
        guard error.code == .deviceNotFound || error.code == .deviceDisconnected else {
          throw error
        }
      }
    }
    let all = discovery.nodes()
    let sharesSerial = known.withLock { known in
      known.sharesSerial = known.sharesSerial || V4L2Discovery.sharesSerial(identity, in: all)
      return known.sharesSerial
    }
    let found = V4L2Discovery.node(of: identity, in: all, sharesSerial: sharesSerial)
    guard let node = found else { throw notConnected(identity, sharesSerial: sharesSerial, all) }
    known.withLock { known in
      known.identity.node = node.path
      known.identity.busPath = node.identity.busPath
      known.index = node.index
    }
    return node
  }

  private func notConnected(
    _ identity: CaptureDevice.Identity, sharesSerial: Bool, _ all: [V4L2Discovery.Node]
  ) -> CaptureError {
    let twins =
      sharesSerial ? V4L2Discovery.places(ofSerial: identity, in: all).sorted() : []
    let remark =
      twins.isEmpty
      ? "plug it in again"
      : "plug it in again at the same port; the one at \(twins.joined(separator: " and ")) has the same "
        + "serial number but is a different device"
    return CaptureError(
      .deviceDisconnected,
      "\(identity.localizedName) (\(identity.uniqueID)) is not connected: \(remark)")
  }

  /// Notes devices with the same serial number at the moment when a stream finds its own device gone. Nobody replugs
  /// that fast, so they are different devices.
  private func noteTwins() {
    let all = discovery.nodes()
    known.withLock { known in
      let places = V4L2Discovery.places(ofSerial: known.identity, in: all)
      let others = places.subtracting([known.identity.busPath].compactMap(\.self))
      if !others.isEmpty { known.sharesSerial = true }
    }
  }

  func open() throws(CaptureError) -> (handle: V4L2Handle, capability: V4L2Capability) {
    let node = try locate()
    return (try V4L2Handle(node: node.path, calls: discovery.calls), node.capability)
  }

  /// What the device can deliver now, for each of its inputs.
  ///
  /// A format that neither this library nor libv4l2 decodes is listed with its code and without a
  /// pixel format; it cannot be opened.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or fails.
  public func formats() throws(CaptureError) -> [CaptureDevice.Format] {
    let (handle, capability) = try open()
    return try V4L2FormatEnumerator(handle: handle, capability: capability).formats()
  }

  /// A value whenever capture nodes came or went; nil where the process has no descriptors left.
  public var arrivals: AsyncStream<Void>? {
    guard let changes = try? Self.watch(discovery.calls).changes() else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let relay = Task {
      for await _ in changes { continuation.yield() }
      continuation.finish()
    }
    continuation.onTermination = { _ in relay.cancel() }
    return stream
  }

  /// Takes the device and agrees on a format.
  ///
  /// - Throws: ``CaptureError/Code/deviceBusy``, ``CaptureError/Code/signalLost``,
  ///   ``CaptureError/Code/formatUnavailable`` and the errors of a device that is gone.
  public func openStream(
    _ request: CaptureStreamRequest
  ) throws(CaptureError) -> any CaptureStream {
    try openV4L2Stream(request)
  }

  func openV4L2Stream(_ request: CaptureStreamRequest) throws(CaptureError) -> V4L2CaptureStream {
    let (handle, capability) = try open()
    let agreement = try handle.agree(on: request, capability: capability)
    return try V4L2CaptureStream(
      handle, agreement: agreement, bufferCount: request.bufferCount, options: options,
      threads: request.threads, whenGone: { [weak self] in self?.noteTwins() })
  }
}

// MARK: - Inputs, signals, controls

extension V4L2DeviceDriver {
  /// The node of the sensor's sub-device (`/dev/v4l-subdev0`), where exposure is not among the
  /// device's own controls; nil for none.
  public var sensorSubdevice: String? {
    get { sensor.withLock { $0.subdevice } }
    set { sensor.withLock { $0 = SensorSearch(subdevice: newValue) } }
  }

  /// Exposure and gain; nil where neither the device nor its sub-device has them. The device is asked
  /// once.
  public var sensorControl: (any SensorControl)? {
    let known = sensor.withLock { $0 }
    if known.isOver { return known.control }
    let control = V4L2SensorControl(
      open: { [self] () throws(CaptureError) in
        let device = try open().handle
        guard let path = sensorSubdevice else { return [device] }
        return [try V4L2Handle(node: path, calls: discovery.calls), device]
      },
      width: { [self] () throws(CaptureError) in
        let (handle, capability) = try open()
        return try handle.currentFormat(type: capability.bufferType)?.width ?? 0
      })
    let found = (try? control.exposureLimits()) == nil ? nil : control
    sensor.withLock {
      $0.isOver = true
      $0.control = found
    }
    return found
  }

  /// The device's connectors or sensors.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or fails.
  public func inputs() throws(CaptureError) -> [V4L2Input] { try open().handle.inputs() }

  /// The number of the input in use; nil where the device has no notion of inputs.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or fails.
  public func currentInput() throws(CaptureError) -> Int? { try open().handle.currentInput() }

  /// Selects an input.
  ///
  /// - Throws: ``CaptureError`` where there is no such input, or the device is gone, busy or fails.
  public func selectInput(_ index: Int) throws(CaptureError) {
    try open().handle.selectInput(index)
  }

  /// The signal that arrives at the input in use; nil where it has no digital timings.
  ///
  /// - Throws: ``CaptureError/Code/signalLost`` without a signal,
  ///   ``CaptureError/Code/formatUnavailable`` for one that the device cannot take.
  public func detectedTimings() throws(CaptureError) -> V4L2Timings? {
    let handle = try open().handle
    switch try handle.querySignal() {
    case .present(let timings): return timings
    case .unknown: return nil
    case .absent, .unlocked:
      throw CaptureError(
        .signalLost, "\(handle.node) has no stable signal: connect a source and switch it on")
    case .outOfRange:
      throw CaptureError(
        .formatUnavailable,
        "\(handle.node) cannot take the signal: set the source to a smaller size or rate")
    }
  }

  /// The signal that the device is set to; nil where it has no digital timings.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or fails.
  public func timings() throws(CaptureError) -> V4L2Timings? {
    try open().handle.currentTimings()
  }

  /// Sets the device to a signal.
  ///
  /// - Throws: ``CaptureError`` where the device refuses them, or is gone, busy or fails.
  public func setTimings(_ timings: V4L2Timings) throws(CaptureError) {
    try open().handle.setTimings(timings)
  }

  /// The signals that the device lists as ones it can take.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or fails.
  public func supportedTimings() throws(CaptureError) -> [V4L2Timings] {
    try open().handle.enumerateTimings()
  }
}

extension CaptureDevice.Identity {
  /// True where two looks at a node saw one device, its rank among the nodes left out.
  fileprivate func isSameDevice(as other: CaptureDevice.Identity) -> Bool {
    func path(_ identity: CaptureDevice.Identity) -> Substring {
      identity.uniqueID.prefix { $0 != "#" }
    }
    return path(self) == path(other) && serialNumber == other.serialNumber
      && modelID == other.modelID
  }
}
