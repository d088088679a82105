public import Foundation
public import VideoRecorder

/// Features of tape recorders, phones with several lenses, and microphones with several capsules. No device here has
/// them, and setting them has no effect.
extension CaptureDevice {
  /// The state of a tape.
  public enum TransportControlsPlaybackMode: Int, Sendable, Hashable {
    /// Stopped or winding.
    case notPlaying = 0
    /// Playing.
    case playing = 1
  }
  /// The tape speed: 1 as recorded, 0 stopped, negative backwards.
  public typealias TransportControlsSpeed = Float

  /// False: no device here has a tape. `HyperDeck` controls decks with the HyperDeck protocol.
  public var transportControlsSupported: Bool { false }
  /// Not playing.
  public var transportControlsPlaybackMode: TransportControlsPlaybackMode { .notPlaying }
  /// 0.
  public var transportControlsSpeed: TransportControlsSpeed { 0 }
  /// Has no effect; check ``transportControlsSupported`` first.
  public func setTransportControlsPlaybackMode(
    _ mode: TransportControlsPlaybackMode, speed: TransportControlsSpeed
  ) {}
  /// False: use by another program is only detected when the device is opened.
  public var isLockedForConfigurationByAnotherProcess: Bool { false }

  /// 0: unknown.
  public var nominalFocalLengthIn35mmFilm: Float { 0 }
  /// Nil: the relative positions of devices are unknown.
  public static func extrinsicMatrix(
    from fromDevice: AVCaptureDevice, to toDevice: AVCaptureDevice
  ) -> Data? { nil }
  /// None: spatial video is not supported.
  public var spatialCaptureDiscomfortReasons: Set<AVSpatialCaptureDiscomfortReason> { [] }
}

/// Why spatial video would be uncomfortable to watch.
public struct AVSpatialCaptureDiscomfortReason: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// It is too dark.
  public static let notEnoughLight = Self(
    rawValue: "AVSpatialCaptureDiscomfortReasonNotEnoughLight")
  /// The subject is too close.
  public static let subjectTooClose = Self(
    rawValue: "AVSpatialCaptureDiscomfortReasonSubjectTooClose")
}

extension CaptureDevice.Format {
  /// False: spatial video is not supported.
  public var isSpatialVideoCaptureSupported: Bool { false }
  /// 0: unknown.
  public var geometricDistortionCorrectedVideoFieldOfView: Float { 0 }
  /// False: mattes are not supported.
  public var isPortraitEffectsMatteStillImageDeliverySupported: Bool { false }
  /// None: every output accepts every format of its media type.
  public var unsupportedCaptureOutputClasses: [AnyClass] { [] }
}

extension CaptureMovieFileOutput {
  /// False: spatial video is not supported.
  public var isSpatialVideoCaptureSupported: Bool { false }
  /// False.
  public var isSpatialVideoCaptureEnabled: Bool {
    get { false }
    set {}
  }
}

extension CaptureDeviceInput {
  /// How a phone's several microphones are recorded.
  public enum MultichannelAudioMode: Int, Sendable, Hashable {
    /// One channel; here, the device's channels.
    case none = 0
    /// Two channels.
    case stereo = 1
    /// Four channels, for all directions.
    case firstOrderAmbisonics = 2
  }

  /// True only for `none`: audio has the channels of the device's format.
  public func isMultichannelAudioModeSupported(
    _ multichannelAudioMode: MultichannelAudioMode
  ) -> Bool { multichannelAudioMode == .none }
  /// None.
  public var multichannelAudioMode: MultichannelAudioMode {
    get { .none }
    set {}
  }
  /// False: audio is not processed.
  public var isWindNoiseRemovalSupported: Bool { false }
  /// False.
  public var isWindNoiseRemovalEnabled: Bool {
    get { false }
    set {}
  }
}

extension CaptureSession {
  /// False: all outputs start with the session.
  public var isManualDeferredStartSupported: Bool { false }
  /// False, as ``isManualDeferredStartSupported``.
  public var automaticallyRunsDeferredStart: Bool {
    get { false }
    set {}
  }
}
