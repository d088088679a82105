public import Foundation
public import MediaCore
public import VideoRecorder

/// Focus and zoom by the controls of USB cameras. Where a device has none each `is…Supported` is false, and what is
/// set changes nothing.
extension CaptureDevice {
  /// True for what the camera can do.
  public func isFocusModeSupported(_ focusMode: FocusMode) -> Bool {
    switch focusMode {
    case .continuousAutoFocus: facts(.automaticFocus) != nil
    case .autoFocus: facts(.focusOnce) != nil
    case .locked: facts(.automaticFocus) != nil || facts(.focusPosition) != nil
    }
  }

  /// How the lens is focused: locked, where the camera does not focus by itself.
  public var focusMode: FocusMode {
    get { value(.automaticFocus) == 1 ? .continuousAutoFocus : .locked }
    set {
      guard isFocusModeSupported(newValue) else { return }
      switch newValue {
      case .continuousAutoFocus: set(1, .automaticFocus)
      case .locked: set(0, .automaticFocus)
      case .autoFocus:
        set(0, .automaticFocus)
        set(1, .focusOnce)
      }
    }
  }

  /// False: cameras here focus where they like.
  public var isFocusPointOfInterestSupported: Bool { false }
  /// False: cameras here do not say.
  public var isAdjustingFocus: Bool { false }
  /// False.
  public var isSmoothAutoFocusSupported: Bool { false }

  /// True where the lens can be moved by hand.
  public var isLockingFocusWithCustomLensPositionSupported: Bool { facts(.focusPosition) != nil }

  /// Where the lens stands, from 0 for near to 1 for far; 0 where the camera does not say.
  public var lensPosition: Float {
    guard let facts = facts(.focusPosition), let value = value(.focusPosition) else { return 0 }
    let span = Float(facts.range.upperBound - facts.range.lowerBound)
    return span > 0 ? 1 - Float(value - facts.range.lowerBound) / span : 0
  }

  /// Moves the lens, and lets it stay there; `handler` is called with the time when it was told.
  ///
  /// - Parameter lensPosition: From 0 to 1; ``currentLensPosition`` for where it is.
  public func setFocusModeLocked(
    lensPosition: Float, completionHandler handler: ((CMTime) -> Void)? = nil
  ) {
    defer { handler?(CMClock.hostTimeClock.time) }
    set(0, .automaticFocus)
    guard lensPosition != Self.currentLensPosition, let facts = facts(.focusPosition) else {
      return
    }
    let span = Double(facts.range.upperBound - facts.range.lowerBound)
    let share = 1 - min(max(Double(lensPosition), 0), 1)
    set(facts.nearest(Double(facts.range.lowerBound) + share * span), .focusPosition)
  }

  /// As ``setFocusModeLocked(lensPosition:completionHandler:)``.
  ///
  /// - Returns: The time when it was told.
  @discardableResult
  public func setFocusModeLocked(lensPosition: Float) async -> CMTime {
    await withCheckedContinuation { continuation in
      setFocusModeLocked(lensPosition: lensPosition) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Zoom

  /// What the camera has for a factor of 1, and its most; nil where its units have no such.
  private var zoom: (unit: Double, facts: CameraSettingFacts)? {
    guard let facts = facts(.zoom), facts.range.lowerBound > 0 else { return nil }
    return (Double(facts.range.lowerBound), facts)
  }

  /// How far the lens is zoomed in; 1 where the camera cannot. What is beyond its reach becomes the nearest that
  /// is not.
  public var videoZoomFactor: Double {
    get {
      guard let zoom, let value = value(.zoom) else { return 1 }
      return Double(value) / zoom.unit
    }
    set {
      guard let zoom else { return }
      set(zoom.facts.nearest(newValue * zoom.unit), .zoom)
    }
  }
  /// 1.
  public var minAvailableVideoZoomFactor: Double { 1 }
  /// How far the lens can be zoomed in; 1 where it cannot.
  public var maxAvailableVideoZoomFactor: Double {
    zoom.map { Double($0.facts.range.upperBound) / $0.unit } ?? 1
  }
  /// Zooms at once, as fast as the camera does.
  public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) {
    videoZoomFactor = Double(factor)
  }
  /// Changes nothing: a zoom is over when it was told.
  public func cancelVideoZoomRamp() {}
  /// False: cameras here do not say.
  public var isRampingVideoZoom: Bool { false }
}
