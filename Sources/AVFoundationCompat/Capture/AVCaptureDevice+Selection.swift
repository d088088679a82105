public import Foundation
import MediaCore
import Synchronization
public import VideoRecorder

/// Camera selection and camera properties.
extension CaptureDevice {
  private static let preferred = Mutex<CaptureDevice?>(nil)

  /// The camera that the program prefers; nil if it has not set one or that camera is gone.
  public static var userPreferredCamera: AVCaptureDevice? {
    get { preferred.withLock { $0 }.flatMap { $0.isConnected ? $0 : nil } }
    set { preferred.withLock { $0 = newValue } }
  }

  /// ``userPreferredCamera``, or the best camera.
  public static var systemPreferredCamera: AVCaptureDevice? {
    userPreferredCamera ?? `default`(for: .video)
  }

  /// Gives the rotation that makes frames upright: always 0 here.
  public final class RotationCoordinator: Sendable {
    /// The device.
    public let device: AVCaptureDevice?
    /// The layer that shows its frames.
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

  /// sRGB. Frames have the colors that the device reports; setting this has no effect.
  public var activeColorSpace: AVCaptureColorSpace {
    get { .sRGB }
    set {}
  }
  /// Empty: there are no virtual devices here.
  public var constituentDevices: [AVCaptureDevice] { [] }
  /// False: there are no virtual devices here.
  public var isVirtualDevice: Bool { false }
  /// False.
  public var isFlashAvailable: Bool { false }
  /// False: use by another program is only detected when the device is opened.
  public var isInUseByAnotherApplication: Bool { false }
  /// False.
  public var isSuspended: Bool { false }
}

/// Other camera features, which no device here has.
extension CaptureDevice {
  /// The center of the frame: no device here meters at a point. Setting it has no effect.
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
  /// - Throws: ``AVError/Code/operationNotAllowed``, always: no device here has a torch.
  public func setTorchModeOn(level torchLevel: Float) throws {
    throw AVError(.operationNotAllowed, "\(self) has no torch")
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
  /// 1: frames are not enlarged.
  public var videoMaxZoomFactor: CGFloat { 1 }
  /// 0: unknown.
  public var videoFieldOfView: Float { 0 }
  /// False, as far as is known.
  public var isVideoBinned: Bool { false }
  /// False.
  public var isVideoHDRSupported: Bool { false }
  /// False.
  public var isMultiCamSupported: Bool { false }
  /// False: cinematic video is not supported.
  public var isCinematicVideoCaptureSupported: Bool { false }
}

extension CaptureDeviceInput {
  /// False: cinematic video is not supported.
  public var isCinematicVideoCaptureSupported: Bool { false }
  /// False; setting it has no effect.
  public var isCinematicVideoCaptureEnabled: Bool {
    get { false }
    set {}
  }
}

extension CaptureSession {
  /// False: a device determines its colors. Setting it has no effect.
  public var automaticallyConfiguresCaptureDeviceForWideColor: Bool {
    get { false }
    set {}
  }
  /// False: an audio session changes no device. Setting it has no effect.
  public var automaticallyConfiguresApplicationAudioSession: Bool {
    get { false }
    set {}
  }
  /// False, as ``automaticallyConfiguresApplicationAudioSession``.
  public var usesApplicationAudioSession: Bool {
    get { false }
    set {}
  }
  /// False. Setting it has no effect.
  public var isMultitaskingCameraAccessEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isMultitaskingCameraAccessSupported: Bool { false }
}
