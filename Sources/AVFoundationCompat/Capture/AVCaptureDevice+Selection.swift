public import Foundation
import MediaCore
import Synchronization
public import VideoRecorder

/// Which camera is meant, and what is told of cameras.
extension CaptureDevice {
  private static let preferred = Mutex<CaptureDevice?>(nil)

  /// The camera that the program prefers; nil where it has not said, and once that one is gone.
  public static var userPreferredCamera: AVCaptureDevice? {
    get { preferred.withLock { $0 }.flatMap { $0.isConnected ? $0 : nil } }
    set { preferred.withLock { $0 = newValue } }
  }

  /// ``userPreferredCamera``, else the best camera.
  public static var systemPreferredCamera: AVCaptureDevice? {
    userPreferredCamera ?? `default`(for: .video)
  }

  /// Says how pictures are to be turned so that they are upright: not at all here.
  public final class RotationCoordinator: Sendable {
    /// The device.
    public let device: AVCaptureDevice?
    /// Where its pictures are shown.
    public let previewLayer: AVCaptureVideoPreviewLayer?

    /// A coordinator of a device.
    public init(device: AVCaptureDevice, previewLayer: AVCaptureVideoPreviewLayer?) {
      self.device = device
      self.previewLayer = previewLayer
    }

    /// Degrees: 0.
    public var videoRotationAngleForHorizonLevelCapture: CGFloat { 0 }
    /// Degrees: 0.
    public var videoRotationAngleForHorizonLevelPreview: CGFloat { 0 }
  }

  /// sRGB: colors are those that the device declares, and to set them changes nothing.
  public var activeColorSpace: AVCaptureColorSpace {
    get { .sRGB }
    set {}
  }
  /// The one device that it is.
  public var constituentDevices: [AVCaptureDevice] { [] }
  /// False: no device here stands for several.
  public var isVirtualDevice: Bool { false }
  /// False.
  public var isFlashAvailable: Bool { false }
  /// False: whether another program has a device is seen when it is opened.
  public var isInUseByAnotherApplication: Bool { false }
  /// False.
  public var isSuspended: Bool { false }
}

/// What else of a camera can be asked for, and is not here.
extension CaptureDevice {
  /// The middle of the picture, as set: no device here measures at a point.
  public var exposurePointOfInterest: CGPoint {
    get { CGPoint(x: 0.5, y: 0.5) }
    set {}
  }
  /// As ``exposurePointOfInterest``.
  public var focusPointOfInterest: CGPoint {
    get { CGPoint(x: 0.5, y: 0.5) }
    set {}
  }
  /// False.
  public var isSmoothAutoFocusEnabled: Bool {
    get { false }
    set {}
  }
  /// 0.
  public var torchLevel: Float { 0 }
  /// False.
  public var isTorchActive: Bool { false }
  /// - Throws: ``AVError/Code/operationNotAllowed``: no device here has a lamp.
  public func setTorchModeOn(level torchLevel: Float) throws {
    throw AVError(.operationNotAllowed, "\(self) has no lamp")
  }
  /// False.
  public var automaticallyEnablesLowLightBoostWhenAvailable: Bool {
    get { false }
    set {}
  }
  /// False.
  public var automaticallyAdjustsVideoHDREnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isVideoHDREnabled: Bool {
    get { false }
    set {}
  }
}

extension CaptureDevice.Format {
  /// 1: pictures are not enlarged.
  public var videoMaxZoomFactor: CGFloat { 1 }
  /// 0: not known.
  public var videoFieldOfView: Float { 0 }
  /// False, as far as is known.
  public var isVideoBinned: Bool { false }
  /// False.
  public var isVideoHDRSupported: Bool { false }
  /// False.
  public var isMultiCamSupported: Bool { false }
  /// False: no depth of field is made.
  public var isCinematicVideoCaptureSupported: Bool { false }
}

extension CaptureDeviceInput {
  /// False: no depth of field is made.
  public var isCinematicVideoCaptureSupported: Bool { false }
  /// False; setting it changes nothing.
  public var isCinematicVideoCaptureEnabled: Bool {
    get { false }
    set {}
  }
}

extension CaptureSession {
  /// False: colors are those that a device declares. To set it changes nothing.
  public var automaticallyConfiguresCaptureDeviceForWideColor: Bool {
    get { false }
    set {}
  }
  /// False: an audio session changes no device. To set it changes nothing.
  public var automaticallyConfiguresApplicationAudioSession: Bool {
    get { false }
    set {}
  }
  /// False, as ``automaticallyConfiguresApplicationAudioSession``.
  public var usesApplicationAudioSession: Bool {
    get { false }
    set {}
  }
  /// False. To set it changes nothing.
  public var isMultitaskingCameraAccessEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isMultitaskingCameraAccessSupported: Bool { false }
}
