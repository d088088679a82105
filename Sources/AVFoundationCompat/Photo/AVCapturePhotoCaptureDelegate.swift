import Dispatch
import RawPhoto

/// Follows a capture. Calls come in order, from one queue of the output.
public protocol AVCapturePhotoCaptureDelegate: AnyObject {
  /// The settings are resolved; exposures begin.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// Right after ``photoOutput(_:willBeginCaptureFor:)``.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// All exposures are taken.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// A photo is made; once for each photo and format. The error is nil: a capture that fails makes no
  /// photos, and ends with the error.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?)

  /// A stand-in for a photo is made. Never called: a photo is made at once.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?)

  /// Nothing comes any more; with an ``AVError`` where the capture failed.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?)
}

extension AVCapturePhotoCaptureDelegate {
  /// No effect.
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}
  /// No effect.
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}
  /// No effect.
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}
  /// No effect.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {}
  /// No effect.
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {}
  /// No effect.
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
  ) {}
}

/// Hands what the output says to a delegate of Apple's kind.
///
/// Unchecked: the delegate is called on the output's ``AVCapturePhotoOutput/delivery`` alone, as one of
/// Apple's kind expects it.
final class PhotoListener: CapturePhotoCaptureDelegate, @unchecked Sendable {
  private let output: AVCapturePhotoOutput
  private let delegate: any AVCapturePhotoCaptureDelegate
  /// The identity of the settings.
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

  /// Tells of a capture that did not begin.
  func end(_ settings: AVCaptureResolvedPhotoSettings, _ error: AVError) {
    output.delivery.async { [self] in
      delegate.photoOutput(output, didFinishCaptureFor: settings, error: error)
    }
  }

  /// Calls the delegate, and waits: photos are made no faster than it takes them.
  private func tell(_ call: (any AVCapturePhotoCaptureDelegate, AVCapturePhotoOutput) -> Void) {
    output.delivery.sync { call(delegate, output) }
  }
}
