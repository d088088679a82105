import MediaCore

/// Finds capture nodes and says who they are.
struct V4L2Discovery: Sendable {
  /// A capture node at present.
  struct Node: Sendable, Hashable {
    var path: String
    var capability: V4L2Capability
    var identity: CaptureDevice.Identity
    /// The node's place among the nodes of its device, which outlives a replug; nil where the system does
    /// not tell.
    var index: Int?
  }

  let calls: any V4L2SystemCalls
  var devices = "/dev"
  var classFolder = "/sys/class/video4linux"

  /// The capture nodes, in the order of their numbers. One that cannot be opened is left out:
  /// somebody else's device must not hide ours.
  func nodes() -> [Node] {
    var found: [(number: Int, index: Int, node: Node)] = []
    for number in numbers() {
      let name = "video\(number)"
      guard let node = try? describe("\(devices)/\(name)") else { continue }
      found.append((number, node.index ?? number, node))
    }
    // Nodes of one device share its bus path; the order within the device tells them apart, for it
    // outlives a replug, which the numbers of the nodes do not.
    var seen: [String: Int] = [:]
    for position in found.indices.sorted(by: { found[$0].index < found[$1].index }) {
      let path = found[position].node.identity.uniqueID
      let rank = (seen[path] ?? 0) + 1
      seen[path] = rank
      if rank > 1 { found[position].node.identity.uniqueID += "#\(rank)" }
    }
    return found.map(\.node)
  }

  /// The errors of nodes that the user may not open.
  func refusals() -> [CaptureError] {
    numbers().compactMap { number in
      do throws(CaptureError) { _ = try describe("\(devices)/video\(number)") } catch {
        return error.code == .permissionDenied ? error : nil
      }
      return nil
    }
  }

  /// The numbers of the nodes, in order.
  private func numbers() -> [Int] {
    calls.entries(of: devices).compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
    }.sorted()
  }

  /// The node behind an identifier: `v4l2:<bus path>`, `v4l2:<serial number>`,
  /// `v4l2:/dev/video0`, each also without the prefix.
  ///
  /// - Throws: what opening says, for a node; ``CaptureError/Code/deviceNotFound`` for a bus path
  ///   or serial number that no device has, ``CaptureError/Code/invalidArgument`` for a serial number
  ///   that several have.
  func node(identifier: String) throws(CaptureError) -> Node {
    let name = identifier.hasPrefix("v4l2:") ? String(identifier.dropFirst(5)) : identifier
    if name.hasPrefix("/") {
      let path = calls.resolved(name) ?? name
      let node = try describe(path)
      return nodes().first { $0.path == path } ?? node
    }
    let all = nodes()
    let named = all.first { $0.identity.uniqueID == "v4l2:" + name }
    let numbered = all.filter { $0.identity.serialNumber == name }
    if named == nil, Set(numbered.map(\.capability.busInfo)).count > 1 {
      let names = numbered.map(\.identity.uniqueID).joined(separator: ", ")
      throw CaptureError(
        .invalidArgument,
        "several devices have the serial number \(name); choose one of them by its place: \(names)")
    }
    guard let node = named ?? numbered.first else {
      throw CaptureError(
        .deviceNotFound,
        "no video device at \(name)"
          + Suggestion.remark(on: "v4l2:" + name, among: all.map(\.identity.uniqueID))
          + "; plug it in, or choose another device")
    }
    return node
  }

  /// The node at which a device is now: where its serial number is, or else at its bus path.
  ///
  /// - Parameters:
  ///   - identity: The device.
  ///   - all: The nodes that are there.
  ///   - sharesSerial: True where another device has the serial number too, which then finds nothing.
  static func node(
    of identity: CaptureDevice.Identity, in all: [Node], sharesSerial: Bool
  ) -> Node? {
    let alike = all.filter {
      $0.identity.modelID == identity.modelID && rank($0.identity) == rank(identity)
    }
    let here = alike.filter { $0.identity.uniqueID == identity.uniqueID }
    guard let serial = identity.serialNumber, !sharesSerial else { return here.first }
    let numbered = alike.filter { $0.identity.serialNumber == serial }
    return numbered.first { $0.identity.uniqueID == identity.uniqueID } ?? numbered.first
      ?? here.first
  }

  /// True where devices at several places have the serial number of one: makers print the same on all.
  static func sharesSerial(_ identity: CaptureDevice.Identity, in all: [Node]) -> Bool {
    places(ofSerial: identity, in: all).count > 1
  }

  /// The places on the bus of the devices that have the serial number of one, its own among them where it is
  /// there; none for one without a number.
  static func places(ofSerial identity: CaptureDevice.Identity, in all: [Node]) -> Set<String> {
    guard let serial = identity.serialNumber else { return [] }
    return Set(
      all.filter {
        $0.identity.serialNumber == serial && $0.identity.modelID == identity.modelID
      }.map(\.capability.busInfo))
  }

  private static func rank(_ identity: CaptureDevice.Identity) -> Substring? {
    guard let mark = identity.uniqueID.lastIndex(of: "#") else { return nil }
    return identity.uniqueID[mark...]
  }

  func describe(_ path: String) throws(CaptureError) -> Node {
    let capability = try V4L2Capability(V4L2Handle(node: path, calls: calls))
    guard capability.isCapture else {
      throw CaptureError(
        .deviceNotFound,
        "\(path) (\(capability.card)) delivers no video; choose another device")
    }
    let usb = usbFacts(path)
    let identity = CaptureDevice.Identity(
      uniqueID: "v4l2:" + capability.busInfo,
      localizedName: capability.card, manufacturer: usb?.manufacturer ?? "",
      modelID: usb?.model ?? capability.driver, serialNumber: usb?.serial, node: path,
      busPath: capability.busInfo, mediaType: .video)
    return Node(path: path, capability: capability, identity: identity, index: index(of: path))
  }

  /// The place of a node among those of its device; nil where the system does not tell.
  func index(of path: String) -> Int? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return calls.text(of: "\(classFolder)/\(name)/index").flatMap { Int($0) }
  }

  private struct USBFacts {
    var manufacturer: String?
    var model: String
    var serial: String?
  }

  /// What sysfs knows of the USB device that a node belongs to; nil where it belongs to none.
  private func usbFacts(_ path: String) -> USBFacts? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard var folder = calls.resolved("\(classFolder)/\(name)/device") else { return nil }
    // The node's parent is an interface of the device; the device is one step above.
    for _ in 0..<3 {
      if let vendor = calls.text(of: folder + "/idVendor"),
        let product = calls.text(of: folder + "/idProduct")
      {
        let serial = calls.text(of: folder + "/serial")
        return USBFacts(
          manufacturer: calls.text(of: folder + "/manufacturer"),
          model: "usb:\(vendor):\(product)", serial: serial?.isEmpty == true ? nil : serial)
      }
      guard let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { return nil }
      folder = String(folder[..<slash])
    }
    return nil
  }
}
