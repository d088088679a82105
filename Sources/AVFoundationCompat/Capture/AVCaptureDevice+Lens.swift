public import Foundation
public import MediaCore
public import VideoRecorder

/// Focus and zoom with the controls of USB cameras. If a device has none, each `is…Supported` is false, and setting a
/// value has no effect.
extension CaptureDevice {
  /// True if the camera supports the mode.
  public func isFocusModeSupported(_ focusMode: FocusMode) -> Bool {
    switch focusMode {
    case .continuousAutoFocus: facts(.automaticFocus) != nil
    case .autoFocus: facts(.focusOnce) != nil
    case .locked: facts(.automaticFocus) != nil || facts(.focusPosition) != nil
    }
  }

  /// The focus mode; locked if the camera does not focus automatically.
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

  /// False: cameras here choose the focus area themselves.
  public var isFocusPointOfInterestSupported: Bool { false }
  /// False: cameras here do not report it.
  public var isAdjustingFocus: Bool { false }
  /// False.
  public var isSmoothAutoFocusSupported: Bool { false }

  /// True if the lens position can be set.
  public var isLockingFocusWithCustomLensPositionSupported: Bool { facts(.focusPosition) != nil }

  /// The lens position, from 0 for near to 1 for far; 0 if the camera does not report it.
  public var lensPosition: Float {
    guard let facts = facts(.focusPosition), let value = value(.focusPosition) else { return 0 }
    let span = Float(facts.range.upperBound - facts.range.lowerBound)
    return span > 0 ? 1 - Float(value - facts.range.lowerBound) / span : 0
  }

  /// Moves the lens and locks it there; `handler` is called with the host time at which the command was sent.
  ///
  /// - Parameter lensPosition: From 0 to 1; ``currentLensPosition`` to keep it.
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
  /// - Returns: The host time at which the command was sent.
  @discardableResult
  public func setFocusModeLocked(lensPosition: Float) async -> CMTime {
    await withCheckedContinuation { continuation in
      setFocusModeLocked(lensPosition: lensPosition) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Zoom

  /// The camera's zoom value for a factor of 1, and its range; nil if its units do not give a factor.
  private var zoom: (unit: Double, facts: CameraSettingFacts)? {
    guard let facts = facts(.zoom), facts.range.lowerBound > 0 else { return nil }
    return (Double(facts.range.lowerBound), facts)
  }

  /// The zoom factor; 1 if the camera cannot zoom. Values outside the camera's range are clamped.
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
  /// The maximum zoom factor; 1 if the camera cannot zoom.
  public var maxAvailableVideoZoomFactor: Double {
    zoom.map { Double($0.facts.range.upperBound) / $0.unit } ?? 1
  }
  /// Sets the zoom factor immediately; the rate is ignored.
  public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) {
    videoZoomFactor = Double(factor)
  }
  /// Has no effect: there are no zoom ramps.
  public func cancelVideoZoomRamp() {}
  /// False: cameras here do not report it.
  public var isRampingVideoZoom: Bool { false }
}
