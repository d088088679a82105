// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import Synchronization
import VideoRecorder

/// Whether an interruption begins or ends: an ``AVAudioSession/InterruptionType``, as a `UInt`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// What a program may do at the end of an interruption: ``AVAudioSession/InterruptionOptions``, as a `UInt`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The reason for an interruption: an ``AVAudioSession/InterruptionReason``, as a `UInt`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// The reason for a route change: an ``AVAudioSession/RouteChangeReason``, as a `UInt`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The ``AVAudioSessionRouteDescription`` before the change.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// Whether other programs' audio begins or ends: an ``AVAudioSession/SilenceSecondaryAudioHintType``, as a `UInt`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

extension AVAudioSession {
  /// A phone call or an alarm takes over audio. Never posted: a capture session reports its own interruptions.
  public static let interruptionNotification = Notification.Name(
    "AVAudioSessionInterruptionNotification")
  /// An audio device was connected or disconnected. Posted on a private queue once the program has first used this
  /// name, with ``AVAudioSessionRouteChangeReasonKey`` and ``AVAudioSessionRouteChangePreviousRouteKey``.
  public static let routeChangeNotification: Notification.Name = {
    RouteChangePoster.begin()
    return RouteChangePoster.name
  }()
  /// The system's audio service ended. Never posted.
  public static let mediaServicesWereLostNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// The system's audio service restarted. Never posted.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// Other programs' audio begins or ends. Never posted.
  public static let silenceSecondaryAudioHintNotification = Notification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")

  /// Whether an interruption begins or ends. Never reported here.
  public enum InterruptionType: UInt, Sendable, Hashable {
    case ended = 0
    case began = 1
  }

  /// What a program may do after an interruption.
  public struct InterruptionOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let shouldResume = Self(rawValue: 1)
  }

  /// Why a phone's system interrupts audio.
  public enum InterruptionReason: UInt, Sendable, Hashable {
    case `default` = 0
    case appWasSuspended = 1
    case builtInMicMuted = 2
    case routeDisconnected = 4
  }

  /// Why the route changed. Only ``newDeviceAvailable`` and ``oldDeviceUnavailable`` occur here.
  public enum RouteChangeReason: UInt, Sendable, Hashable {
    case unknown = 0
    case newDeviceAvailable = 1
    case oldDeviceUnavailable = 2
    case categoryChange = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRouteForCategory = 7
    case routeConfigurationChange = 8
  }

  /// Whether secondary audio should be silenced.
  public enum SilenceSecondaryAudioHintType: UInt, Sendable, Hashable {
    case end = 0
    case begin = 1
  }
}

extension NSNotification.Name {
  /// ``AVAudioSession/interruptionNotification`` by its older name.
  public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification
  /// ``AVAudioSession/routeChangeNotification`` by its older name.
  public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification
  /// ``AVAudioSession/mediaServicesWereResetNotification`` by its older name.
  public static let AVAudioSessionMediaServicesWereReset =
    AVAudioSession.mediaServicesWereResetNotification
}

/// Posts the connection and disconnection of audio devices.
private enum RouteChangePoster {
  static let name = Notification.Name("AVAudioSessionRouteChangeNotification")
  /// The route at the last change.
  private static let route = Mutex(AVAudioSession.sharedInstance().currentRoute)

  /// Watches devices until the process ends; later calls do nothing.
  static func begin() { _ = watch }

  private static let watch: Void = {
    _ = route.withLock { $0 }
    observe(CaptureDevice.wasConnectedNotification, .newDeviceAvailable)
    observe(CaptureDevice.wasDisconnectedNotification, .oldDeviceUnavailable)
  }()

  private static func observe(
    _ change: Notification.Name, _ reason: AVAudioSession.RouteChangeReason
  ) {
    _ = NotificationCenter.default.addObserver(forName: change, object: nil, queue: nil) {
      guard let device = $0.object as? AVCaptureDevice, device.identity.mediaType == .audio
      else { return }
      let session = AVAudioSession.sharedInstance()
      let now = session.currentRoute
      let before = route.withLock { route in
        defer { route = now }
        return route
      }
      NotificationCenter.default.post(
        name: name, object: session,
        userInfo: [
          AVAudioSessionRouteChangeReasonKey: reason.rawValue,
          AVAudioSessionRouteChangePreviousRouteKey: before,
        ])
    }
  }
}
