// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore
public import VideoRecorder

/// How a phone is held. Frames here keep the device's orientation.
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

/// How video is stabilized while a phone moves.
public enum AVCaptureVideoStabilizationMode: Int, Sendable, Hashable, CaseIterable {
  /// Not at all. Every device here.
  case off = 0
  /// Standard stabilization of a phone.
  case standard = 1
  /// Cinematic stabilization of a phone.
  case cinematic = 2
  /// Cinematic stabilization with a wider margin.
  case cinematicExtended = 3
  /// For a preview.
  case previewOptimized = 4
  /// Cinematic stabilization with a still wider margin.
  case cinematicExtendedEnhanced = 5
  /// The best mode that the format supports.
  case auto = -1
}

/// A connection does not change frames. Each `is…Supported` is false. Setting an unsupported property, which stops the
/// program in Apple's implementation, has no effect.
extension CaptureConnection {
  /// False: frames are not rotated.
  public var isVideoOrientationSupported: Bool { false }
  /// Landscape right: frames keep the device's orientation.
  public var videoOrientation: AVCaptureVideoOrientation {
    get { .landscapeRight }
    set {}
  }

  /// True only for 0: frames are not rotated.
  public func isVideoRotationAngleSupported(_ videoRotationAngle: Double) -> Bool {
    videoRotationAngle == 0
  }
  /// Degrees clockwise: 0.
  public var videoRotationAngle: Double {
    get { 0 }
    set {}
  }

  /// False: frames are not mirrored.
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

  /// False: frames are not stabilized.
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
  /// Invalid: the connection sets no limit.
  public var videoMinFrameDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// Invalid: the connection sets no limit.
  public var videoMaxFrameDuration: CMTime {
    get { .invalid }
    set {}
  }

  /// 1: frames are not enlarged.
  public var videoMaxScaleAndCropFactor: CGFloat { 1 }
  /// 1.
  public var videoScaleAndCropFactor: CGFloat {
    get { 1 }
    set {}
  }
  /// False: the device weaves fields into frames.
  public var isVideoFieldModeSupported: Bool { false }
  /// False: lens calibration is not available.
  public var isCameraIntrinsicMatrixDeliverySupported: Bool { false }
  /// False.
  public var isCameraIntrinsicMatrixDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// The layer that shows the connection's frames: nil, because a layer has its own output here.
  public var videoPreviewLayer: AVCaptureVideoPreviewLayer? { nil }
  /// The audio channels, numbered from 0; none for video.
  public var audioChannels: [AVCaptureAudioChannel] {
    guard case .audio(let format)? = formatDescription else { return [] }
    return (0..<format.channelCount).map { AVCaptureAudioChannel(index: $0, connection: self) }
  }
}

/// A channel of audio in a connection.
public struct AVCaptureAudioChannel: Sendable, Hashable {
  /// The channel's index, from 0.
  public let index: Int
  private let connection: AVCaptureConnection

  init(index: Int, connection: AVCaptureConnection) {
    (self.index, self.connection) = (index, connection)
  }

  /// The average power of the last audio buffer, in decibels relative to full scale; -160 for silence, and until audio
  /// has arrived after the first request for a level.
  public var averagePowerLevel: Float { Self.decibels(level?.rms) }
  /// The loudest sample of the last 1.5 seconds, in decibels relative to full scale; -160 as in ``averagePowerLevel``.
  public var peakHoldLevel: Float { Self.decibels(level?.held) }

  private var level: LevelMeter.Level? {
    let levels = connection.audioLevels
    return levels.indices.contains(index) ? levels[index] : nil
  }

  /// A meter has no level for silence; here it is -160.
  private static func decibels(_ level: Double?) -> Float { max(Float(level ?? -160), -160) }

  /// The gain, from 0 for silence to 1, the default, for the original level. Values outside this range are clamped.
  /// Levels are measured after the gain.
  public var volume: Float {
    get { connection.gains[index].volume }
    nonmutating set {
      let volume = min(max(newValue, 0), 1)
      if !newValue.isNaN { connection.gains.change(index) { $0.volume = volume } }
    }
  }
  /// False to mute the channel.
  public var isEnabled: Bool {
    get { connection.gains[index].isEnabled }
    nonmutating set { connection.gains.change(index) { $0.isEnabled = newValue } }
  }
}

extension CaptureDevice.Format {
  /// True only for off.
  public func isVideoStabilizationModeSupported(_ mode: AVCaptureVideoStabilizationMode) -> Bool {
    mode == .off
  }
}
