/// Follows a capture, like `AVCapturePhotoCaptureDelegate`. Calls come in order, from one queue of the output.
public protocol CapturePhotoCaptureDelegate: AnyObject, Sendable {
  /// The settings are resolved, and exposures begin.
  func photoOutput(
    _ output: CapturePhotoOutput, willBeginCaptureFor resolvedSettings: ResolvedPhotoSettings)

  /// All exposures have been taken.
  func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: ResolvedPhotoSettings)

  /// A photo has been made; called once for each photo and format.
  func photoOutput(_ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto)

  /// The capture has ended; with the error if it failed.
  func photoOutput(
    _ output: CapturePhotoOutput, didFinishCaptureFor resolvedSettings: ResolvedPhotoSettings,
    error: RawPhotoError?)
}

extension CapturePhotoCaptureDelegate {
  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, willBeginCaptureFor resolvedSettings: ResolvedPhotoSettings
  ) {}
  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: ResolvedPhotoSettings
  ) {}
  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, didFinishCaptureFor resolvedSettings: ResolvedPhotoSettings,
    error: RawPhotoError?
  ) {}
}
