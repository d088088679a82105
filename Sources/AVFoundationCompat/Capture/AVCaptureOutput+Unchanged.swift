public import Foundation
public import MediaCore
public import VideoRecorder

/// Phone settings that have no effect here.
extension CaptureVideoDataOutput {
  /// False: frames have the size of the device's format. Setting it has no effect.
  public var automaticallyConfiguresOutputBufferDimensions: Bool {
    get { false }
    set {}
  }
  /// False: frames have the size of the device's format. Setting it has no effect.
  public var deliversPreviewSizedOutputBuffers: Bool {
    get { false }
    set {}
  }
}

extension CaptureMovieFileOutput {
  /// False: there are no virtual devices here. Setting it has no effect.
  public var isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled: Bool {
    get { false }
    set {}
  }
  /// False: frames are not rotated.
  public func recordsVideoOrientationAndMirroringChangesAsMetadataTrack(
    for connection: AVCaptureConnection
  ) -> Bool { false }
  /// Has no effect.
  public func setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(
    _ doRecordChanges: Bool, for connection: AVCaptureConnection
  ) {}
}

extension CaptureSession {
  /// False: no device here has buttons or dials that a session could use.
  public var supportsControls: Bool { false }
  /// 0, as ``supportsControls``.
  public var maxControlsCount: Int { 0 }
  /// False: audio comes from the chosen device. Setting it has no effect.
  public var configuresApplicationAudioSessionForBluetoothHighQualityRecording: Bool {
    get { false }
    set {}
  }
  /// 0: not measured.
  public var hardwareCost: Float { 0 }
  /// 0: not measured.
  public var systemPressureCost: Float { 0 }
}

extension CaptureSession.Preset {
  /// Not supported, as ``medium``.
  public static let qvga320x240 = Self(rawValue: "AVCaptureSessionPreset320x240")
}

extension CaptureInput {
  /// The ports with the given media type, device type and position; nil and `unspecified` match all.
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
  /// False. Setting it has no effect.
  public var unifiedAutoExposureDefaultsEnabled: Bool {
    get { false }
    set {}
  }
  /// Invalid: the device's frame durations apply. Setting it has no effect.
  public var videoMinFrameDurationOverride: CMTime {
    get { .invalid }
    set {}
  }
}

extension CaptureInputPort {
  /// The type of the port's device.
  public var sourceDeviceType: AVCaptureDevice.DeviceType? { device.deviceType }
  /// Always unspecified.
  public var sourceDevicePosition: AVCaptureDevice.Position { .unspecified }
}

extension CaptureDevice {
  /// How a flash is used.
  public enum FlashMode: Int, Sendable, Hashable {
    /// Not at all.
    case off = 0
    /// With each photo.
    case on = 1
    /// When it is dark.
    case auto = 2
  }

  /// The thermal and power state of a phone.
  public struct SystemPressureState: Sendable, Hashable {
    /// A level of pressure.
    public struct Level: RawRepresentable, Sendable, Hashable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      /// Normal: every device here.
      public static let nominal = Self(rawValue: "AVCaptureSystemPressureLevelNominal")
      public static let fair = Self(rawValue: "AVCaptureSystemPressureLevelFair")
      public static let serious = Self(rawValue: "AVCaptureSystemPressureLevelSerious")
      public static let critical = Self(rawValue: "AVCaptureSystemPressureLevelCritical")
      /// Too high: the camera stops.
      public static let shutdown = Self(rawValue: "AVCaptureSystemPressureLevelShutdown")
    }
    /// Always nominal.
    public let level = Level.nominal
    /// Always empty.
    public let factors: Factors = []

    /// The causes of the pressure.
    public struct Factors: OptionSet, Sendable, Hashable {
      public let rawValue: UInt
      public init(rawValue: UInt) { self.rawValue = rawValue }
      /// The phone is hot.
      public static let systemTemperature = Self(rawValue: 1)
      /// The battery cannot deliver the requested power.
      public static let peakPower = Self(rawValue: 2)
      /// The depth module is hot.
      public static let depthModuleTemperature = Self(rawValue: 4)
      /// The camera is hot.
      public static let cameraTemperature = Self(rawValue: 8)
    }
  }

  /// True only for off.
  public func isFlashModeSupported(_ flashMode: FlashMode) -> Bool { flashMode == .off }
  /// Off. Setting it has no effect.
  public var flashMode: FlashMode {
    get { .off }
    set {}
  }
  /// 1: there are no virtual devices here.
  public var displayVideoZoomFactorMultiplier: CGFloat { 1 }
  /// Nominal: no device here reports it.
  public var systemPressureState: SystemPressureState { SystemPressureState() }
  /// Nil: no device here measures depth.
  public var activeDepthDataFormat: Format? {
    get { nil }
    set {}
  }
  /// Invalid. Setting it has no effect.
  public var activeDepthDataMinFrameDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// None: a capture card's input is part of its format.
  public var linkedDevices: [AVCaptureDevice] { [] }
  /// None: inputs are separate devices or formats here.
  public var inputSources: [InputSource] { [] }
  /// Nil, because ``inputSources`` is empty. Setting it has no effect.
  public var activeInputSource: InputSource? {
    get { nil }
    set {}
  }

  /// One of several inputs of a device.
  public struct InputSource: Sendable, Hashable {
    public let inputSourceID: String
    /// The display name.
    public let localizedName: String
  }

  /// 0: unknown.
  public var transportType: Int32 { 0 }
}

extension CaptureDevice.DiscoverySession {
  /// None: devices can be combined freely, as far as the machine's performance allows.
  public var supportedMultiCamDeviceSets: [Set<AVCaptureDevice>] { [] }
}

extension AVCaptureVideoPreviewLayer {
  /// Sets the session without connecting; the program connects the layer itself.
  public func setSessionWithNoConnection(_ session: AVCaptureSession) {
    self.session = nil
    attachWithoutConnection(session)
  }
}

/// A session with several cameras. Not supported: use one session per device.
public typealias AVCaptureMultiCamSession = CaptureSession

extension CaptureSession {
  /// False: use one session per camera.
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
