// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import Synchronization
import VideoRecorder

/// Whether an interruption begins or ends: an ``AVAudioSession/InterruptionType``, as a `UInt`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// What a program may do at the end of an interruption: ``AVAudioSession/InterruptionOptions``, as a `UInt`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// Why there is an interruption: an ``AVAudioSession/InterruptionReason``, as a `UInt`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// Why the route is another one: an ``AVAudioSession/RouteChangeReason``, as a `UInt`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The ``AVAudioSessionRouteDescription`` before.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// Whether others' sound begins or ends: an ``AVAudioSession/SilenceSecondaryAudioHintType``, as a `UInt`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

extension AVAudioSession {
  /// A phone call or an alarm takes the sound. Never posted: a capture session tells of its own interruptions.
  public static let interruptionNotification = Notification.Name(
    "AVAudioSessionInterruptionNotification")
  /// A device of sound came or went. Posted from the first time on that the program uses this name, on a queue of its
  /// own, with ``AVAudioSessionRouteChangeReasonKey`` and ``AVAudioSessionRouteChangePreviousRouteKey``.
  public static let routeChangeNotification: Notification.Name = {
    RouteChangePoster.begin()
    return RouteChangePoster.name
  }()
  /// The system's sound service ended. Never posted.
  public static let mediaServicesWereLostNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// The system's sound service began again. Never posted.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// Others' sound begins or ends. Never posted.
  public static let silenceSecondaryAudioHintNotification = Notification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")

  /// Which end of an interruption is told. None is ever told here.
  public enum InterruptionType: UInt, Sendable, Hashable {
    case ended = 0
    case began = 1
  }

  /// What a program may do behind an interruption.
  public struct InterruptionOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let shouldResume = Self(rawValue: 1)
  }

  /// Why a phone's system interrupts sound.
  public enum InterruptionReason: UInt, Sendable, Hashable {
    case `default` = 0
    case appWasSuspended = 1
    case builtInMicMuted = 2
    case routeDisconnected = 4
  }

  /// Here a device came or went; the others are names alone.
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

  /// Whether sound of lesser weight should be silent.
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

/// Posts that a device of sound came or went.
private enum RouteChangePoster {
  static let name = Notification.Name("AVAudioSessionRouteChangeNotification")
  /// The route at the last look.
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
