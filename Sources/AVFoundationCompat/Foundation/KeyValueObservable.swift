import Synchronization
public import VideoRecorder

/// What has properties that can be observed by their key paths.
///
/// ```swift
/// let token = session.observe(\.isRunning, options: [.new]) { session, change in … }
/// ```
public protocol AVKeyValueObservable: AnyObject {}

extension AVKeyValueObservable {
  /// Tells of each change of a property, until the token is invalidated or goes.
  ///
  /// There is no key-value observing on Linux: the property is looked at 50 times a second. What changes and
  /// changes back in between is not told, and a change is told up to a fiftieth of a second late.
  ///
  /// - Parameters:
  ///   - keyPath: The property; its values can be compared.
  ///   - options: What is told: `new`, `old`, and `initial` for a first call before this returns.
  ///   - changeHandler: Called on a queue of the module's own, one call at a time. It is not called for the
  ///     object's end.
  /// - Returns: The token. Keep it: with it the observation goes.
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
