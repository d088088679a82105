package import AssetWriter
public import CaptureDevices
public import MediaCore
package import VideoRecorder

/// What to record: a preset, and what was specified beyond it.
public struct RecordingRequest: Sendable {
  /// The preset; a preset of nothing but defaults takes what the device has.
  public var preset: Preset
  /// The video device's identifier; nil for the best that is present.
  public var deviceID: String?
  /// The way to the very device, where it was recorded from before: it is found by who it is, and not by
  /// the place that its identifier names.
  var device: (any CaptureDeviceDriver)?
  /// True to record tiers that do not hold 10-bit 4:2:2 as well.
  public var allowsFallback = false
  /// True to accept another audio format if the device does not offer the preset's.
  public var allowsOtherAudioFormat = false
  /// How long to record; nil until it is stopped.
  public var duration: RecordingDuration?
  /// True to replace a file that exists.
  public var overwritesExistingFile = false

  /// The folder of a movie whose name was not given; nil for the working folder.
  public var outputFolder: String?
  /// A folder that gets each movie as well; nil for the preset's.
  public var secondFolder: String?
  /// What the movies of the take have in common in their metadata; nil to make one.
  public var takeIdentifier: String?

  /// The values for wildcards in the movie's name, some of which are written into the movie as well.
  /// Device, preset and time are filled in.
  public var names = MovieName.Values()

  /// What knows the system's clock.
  var clock = ClockWatch.system
  /// Makes outputs that get what is recorded as well, for those who look on; asked once for each
  /// session, since an output belongs to one. They must return at once.
  package var makeObservers: (@Sendable () -> [CaptureOutput])?

  /// As `CaptureMovieFileOutput.openMovieHandler`.
  package var openMovieHandler: (@Sendable (OpenMovies.Step) -> Void)?

  /// Called with the path of each movie that is complete and has its sidecar, while the take may go on in
  /// the next one. Not on a thread that records; it should return soon.
  public var completedMovieHandler: (@Sendable (String) -> Void)?

  /// A request of a preset.
  public init(preset: Preset) { self.preset = preset }

  /// The criteria of the video format.
  ///
  /// A device that generates its frames has no best format: it makes 1080 at 29.97 if
  /// nothing else was asked for.
  func criteria(for device: CaptureDevice) -> FormatCriteria {
    var criteria = FormatCriteria(preset: preset)
    if allowsFallback { criteria.allowedTiers = Set(FormatTier.allCases) }
    if device.deviceType == .pattern, criteria.bounds.isEmpty {
      if criteria.dimensions == nil {
        criteria.dimensions = VideoDimensions(width: 1920, height: 1080)
      }
      if criteria.frameRate == nil { criteria.frameRate = .fps29_97 }
      if criteria.fieldOrder == nil { criteria.fieldOrder = .progressive }
    }
    return criteria
  }

  /// The take's slate, as far as it was given.
  var label: TakeLabel { TakeLabel(reel: names.reel, scene: names.scene, take: names.take) }

  /// The encoder that the preset names.
  package var encoder: EncoderChoice { EncoderChoice(preset.video.encoder) ?? .automatic }
}

/// The devices and formats that a request comes to on this machine. Nothing is taken from anybody.
public struct RecordingSelection: Sendable {
  /// The video device.
  public let device: CaptureDevice
  public let format: CaptureDevice.Format
  /// The rate; nil where the device does not say which it has.
  public let frameRate: FrameRate?
  /// The audio device; nil for a silent movie.
  public let audioDevice: CaptureDevice?
  public let audioFormat: CaptureDevice.Format?
  /// Why the test pattern is recorded although nobody named it; nil where hardware is.
  public let standInReason: String?

  /// Chooses devices and formats.
  ///
  /// - Throws: `CaptureError.Code.deviceNotFound`, `CaptureError.Code.formatUnavailable`,
  ///   `CaptureError.Code.codecUnavailable`, and what drivers say.
  public init(_ request: RecordingRequest) throws(CaptureError) {
    var part = Part.device
    try self.init(request, choosing: &part)
  }

  /// What is chosen, one after the other.
  package enum Part: Sendable { case device, format, timecode, audio, channelLayout }

