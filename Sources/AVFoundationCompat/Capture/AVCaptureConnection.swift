// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore
public import VideoRecorder

/// How a phone is held. Pictures here are as the device gives them.
public enum AVCaptureVideoOrientation: Int, Sendable, Hashable, CaseIterable {
  /// Upright, the home button at the bottom.
  case portrait = 1
  /// Upright, the home button at the top.
  case portraitUpsideDown = 2
  /// On its side, the home button at the right. Every device here.
  case landscapeRight = 3
  /// On its side, the home button at the left.
  case landscapeLeft = 4
}

/// How pictures are held still while a phone moves.
public enum AVCaptureVideoStabilizationMode: Int, Sendable, Hashable, CaseIterable {
  /// Not at all. Every device here.
  case off = 0
  /// By a phone's standard way.
  case standard = 1
  /// By a phone's cinematic way.
  case cinematic = 2
  /// By a phone's cinematic way, with a wider margin.
  case cinematicExtended = 3
  /// For a preview.
  case previewOptimized = 4
  /// By a phone's cinematic way, with a still wider margin.
  case cinematicExtendedEnhanced = 5
  /// By the best way that the format has.
  case auto = -1
}

/// What a connection can do to pictures: nothing. Each `is…Supported` says so, and what is set without
/// being supported, for which Apple's stops the program, changes nothing.
extension CaptureConnection {
  /// False: pictures are not turned.
  public var isVideoOrientationSupported: Bool { false }
  /// As the device gives pictures.
  public var videoOrientation: AVCaptureVideoOrientation {
    get { .landscapeRight }
    set {}
  }

  /// True for 0 alone: pictures are not turned.
  public func isVideoRotationAngleSupported(_ videoRotationAngle: Double) -> Bool {
    videoRotationAngle == 0
  }
  /// Degrees clockwise: 0.
  public var videoRotationAngle: Double {
    get { 0 }
    set {}
  }

  /// False: pictures are not mirrored.
  public var isVideoMirroringSupported: Bool { false }
  /// False.
  public var isVideoMirrored: Bool {
    get { false }
    set {}
  }
  /// False.
  public var automaticallyAdjustsVideoMirroring: Bool {
    get { false }
    set {}
  }

  /// False: pictures are not stabilized.
  public var isVideoStabilizationSupported: Bool { false }
  /// Off.
  public var preferredVideoStabilizationMode: AVCaptureVideoStabilizationMode {
    get { .off }
    set {}
  }
  /// Off.
  public var activeVideoStabilizationMode: AVCaptureVideoStabilizationMode { .off }

  /// False: frame durations are the device's (`activeVideoMinFrameDuration`).
  public var isVideoMinFrameDurationSupported: Bool { false }
  /// False, as ``isVideoMinFrameDurationSupported``.
  public var isVideoMaxFrameDurationSupported: Bool { false }
  /// Invalid: no limit of the connection's own.
  public var videoMinFrameDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// Invalid: no limit of the connection's own.
  public var videoMaxFrameDuration: CMTime {
    get { .invalid }
    set {}
  }

  /// 1: pictures are not enlarged.
  public var videoMaxScaleAndCropFactor: CGFloat { 1 }
  /// 1.
  public var videoScaleAndCropFactor: CGFloat {
    get { 1 }
    set {}
  }
  /// False: fields are woven into frames by the device.
  public var isVideoFieldModeSupported: Bool { false }
  /// False: nothing here is made from a lens's calibration.
  public var isCameraIntrinsicMatrixDeliverySupported: Bool { false }
  /// False.
  public var isCameraIntrinsicMatrixDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// The layer that shows the connection's pictures: nil, as a layer has an output of its own here.
  public var videoPreviewLayer: AVCaptureVideoPreviewLayer? { nil }
  /// The channels of sound, numbered from 0; none for pictures.
  public var audioChannels: [AVCaptureAudioChannel] {
    guard case .audio(let format)? = formatDescription else { return [] }
    return (0..<format.channelCount).map { AVCaptureAudioChannel(index: $0, connection: self) }
  }
}

/// A channel of sound in a connection.
public struct AVCaptureAudioChannel: Sendable, Hashable {
  /// Its place, from 0.
  public let index: Int
  private let connection: AVCaptureConnection

  init(index: Int, connection: AVCaptureConnection) {
    (self.index, self.connection) = (index, connection)
  }

  /// The power of the last run of sound, in decibels below full scale; -160 for silence, and before sound came
  /// since a level was asked for first.
  public var averagePowerLevel: Float { Self.decibels(level?.rms) }
  /// The loudest sample of the last second and a half, in decibels below full scale; -160 as above.
  public var peakHoldLevel: Float { Self.decibels(level?.held) }

  private var level: LevelMeter.Level? {
    let levels = connection.soundLevels
    return levels.indices.contains(index) ? levels[index] : nil
  }

  /// Silence has a number here, and none in a meter.
  private static func decibels(_ level: Double?) -> Float { max(Float(level ?? -160), -160) }

  /// How loud it is let through: from 0 for silence to 1, as at first, for as loud as it comes. What is beyond
  /// becomes the nearest that is not. Levels are those behind it.
  public var volume: Float {
    get { connection.gains[index].volume }
    nonmutating set {
      let volume = min(max(newValue, 0), 1)
      if !newValue.isNaN { connection.gains.change(index) { $0.volume = volume } }
    }
  }
  /// False to let silence through.
  public var isEnabled: Bool {
    get { connection.gains[index].isEnabled }
    nonmutating set { connection.gains.change(index) { $0.isEnabled = newValue } }
  }
}

extension CaptureDevice.Format {
  /// False for every mode but off.
  public func isVideoStabilizationModeSupported(_ mode: AVCaptureVideoStabilizationMode) -> Bool {
    mode == .off
  }
}
