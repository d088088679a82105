public import MediaCore

extension CaptureDevice {
  /// A kind of device.
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String
    /// A kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Capture hardware: a card, a camera.
    public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
    /// A sound card or a microphone.
    public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
    /// The test pattern generator, and its tone.
    public static let pattern = DeviceType(rawValue: "pattern")
    /// A file that plays as a camera.
    public static let file = DeviceType(rawValue: "file")

    /// The kind of the device with an identifier.
    init(uniqueID: String) {
      self =
        switch uniqueID.prefix(while: { $0 != ":" && $0 != "?" }) {
        case "pattern", "tone": .pattern
        case "file": .file
        case "alsa": .microphone
        default: .external
        }
    }
  }

  /// A look at the devices that are present, as `AVCaptureDevice.DiscoverySession` is. Each is one object
  /// for whoever looks: see ``init(uniqueID:)``.
  public struct DiscoverySession: Sendable {
    /// What was found: hardware first, the pattern device last.
    public let devices: [CaptureDevice]

    /// Looks for devices.
    ///
    /// - Parameters:
    ///   - deviceTypes: The kinds to look for; empty for all.
    ///   - mediaType: What they must deliver; nil for anything.
    public init(deviceTypes: [DeviceType] = [], mediaType: MediaType? = nil) {
      self.init(
        CaptureDeviceCatalog.system.discover().map(SharedDevices.shared), deviceTypes, mediaType)
    }

    init(deviceTypes: [DeviceType], mediaType: MediaType?, catalog: CaptureDeviceCatalog) {
      self.init(catalog.discover(), deviceTypes, mediaType)
    }

    private init(_ found: [CaptureDevice], _ deviceTypes: [DeviceType], _ mediaType: MediaType?) {
      devices = found.filter { device in
        (deviceTypes.isEmpty || deviceTypes.contains(device.deviceType))
          && (mediaType.map { device.hasMediaType($0) } ?? true)
      }
    }
  }

  /// A device object of the caller's own, for the device that an identifier names:
  /// `v4l2:<bus path or node>`, `/dev/videoN`, `pattern[:kind]`, `file:<path>`, `alsa:<card>`, `tone`.
  ///
  /// - Throws: ``CaptureError/Code/deviceNotFound`` where nothing answers to it,
  ///   ``CaptureError/Code/invalidArgument`` if it is not an identifier.
  public static func device(identifier: String) throws(CaptureError) -> CaptureDevice {
    try CaptureDeviceCatalog.system.device(identifier: identifier)
  }

  /// The device with an identifier, or nil: Apple's form of ``device(identifier:)``.
  ///
  /// As with Apple's, there is one object for a device, whoever looks it up in this way, by a
  /// ``DiscoverySession`` or by ``default(for:)``: a format that one chooses is everybody's. A device that
  /// was away is a new object.
  public convenience init?(uniqueID: String) {
    let found = try? CaptureDevice.device(identifier: uniqueID)
    self.init(existing: found.map(SharedDevices.shared))
  }

  /// The best device for a type of media.
  ///
  /// For video: hardware with true 10-bit 4:2:2 (tiers 1 and 2), the best format first;
  /// else the pattern device. For audio: the first sound card; else the tone.
  public static func `default`(for mediaType: MediaType) -> CaptureDevice? {
    CaptureDeviceCatalog.system.bestDevice(for: mediaType).map(SharedDevices.shared)
  }
}

/// The ways to find devices.
///
/// Each kind of driver adds one ``Source`` to ``system``; tests make catalogues of their own.
struct CaptureDeviceCatalog: Sendable {
  /// One kind of driver.
  package struct Source: Sendable {
    /// The word before the colon of an identifier.
    var schemes: [String]
    /// The devices of the kind that are present now.
    var discover: @Sendable () -> [CaptureDevice]
    /// The device for what follows the colon; nil leaves it to a search in `discover`.
    var open: (@Sendable (_ scheme: String, _ rest: String) throws(CaptureError) -> CaptureDevice)?
  }

  var sources: [Source]

  /// Everything that is present now, in the order of the sources.
  func discover() -> [CaptureDevice] { sources.flatMap { $0.discover() } }

  func device(identifier: String) throws(CaptureError) -> CaptureDevice {
    let name = identifier.hasPrefix("/dev/video") ? "v4l2:" + identifier : identifier
    let scheme = String(name.prefix { $0 != ":" && $0 != "?" })
    let tail = name.dropFirst(scheme.count)
    let rest = String(tail.first == ":" ? tail.dropFirst() : tail)
    guard let source = sources.first(where: { $0.schemes.contains(scheme) }) else {
      throw unknown(identifier, scheme: scheme)
    }
    if let open = source.open { return try open(scheme, rest) }
    let present = source.discover()
    if let match = present.first(where: { $0.answers(to: name, rest) }) { return match }
    let names = present.map(\.uniqueID)
    throw CaptureError(
      .deviceNotFound,
      "device '\(identifier)' not found"
        + (names.isEmpty
          ? "; no device of its kind is present"
          : Suggestion.remark(on: identifier, among: names)
            + "; present: \(names.joined(separator: ", "))"))
  }

  private func unknown(_ identifier: String, scheme: String) -> CaptureError {
    guard !identifier.isEmpty else {
      return CaptureError(
        .invalidArgument, "the device name is empty; choose a device by its identifier")
    }
    let schemes = sources.flatMap(\.schemes)
    // What follows the scheme was probably right.
    let near = Suggestion.nearest(to: scheme, in: schemes).map {
      $0 + identifier.dropFirst(scheme.count)
    }
    return CaptureError(
      .invalidArgument,
      "unknown device '\(identifier)'\(near.map { " (did you mean '\($0)'?)" } ?? ""); an "
        + "identifier begins with one of \(schemes.joined(separator: ", "))")
  }

  func bestDevice(for mediaType: MediaType) -> CaptureDevice? {
    let devices = discover().filter { $0.isConnected && $0.hasMediaType(mediaType) }
    let hardware = devices.filter { [.external, .microphone].contains($0.deviceType) }
    if mediaType == .audio, let first = hardware.first { return first }
    let best =
      hardware
      .compactMap { device in
        FormatOrder.video(device.formats).first.flatMap { format in
          format.tier.map { (device: device, tier: $0) }
        }
      }
      .filter { $0.tier.isTrue10Bit422 }
      .min { $0.tier < $1.tier }
    return best?.device ?? devices.first { $0.deviceType == .pattern }
  }
}

extension CaptureDevice {
  /// True where an identifier, or what follows its colon, names the device by identity or node.
  fileprivate func answers(to name: String, _ rest: String) -> Bool {
    let identity = identity
    return identity.uniqueID == name || identity.node == rest || identity.serialNumber == rest
  }
}
