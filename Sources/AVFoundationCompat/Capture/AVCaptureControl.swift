public import Dispatch
public import Foundation
import Synchronization
public import VideoRecorder

/// A button or dial of a phone that a session would use. No device here has any: controls cannot be added, and no
/// action is ever called.
///
/// Unchecked because the compiler accepts `Sendable` only for final classes: it has no stored property, and the
/// initializer is internal.
public class AVCaptureControl: ComparedByIdentity, @unchecked Sendable {
  init() {}

  /// False. Setting it has no effect.
  public var isEnabled: Bool {
    get { false }
    set {}
  }
}

/// A dial for the zoom: see ``AVCaptureControl``.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds no stored property.
public final class AVCaptureSystemZoomSlider: AVCaptureControl, @unchecked Sendable {
  /// A dial for a device's zoom.
  public init(device: AVCaptureDevice, action: ((CGFloat) -> Void)? = nil) { super.init() }
}

/// A dial for the exposure: see ``AVCaptureControl``.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds no stored property.
public final class AVCaptureSystemExposureBiasSlider: AVCaptureControl, @unchecked Sendable {
  /// A dial for a device's exposure.
  public init(device: AVCaptureDevice, action: ((CGFloat) -> Void)? = nil) { super.init() }
}

/// A dial for a number: see ``AVCaptureControl``.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds `let`s of `Sendable` types.
public final class AVCaptureSlider: AVCaptureControl, @unchecked Sendable {
  /// The control's title, in the user's language.
  public let localizedTitle: String
  /// The name of the control's symbol.
  public let symbolName: String

  private let range: ClosedRange<Float>
  private let chosen: Mutex<Float>

  /// A dial for numbers in a range.
  public init(
    _ localizedTitle: String, symbolName: String, in values: ClosedRange<Float>,
    step: Float? = nil
  ) {
    (self.localizedTitle, self.symbolName) = (localizedTitle, symbolName)
    range = values
    chosen = Mutex(values.lowerBound)
    super.init()
  }

  /// The number that the dial shows: initially the lower bound of the range. Setting a number outside the range has no
  /// effect.
  public var value: Float {
    get { chosen.withLock { $0 } }
    set { if range.contains(newValue) { chosen.withLock { $0 = newValue } } }
  }

  /// Takes an action that is never called.
  public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Float) -> Void) {}
}

/// A dial for a choice: see ``AVCaptureControl``.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds `let`s of `Sendable` types.
public final class AVCaptureIndexPicker: AVCaptureControl, @unchecked Sendable {
  /// The control's title, in the user's language.
  public let localizedTitle: String
  /// The name of the control's symbol.
  public let symbolName: String
  /// The number of choices.
  public let numberOfIndexes: Int
  /// The names of the choices; empty if they are chosen by number.
  public let localizedIndexTitles: [String]
  private let chosen = Mutex(0)

  /// A dial for a choice by name.
  public init(_ localizedTitle: String, symbolName: String, localizedIndexTitles: [String]) {
    (self.localizedTitle, self.symbolName) = (localizedTitle, symbolName)
    (self.localizedIndexTitles, numberOfIndexes) = (
      localizedIndexTitles, localizedIndexTitles.count
    )
    super.init()
  }

  /// A dial for a choice by number.
  public init(_ localizedTitle: String, symbolName: String, numberOfIndexes: Int) {
    (self.localizedTitle, self.symbolName) = (localizedTitle, symbolName)
    (self.numberOfIndexes, localizedIndexTitles) = (numberOfIndexes, [])
    super.init()
  }

  /// The index of the choice that the dial shows: initially 0. Setting an index out of range has no effect.
  public var selectedIndex: Int {
    get { chosen.withLock { $0 } }
    set { if newValue >= 0, newValue < numberOfIndexes { chosen.withLock { $0 = newValue } } }
  }

  /// Takes an action that is never called.
  public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Int) -> Void) {}
}

/// Would be called when a session's controls are used.
public protocol AVCaptureSessionControlsDelegate: AnyObject {
  /// Controls became usable.
  func sessionControlsDidBecomeActive(_ session: AVCaptureSession)
  /// Controls will take the whole screen.
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession)
  /// Controls will leave the whole screen.
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession)
  /// Controls are no longer usable.
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession)
}

extension CaptureSession {
  /// None: see ``AVCaptureControl``.
  public var controls: [AVCaptureControl] { [] }
  /// False, as ``supportsControls``.
  public func canAddControl(_ control: AVCaptureControl) -> Bool { false }
  /// Adds nothing; check ``canAddControl(_:)`` first.
  public func addControl(_ control: AVCaptureControl) {}
  /// Has no effect.
  public func removeControl(_ control: AVCaptureControl) {}
  /// Takes a delegate that is never called.
  public func setControlsDelegate(
    _ controlsDelegate: (any AVCaptureSessionControlsDelegate)?,
    queue controlsDelegateCallbackQueue: DispatchQueue?
  ) {}
  /// Nil: no delegate is called.
  public var controlsDelegate: (any AVCaptureSessionControlsDelegate)? { nil }
  /// Nil: no delegate is called.
  public var controlsDelegateCallbackQueue: DispatchQueue? { nil }
  /// False: no program shares the audio device with a session. Setting it has no effect.
  public var configuresApplicationAudioSessionToMixWithOthers: Bool {
    get { false }
    set {}
  }
}
