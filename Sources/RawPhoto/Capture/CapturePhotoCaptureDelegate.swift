/// Follows a capture, as `AVCapturePhotoCaptureDelegate` does. Calls come in order, from one queue of
/// the output.
public protocol CapturePhotoCaptureDelegate: AnyObject, Sendable {
  /// The settings are resolved; exposures begin.
  func photoOutput(
    _ output: CapturePhotoOutput, willBeginCaptureFor resolvedSettings: ResolvedPhotoSettings)

  /// All exposures are taken.
  func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: ResolvedPhotoSettings)

  /// A photo is made; once for each photo and format.
  func photoOutput(_ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto)

  /// Nothing comes any more; with the error where the capture failed.
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
