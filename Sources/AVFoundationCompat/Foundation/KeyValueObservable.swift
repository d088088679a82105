import Synchronization
public import VideoRecorder

/// An object whose properties can be observed by key path.
///
/// ```swift
/// let token = session.observe(\.isRunning, options: [.new]) { session, change in … }
/// ```
public protocol AVKeyValueObservable: AnyObject {}

extension AVKeyValueObservable {
  /// Reports each change of a property until the token is invalidated or released.
  ///
  /// Linux has no key-value observing, so the property is polled 50 times per second. A change that is undone in
  /// between is missed, and a change is reported up to 1/50 second late.
  ///
  /// - Parameters:
  ///   - keyPath: The property; its values must be equatable.
  ///   - options: What to report: `new`, `old`, and `initial` for a first call before this returns.
  ///   - changeHandler: Called on a private queue, one call at a time. It is not called when the object is deallocated.
  /// - Returns: The token. Keep it: releasing it ends the observation.
  @preconcurrency
  public func observe<Value: Equatable>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    var last = self[keyPath: keyPath]
    if options.contains(.initial) {
      changeHandler(
        self,
        NSKeyValueObservedChange(
          kind: .setting, newValue: options.contains(.new) ? last : nil, oldValue: nil))
    }
    let watch = PropertyWatch { [weak self] in
      guard let self else { return false }
      let present = self[keyPath: keyPath]
      guard present != last else { return true }
      let before = last
      last = present
      changeHandler(
        self,
        NSKeyValueObservedChange(
          kind: .setting, newValue: options.contains(.new) ? present : nil,
          oldValue: options.contains(.old) ? before : nil))
      return true
    }
    watch.begin()
    return NSKeyValueObservation(watch)
  }
}

extension CaptureSession: AVKeyValueObservable {}
extension CaptureDevice: AVKeyValueObservable {}
extension CaptureDevice.RotationCoordinator: AVKeyValueObservable {}
extension CaptureInput: AVKeyValueObservable {}
extension CaptureOutput: AVKeyValueObservable {}
extension CaptureConnection: AVKeyValueObservable {}
extension AVCaptureVideoPreviewLayer: AVKeyValueObservable {}
extension AVAssetWriter: AVKeyValueObservable {}
extension AVAssetWriterInput: AVKeyValueObservable {}
extension AVAssetReader: AVKeyValueObservable {}
extension AVAssetExportSession: AVKeyValueObservable {}
