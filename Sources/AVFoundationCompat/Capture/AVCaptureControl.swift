public import Dispatch
public import Foundation
import Synchronization
public import VideoRecorder

/// A button or wheel of a phone that a session would use. No device here has any: none can be added, and no action is
/// ever called.
///
/// Unchecked because the compiler accepts `Sendable` of final classes only: it has no stored property, and the
/// initializer is internal.
public class AVCaptureControl: ComparedByIdentity, @unchecked Sendable {
  init() {}

  /// False. To set it changes nothing.
  public var isEnabled: Bool {
    get { false }
    set {}
  }
}

/// A wheel for the zoom: see ``AVCaptureControl``.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds no stored property.
public final class AVCaptureSystemZoomSlider: AVCaptureControl, @unchecked Sendable {
  /// A wheel for a device's zoom.
  public init(device: AVCaptureDevice, action: ((CGFloat) -> Void)? = nil) { super.init() }
}

/// A wheel for the exposure: see ``AVCaptureControl``.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds no stored property.
public final class AVCaptureSystemExposureBiasSlider: AVCaptureControl, @unchecked Sendable {
  /// A wheel for a device's exposure.
  public init(device: AVCaptureDevice, action: ((CGFloat) -> Void)? = nil) { super.init() }
}

/// A wheel for a number: see ``AVCaptureControl``.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds `let`s of `Sendable` types.
public final class AVCaptureSlider: AVCaptureControl, @unchecked Sendable {
  /// What it is for, in the user's language.
  public let localizedTitle: String
  /// The symbol's name.
  public let symbolName: String

  private let range: ClosedRange<Float>
  private let chosen: Mutex<Float>

  /// A wheel for numbers of a range.
  public init(
    _ localizedTitle: String, symbolName: String, in values: ClosedRange<Float>,
    step: Float? = nil
  ) {
    (self.localizedTitle, self.symbolName) = (localizedTitle, symbolName)
    range = values
    chosen = Mutex(values.lowerBound)
    super.init()
  }

  /// The number that the wheel shows: the range's least until the program sets another. One outside of the range
  /// changes nothing.
  public var value: Float {
    get { chosen.withLock { $0 } }
    set { if range.contains(newValue) { chosen.withLock { $0 = newValue } } }
  }

  /// Takes an action that is never called.
  public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Float) -> Void) {}
}

/// A wheel for a choice: see ``AVCaptureControl``.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds `let`s of `Sendable` types.
public final class AVCaptureIndexPicker: AVCaptureControl, @unchecked Sendable {
  /// What it is for, in the user's language.
  public let localizedTitle: String
  /// The symbol's name.
  public let symbolName: String
  /// How many there are to choose from.
  public let numberOfIndexes: Int
  /// Their names; none if they are chosen by number.
  public let localizedIndexTitles: [String]
  private let chosen = Mutex(0)

  /// A wheel for a choice by names.
  public init(_ localizedTitle: String, symbolName: String, localizedIndexTitles: [String]) {
    (self.localizedTitle, self.symbolName) = (localizedTitle, symbolName)
    (self.localizedIndexTitles, numberOfIndexes) = (
      localizedIndexTitles, localizedIndexTitles.count
    )
    super.init()
  }

  /// A wheel for a choice by numbers.
  public init(_ localizedTitle: String, symbolName: String, numberOfIndexes: Int) {
    (self.localizedTitle, self.symbolName) = (localizedTitle, symbolName)
    (self.numberOfIndexes, localizedIndexTitles) = (numberOfIndexes, [])
    super.init()
  }

  /// The choice that the wheel shows, from 0: the first until the program sets another. One that there is not changes
  /// nothing.
  public var selectedIndex: Int {
    get { chosen.withLock { $0 } }
    set { if newValue >= 0, newValue < numberOfIndexes { chosen.withLock { $0 = newValue } } }
  }

  /// Takes an action that is never called.
  public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Int) -> Void) {}
}

/// Would be told when a session's controls are used.
public protocol AVCaptureSessionControlsDelegate: AnyObject {
  /// Controls can be used.
  func sessionControlsDidBecomeActive(_ session: AVCaptureSession)
  /// Controls take the whole screen.
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession)
  /// Controls give the screen back.
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession)
  /// Controls cannot be used any more.
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession)
}

extension CaptureSession {
  /// None: see ``AVCaptureControl``.
  public var controls: [AVCaptureControl] { [] }
  /// False, as ``supportsControls`` says.
  public func canAddControl(_ control: AVCaptureControl) -> Bool { false }
  /// Adds nothing: ask ``canAddControl(_:)`` before.
  public func addControl(_ control: AVCaptureControl) {}
  /// Changes nothing.
  public func removeControl(_ control: AVCaptureControl) {}
  /// Takes a delegate that is never called.
  public func setControlsDelegate(
    _ controlsDelegate: (any AVCaptureSessionControlsDelegate)?,
    queue controlsDelegateCallbackQueue: DispatchQueue?
  ) {}
  /// Nil: nobody is called.
  public var controlsDelegate: (any AVCaptureSessionControlsDelegate)? { nil }
  /// Nil: nobody is called.
  public var controlsDelegateCallbackQueue: DispatchQueue? { nil }
  /// False: no program shares the sound device with a session. To set it changes nothing.
  public var configuresApplicationAudioSessionToMixWithOthers: Bool {
    get { false }
    set {}
  }
}