  /// As ``init(_:)``.
  ///
  /// - Parameter part: What was being chosen where it throws.
  package init(_ request: RecordingRequest, choosing part: inout Part) throws(CaptureError) {
    part = .device
    let device = try Self.device(request)
    part = .format
    let criteria = request.criteria(for: device)
    self.device = device
    standInReason =
      request.deviceID == nil && device.deviceType == .pattern ? Self.whyNoHardware() : nil
    format = try device.findFormat(where: criteria)
    frameRate = criteria.frameRate(for: format)
    part = .audio
    audioDevice = try Self.audioDevice(request, beside: device)
    audioFormat = try audioDevice.map { audio throws(CaptureError) in
      try Self.audioFormat(of: audio, request)
    }
  }

  /// The tier of the video.
  public var tier: FormatTier { format.tier ?? .eightBit420 }

  private static func device(_ request: RecordingRequest) throws(CaptureError) -> CaptureDevice {
    if let driver = request.device { return CaptureDevice(driver: driver) }
    if let identifier = request.deviceID {
      return try CaptureDevice.device(identifier: identifier)
    }
    if request.allowsFallback,
      let camera = CaptureDevice.DiscoverySession(
        deviceTypes: [.external], mediaType: .video
      ).devices.first
    {
      return CaptureDevice(driver: camera.driver)
    }
    guard let best = CaptureDevice.default(for: .video) else {
      throw CaptureError(
        .deviceNotFound, "no capture device is present; connect one, or use the device pattern")
    }
    return CaptureDevice(driver: best.driver)
  }

  private static func whyNoHardware() -> String {
    let cameras = CaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video)
      .devices.map(\.localizedName)
    let refusals = V4L2DeviceDriver.refusals().map(\.message)
    let reason =
      cameras.isEmpty
      ? "no camera or capture card was found"
      : "no 10-bit 4:2:2 from \(cameras.joined(separator: ", ")); allow a fallback, or name a device"
    return ([reason] + refusals).joined(separator: "; ")
  }

  /// The audio that belongs to the video: the device's own, that of the same file, the tone of a
  /// pattern, or nothing.
  private static func audioDevice(
    _ request: RecordingRequest, beside device: CaptureDevice
  ) throws(CaptureError) -> CaptureDevice? {
    switch request.preset.audio.device {
    case "none": return nil
    case "auto":
      if device.hasMediaType(.audio) { return device }
      if let file = device.driver as? FileDeviceDriver {
        return file.audioCompanion.map { CaptureDevice(driver: $0) }
      }
      if let pattern = device.driver as? PatternDeviceDriver {
        let pace = pattern.options.isRealTime ? "" : "?pace=pattern"
        return try CaptureDevice.device(identifier: "tone" + pace)
      }
      return CaptureDevice.DiscoverySession(deviceTypes: [.microphone], mediaType: .audio)
        .devices.first { $0.identity.isBeside(device.identity) }
    case let identifier: return try CaptureDevice.device(identifier: identifier)
    }
  }

  private static func audioFormat(
    of device: CaptureDevice, _ request: RecordingRequest
  ) throws(CaptureError) -> CaptureDevice.Format {
    var criteria = AudioFormatCriteria(preset: request.preset)
    do throws(CaptureError) { return try device.findAudioFormat(where: criteria) } catch {
      guard request.allowsOtherAudioFormat, error.code == .formatUnavailable else { throw error }
      criteria.channelCount = nil
      criteria.sampleRate = nil
      return try device.findAudioFormat(where: criteria)
    }
  }
}

extension CaptureDevice.Identity {
  /// True where two devices are parts of one piece of hardware: they share a serial number, or the place
  /// at which they are attached.
  func isBeside(_ other: Self) -> Bool {
    if let serialNumber, !serialNumber.isEmpty, serialNumber == other.serialNumber { return true }
    guard let mine = place, let theirs = other.place else { return false }
    return mine == theirs
  }

  /// The USB or PCI address of the hardware; nil where it is known by none.
  private var place: Substring? {
    guard let busPath else { return nil }
    if busPath.hasPrefix("usb-") { return busPath[...] }
    guard busPath.hasPrefix("PCI:") || busPath.hasPrefix("PCIe:") else { return nil }
    // A card may have its video and its audio in two functions of one device.
    return busPath.drop { $0 != ":" }.prefix { $0 != "." }
  }
}
