public import Foundation
public import MediaCore
public import VideoRecorder

/// Switches of phones that change nothing here.
extension CaptureVideoDataOutput {
  /// False: pictures have the size of the device's format. To set it changes nothing.
  public var automaticallyConfiguresOutputBufferDimensions: Bool {
    get { false }
    set {}
  }
  /// False: pictures have the size of the device's format. To set it changes nothing.
  public var deliversPreviewSizedOutputBuffers: Bool {
    get { false }
    set {}
  }
}

extension CaptureMovieFileOutput {
  /// False: no device here stands for several. To set it changes nothing.
  public var isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled: Bool {
    get { false }
    set {}
  }
  /// False: pictures are not turned.
  public func recordsVideoOrientationAndMirroringChangesAsMetadataTrack(
    for connection: AVCaptureConnection
  ) -> Bool { false }
  /// Changes nothing.
  public func setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(
    _ doRecordChanges: Bool, for connection: AVCaptureConnection
  ) {}
}

extension CaptureSession {
  /// False: no device here has buttons and wheels that a session could use.
  public var supportsControls: Bool { false }
  /// 0, as ``supportsControls`` says.
  public var maxControlsCount: Int { 0 }
  /// False: sound comes from the device that was chosen. To set it changes nothing.
  public var configuresApplicationAudioSessionForBluetoothHighQualityRecording: Bool {
    get { false }
    set {}
  }
  /// 0: what devices cost is not counted.
  public var hardwareCost: Float { 0 }
  /// 0: what devices cost is not counted.
  public var systemPressureCost: Float { 0 }
}

extension CaptureSession.Preset {
  /// Not here, as ``medium``.
  public static let qvga320x240 = Self(rawValue: "AVCaptureSessionPreset320x240")
}

extension CaptureInput {
  /// The ports of a kind; of all kinds for nil. A device's own kind and place are those that it has.
  public func ports(
    for mediaType: AVMediaType?, sourceDeviceType: AVCaptureDevice.DeviceType?,
    sourceDevicePosition: AVCaptureDevice.Position
  ) -> [AVCaptureInput.Port] {
    ports.filter { port in
      (mediaType == nil || port.mediaType == mediaType)
        && (sourceDeviceType == nil || port.sourceDeviceType == sourceDeviceType)
        && [.unspecified, port.sourceDevicePosition].contains(sourceDevicePosition)
    }
  }
}

extension CaptureDeviceInput {
  /// False. To set it changes nothing.
  public var unifiedAutoExposureDefaultsEnabled: Bool {
    get { false }
    set {}
  }
  /// Invalid: the device's durations count. To set it changes nothing.
  public var videoMinFrameDurationOverride: CMTime {
    get { .invalid }
    set {}
  }
}

extension CaptureInputPort {
  /// The kind of its device.
  public var sourceDeviceType: AVCaptureDevice.DeviceType? { device.deviceType }
  /// Nowhere in particular.
  public var sourceDevicePosition: AVCaptureDevice.Position { .unspecified }
}

extension CaptureDevice {
  /// How a flash is used.
  public enum FlashMode: Int, Sendable, Hashable {
    /// Not at all.
    case off = 0
    /// With each photo.
    case on = 1
    /// Where it is dark.
    case auto = 2
  }

  /// How hot and busy a phone is.
  public struct SystemPressureState: Sendable, Hashable {
    /// A degree of it.
    public struct Level: RawRepresentable, Sendable, Hashable {
      /// The name.
      public let rawValue: String
      /// A degree from its name.
      public init(rawValue: String) { self.rawValue = rawValue }
      /// As it should be: every device here.
      public static let nominal = Self(rawValue: "AVCaptureSystemPressureLevelNominal")
      /// Somewhat high.
      public static let fair = Self(rawValue: "AVCaptureSystemPressureLevelFair")
      /// High.
      public static let serious = Self(rawValue: "AVCaptureSystemPressureLevelSerious")
      /// Very high.
      public static let critical = Self(rawValue: "AVCaptureSystemPressureLevelCritical")
      /// So high that the camera stops.
      public static let shutdown = Self(rawValue: "AVCaptureSystemPressureLevelShutdown")
    }
    /// As it should be, as far as is known.
    public let level = Level.nominal
    /// None, as far as is known.
    public let factors: Factors = []

    /// What makes it high.
    public struct Factors: OptionSet, Sendable, Hashable {
      /// Apple's number.
      public let rawValue: UInt
      /// Causes from their number.
      public init(rawValue: UInt) { self.rawValue = rawValue }
      /// The phone is hot.
      public static let systemTemperature = Self(rawValue: 1)
      /// The battery gives less than is asked of it.
      public static let peakPower = Self(rawValue: 2)
      /// What measures depth is hot.
      public static let depthModuleTemperature = Self(rawValue: 4)
      /// The camera is hot.
      public static let cameraTemperature = Self(rawValue: 8)
    }
  }

  /// True for off alone.
  public func isFlashModeSupported(_ flashMode: FlashMode) -> Bool { flashMode == .off }
  /// Off. To set it changes nothing.
  public var flashMode: FlashMode {
    get { .off }
    set {}
  }
  /// 1: no device here stands for several.
  public var displayVideoZoomFactorMultiplier: CGFloat { 1 }
  /// As it should be: no device here tells.
  public var systemPressureState: SystemPressureState { SystemPressureState() }
  /// Nil: no device here measures depth.
  public var activeDepthDataFormat: Format? {
    get { nil }
    set {}
  }
  /// Invalid. To set it changes nothing.
  public var activeDepthDataMinFrameDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// None: an input of a capture card is part of its format.
  public var linkedDevices: [AVCaptureDevice] { [] }
  /// None: a device's inputs are devices or formats of their own here.
  public var inputSources: [InputSource] { [] }
  /// Nil, as ``inputSources`` says. To set it changes nothing.
  public var activeInputSource: InputSource? {
    get { nil }
    set {}
  }

  /// One of several inputs of a device.
  public struct InputSource: Sendable, Hashable {
    /// The identifier.
    public let inputSourceID: String
    /// The name for people.
    public let localizedName: String
  }

  /// 0: not known.
  public var transportType: Int32 { 0 }
}

extension CaptureDevice.DiscoverySession {
  /// None: each device can be used together with each other one, as far as the machine carries it.
  public var supportedMultiCamDeviceSets: [Set<AVCaptureDevice>] { [] }
}

extension AVCaptureVideoPreviewLayer {
  /// Shows a session to which the program connects the layer itself.
  public func setSessionWithNoConnection(_ session: AVCaptureSession) {
    self.session = nil
    attachWithoutConnection(session)
  }
}

/// A session of several cameras: none here, for several devices are several sessions.
public typealias AVCaptureMultiCamSession = CaptureSession

extension CaptureSession {
  /// False: give each camera a session.
  public static var isMultiCamSupported: Bool { false }
}

extension CaptureConnection {
  /// A connection from a port to a layer, for `addConnection`.
  public convenience init(
    inputPort: AVCaptureInput.Port, videoPreviewLayer: AVCaptureVideoPreviewLayer
  ) {
    self.init(ports: [inputPort], to: videoPreviewLayer.output)
  }
}
