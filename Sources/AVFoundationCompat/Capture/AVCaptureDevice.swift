// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
public import VideoRecorder

/// A source of pictures or sound.
public typealias AVCaptureDevice = CaptureDevice
/// A span of frame rates.
public typealias AVFrameRateRange = CaptureDevice.FrameRateRange

/// What a program may do with devices.
public enum AVAuthorizationStatus: Int, Sendable, Hashable {
  /// Nobody was asked yet. Not used here.
  case notDetermined = 0
  /// The system forbids it. Not used here.
  case restricted = 1
  /// The user forbids it. Not used here.
  case denied = 2
  /// It is allowed.
  case authorized = 3
}

extension CaptureDevice {
  /// Where a device sits.
  public enum Position: Int, Sendable, Hashable {
    /// Nowhere in particular: every device here.
    case unspecified = 0
    /// At the back of a phone.
    case back = 1
    /// At the front of a phone.
    case front = 2
  }

  /// Nowhere in particular.
  public var position: Position { .unspecified }

  /// Takes the right to change the format and the frame durations.
  ///
  /// - Throws: ``AVError/Code/deviceWasDisconnected``.
  public func lockForConfiguration() throws {
    do throws(CaptureError) { try lock() } catch { throw AVError(error) }
  }

  /// The format that a session streams. A device that offers none has a format of pictures of 0x0.
  public var activeFormat: Format {
    get { chosenFormat ?? Format(formatDescription: .video(VideoFormatDescription.none)) }
    set { chosenFormat = newValue }
  }

  /// Always allowed: no program is asked on Linux. What the permissions of device files forbid is an
  /// error of what opens the device.
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    .authorized
  }

  /// As ``authorizationStatus(for:)``: there is nothing to wait for.
  public static func requestAccess(for mediaType: AVMediaType) async -> Bool { true }

  /// As ``authorizationStatus(for:)``; `handler` is called at once.
  public static func requestAccess(
    for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    handler(true)
  }

  /// The best device of a kind; nil for a position other than unspecified, and for kinds of device
  /// that phones have.
  public static func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? {
    DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position)
      .devices.first
  }

  /// All devices.
  public static func devices() -> [AVCaptureDevice] { DiscoverySession().devices }

  /// The devices for a type of media.
  public static func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
    DiscoverySession(mediaType: mediaType).devices
  }
}

extension VideoFormatDescription {
  /// Pictures of no kind and size.
  fileprivate static let none = VideoFormatDescription(
    codec: MediaCore.FourCharCode(rawValue: 0), dimensions: VideoDimensions(width: 0, height: 0))
}

extension CaptureDevice.DiscoverySession {
  /// Looks for devices; none has a position other than unspecified.
  public init(
    deviceTypes: [CaptureDevice.DeviceType], mediaType: AVMediaType?,
    position: CaptureDevice.Position
  ) {
    // A kind that no device is of: what phones have in front and at the back.
    self.init(
      deviceTypes: position == .unspecified ? deviceTypes : [.builtInWideAngleCamera],
      mediaType: mediaType)
  }
}

extension CaptureDevice.DeviceType {
  /// A phone's camera: no device here.
  public static let builtInWideAngleCamera = Self(
    rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
  /// A phone's camera: no device here.
  public static let builtInTelephotoCamera = Self(
    rawValue: "AVCaptureDeviceTypeBuiltInTelephotoCamera")
  /// A phone's camera: no device here.
  public static let builtInUltraWideCamera = Self(
    rawValue: "AVCaptureDeviceTypeBuiltInUltraWideCamera")
  /// A phone's cameras: no device here.
  public static let builtInDualCamera = Self(rawValue: "AVCaptureDeviceTypeBuiltInDualCamera")
  /// A phone's cameras: no device here.
  public static let builtInTripleCamera = Self(rawValue: "AVCaptureDeviceTypeBuiltInTripleCamera")
  /// Capture hardware, by its older name.
  public static let externalUnknown = external
  /// A sound card or a microphone, by its older name.
  public static let builtInMicrophone = microphone
}

extension CaptureDevice.Format {
  /// What the samples are.
  public var mediaType: AVMediaType { formatDescription.mediaType }
  /// The size of photos from the format.
  public var highResolutionStillImageDimensions: CMVideoDimensions { formatDescription.dimensions }
  /// The sizes of photos from the format: the one that it has.
  public var supportedMaxPhotoDimensions: [CMVideoDimensions] { [formatDescription.dimensions] }
  /// True for what photos are made of: a sensor's mosaic.
  public var isHighestPhotoQualitySupported: Bool { video?.pixelFormat?.isBayer == true }
}

extension CaptureDevice.FrameRateRange {
  /// The slowest rate, in frames a second.
  public var minFrameRate: Double { 1 / maxFrameDuration.seconds }
  /// The fastest rate, in frames a second.
  public var maxFrameRate: Double { 1 / minFrameDuration.seconds }
}
