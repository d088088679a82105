public import Foundation
public import VideoRecorder

/// What tape recorders, phones with several lenses, and microphones with several capsules can do, and no device here:
/// what is set nevertheless changes nothing.
extension CaptureDevice {
  /// What a tape does.
  public enum TransportControlsPlaybackMode: Int, Sendable, Hashable {
    /// It stands, or is wound.
    case notPlaying = 0
    /// It plays.
    case playing = 1
  }
  /// How fast a tape runs: 1 as it was recorded, 0 not at all, below 0 backwards.
  public typealias TransportControlsSpeed = Float

  /// False: no device here has a tape. Decks of the HyperDeck protocol are `HyperDeck`'s.
  public var transportControlsSupported: Bool { false }
  /// Not playing.
  public var transportControlsPlaybackMode: TransportControlsPlaybackMode { .notPlaying }
  /// 0.
  public var transportControlsSpeed: TransportControlsSpeed { 0 }
  /// Changes nothing: ask ``transportControlsSupported`` before.
  public func setTransportControlsPlaybackMode(
    _ mode: TransportControlsPlaybackMode, speed: TransportControlsSpeed
  ) {}
  /// False: whether another program has a device is seen when it is opened.
  public var isLockedForConfigurationByAnotherProcess: Bool { false }

  /// 0: not known.
  public var nominalFocalLengthIn35mmFilm: Float { 0 }
  /// Nil: how devices stand to one another is not known.
  public static func extrinsicMatrix(
    from fromDevice: AVCaptureDevice, to toDevice: AVCaptureDevice
  ) -> Data? { nil }
  /// None: nothing spatial is recorded.
  public var spatialCaptureDiscomfortReasons: Set<AVSpatialCaptureDiscomfortReason> { [] }
}

/// Why spatial pictures would be hard to look at.
public struct AVSpatialCaptureDiscomfortReason: RawRepresentable, Sendable, Hashable {
  /// The name.
  public let rawValue: String
  /// A reason from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// It is too dark.
  public static let notEnoughLight = Self(
    rawValue: "AVSpatialCaptureDiscomfortReasonNotEnoughLight")
  /// Something is too near.
  public static let subjectTooClose = Self(
    rawValue: "AVSpatialCaptureDiscomfortReasonSubjectTooClose")
}

extension CaptureDevice.Format {
  /// False: a movie here has one picture at a time.
  public var isSpatialVideoCaptureSupported: Bool { false }
  /// 0: not known.
  public var geometricDistortionCorrectedVideoFieldOfView: Float { 0 }
  /// False: no masks are made.
  public var isPortraitEffectsMatteStillImageDeliverySupported: Bool { false }
  /// None: every output takes every format of its kind of media.
  public var unsupportedCaptureOutputClasses: [AnyClass] { [] }
}

extension CaptureMovieFileOutput {
  /// False: a movie here has one picture at a time.
  public var isSpatialVideoCaptureSupported: Bool { false }
  /// False.
  public var isSpatialVideoCaptureEnabled: Bool {
    get { false }
    set {}
  }
}

extension CaptureDeviceInput {
  /// What becomes of a phone's several microphones.
  public enum MultichannelAudioMode: Int, Sendable, Hashable {
    /// One channel. Stands here for the channels that the device has.
    case none = 0
    /// Two channels.
    case stereo = 1
    /// Four channels, for all directions.
    case firstOrderAmbisonics = 2
  }

  /// True for none alone: sound has the channels of the device's format.
  public func isMultichannelAudioModeSupported(
    _ multichannelAudioMode: MultichannelAudioMode
  ) -> Bool { multichannelAudioMode == .none }
  /// None.
  public var multichannelAudioMode: MultichannelAudioMode {
    get { .none }
    set {}
  }
  /// False: sound is taken as it comes.
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
