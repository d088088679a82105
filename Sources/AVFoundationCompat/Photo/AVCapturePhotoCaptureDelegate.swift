import Dispatch
import RawPhoto

/// Follows a capture. Methods are called in order, on a queue of the output.
public protocol AVCapturePhotoCaptureDelegate: AnyObject {
  /// The settings are resolved, and exposures begin.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// Called right after ``photoOutput(_:willBeginCaptureFor:)``.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// All exposures were taken.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// A photo is complete; called once for each photo and format. The error is always nil: a failed capture delivers
  /// no photos and finishes with the error.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?)

  /// A deferred photo's proxy is ready. Never called here: photos are processed immediately.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?)

  /// The capture is over. The error is an ``AVError`` if it failed.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?)
}

extension AVCapturePhotoCaptureDelegate {
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {}
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {}
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
  ) {}
}

/// Forwards an output's calls to a delegate of Apple's kind.
///
/// Unchecked: the delegate may not be `Sendable`, but it is called only on ``AVCapturePhotoOutput/delivery``, a
/// serial queue.
final class PhotoListener: CapturePhotoCaptureDelegate, @unchecked Sendable {
  private let output: AVCapturePhotoOutput
  private let delegate: any AVCapturePhotoCaptureDelegate
  /// The ID of the settings.
  let uniqueID: Int64

  init(
    _ output: AVCapturePhotoOutput, _ delegate: any AVCapturePhotoCaptureDelegate, _ uniqueID: Int64
  ) {
    self.output = output
    self.delegate = delegate
    self.uniqueID = uniqueID
  }

  func photoOutput(
    _ output: CapturePhotoOutput, willBeginCaptureFor resolvedSettings: ResolvedPhotoSettings
  ) {
    let settings = AVCaptureResolvedPhotoSettings(resolvedSettings)
    tell { delegate, output in
      delegate.photoOutput(output, willBeginCaptureFor: settings)
      delegate.photoOutput(output, willCapturePhotoFor: settings)
    }
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: ResolvedPhotoSettings
  ) {
    self.output.captures.set(.processing, of: self)
    tell { delegate, output in
      delegate.photoOutput(
        output, didCapturePhotoFor: AVCaptureResolvedPhotoSettings(resolvedSettings))
    }
  }

  func photoOutput(_ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto) {
    tell { delegate, output in
      delegate.photoOutput(output, didFinishProcessingPhoto: AVCapturePhoto(photo), error: nil)
    }
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishCaptureFor resolvedSettings: ResolvedPhotoSettings,
    error: RawPhotoError?
  ) {
    self.output.captures.set(nil, of: self)
    tell { delegate, output in
      delegate.photoOutput(
        output, didFinishCaptureFor: AVCaptureResolvedPhotoSettings(resolvedSettings),
        error: error.map { AVError($0) })
    }
  }

  /// Reports a capture that did not start.
  func end(_ settings: AVCaptureResolvedPhotoSettings, _ error: AVError) {
    output.delivery.async { [self] in
      delegate.photoOutput(output, didFinishCaptureFor: settings, error: error)
    }
  }

  /// Calls the delegate and waits for it, so photos are not made faster than it takes them.
  private func tell(_ call: (any AVCapturePhotoCaptureDelegate, AVCapturePhotoOutput) -> Void) {
    output.delivery.sync { call(delegate, output) }
  }
}
