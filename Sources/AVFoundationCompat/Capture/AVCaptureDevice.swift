// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
public import VideoRecorder

/// A source of video or audio.
public typealias AVCaptureDevice = CaptureDevice
/// A span of frame rates.
public typealias AVFrameRateRange = CaptureDevice.FrameRateRange

/// Whether a program may use devices.
public enum AVAuthorizationStatus: Int, Sendable, Hashable {
  /// The user has not been asked yet. Not used here.
  case notDetermined = 0
  /// The system forbids it. Not used here.
  case restricted = 1
  /// The user forbids it. Not used here.
  case denied = 2
  /// It is allowed.
  case authorized = 3
}

extension CaptureDevice {
  /// The position of a device on a phone.
  public enum Position: Int, Sendable, Hashable {
    /// Unspecified: every device here.
    case unspecified = 0
    /// At the back of a phone.
    case back = 1
    /// At the front of a phone.
    case front = 2
  }

  /// Always unspecified.
  public var position: Position { .unspecified }

  /// Allows the caller to change the format and the frame durations.
  ///
  /// - Throws: ``AVError/Code/deviceWasDisconnected``.
  public func lockForConfiguration() throws {
    do throws(CaptureError) { try lock() } catch { throw AVError(error) }
  }

  /// The format that a session streams. A device without formats reports a 0x0 video format.
  public var activeFormat: Format {
    get { chosenFormat ?? Format(formatDescription: .video(VideoFormatDescription.none)) }
    set { chosenFormat = newValue }
  }

  /// Always authorized: Linux does not ask the user. If device file permissions deny access, opening the device fails
  /// with an error.
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    .authorized
  }

  /// Returns true immediately; see ``authorizationStatus(for:)``.
  public static func requestAccess(for mediaType: AVMediaType) async -> Bool { true }

  /// Calls `handler` with true immediately; see ``authorizationStatus(for:)``.
  public static func requestAccess(
    for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    handler(true)
  }

  /// The best device of a type; nil for a position other than unspecified and for device types that only phones have.
  public static func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? {
    DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position)
      .devices.first
  }

  /// All devices.
  public static func devices() -> [AVCaptureDevice] { DiscoverySession().devices }

  /// The devices for a media type.
  public static func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
    DiscoverySession(mediaType: mediaType).devices
  }
}

extension VideoFormatDescription {
  /// A video format without codec and size.
  fileprivate static let none = VideoFormatDescription(
    codec: MediaCore.FourCharCode(rawValue: 0), dimensions: VideoDimensions(width: 0, height: 0))
}

extension CaptureDevice.DiscoverySession {
  /// Looks for devices. None has a position other than unspecified.
  public init(
    deviceTypes: [CaptureDevice.DeviceType], mediaType: AVMediaType?,
    position: CaptureDevice.Position
  ) {
    // For front and back, a device type that only phones have, so that nothing is found.
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
  /// External capture hardware, by its older name.
  public static let externalUnknown = external
  /// A sound card or a microphone, by its older name.
  public static let builtInMicrophone = microphone
}

extension CaptureDevice.Format {
  /// The media type of the samples.
  public var mediaType: AVMediaType { formatDescription.mediaType }
  /// The size of photos in this format.
  public var highResolutionStillImageDimensions: CMVideoDimensions { formatDescription.dimensions }
  /// The sizes of photos in this format: only its own size.
  public var supportedMaxPhotoDimensions: [CMVideoDimensions] { [formatDescription.dimensions] }
  /// True for a sensor's mosaic, from which photos are developed.
  public var isHighestPhotoQualitySupported: Bool { video?.pixelFormat?.isBayer == true }
}

extension CaptureDevice.FrameRateRange {
  /// The lowest rate, in frames per second.
  public var minFrameRate: Double { 1 / maxFrameDuration.seconds }
  /// The highest rate, in frames per second.
  public var maxFrameRate: Double { 1 / minFrameDuration.seconds }
}
