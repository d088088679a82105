import Dispatch
import MediaCore
import VideoRecorder

extension CapturePhotoOutput {
  /// Takes a photo, and returns all photos that come of it: each exposure of a bracket in each
  /// format.
  ///
  /// - Throws: What ``capturePhoto(with:delegate:)`` throws, and what the capture itself does.
  public func capturePhoto(
    with settings: CapturePhotoSettings
  ) async throws(RawPhotoError) -> [CapturePhoto] {
    let request = try accept(settings)
    let result: Result<[CapturePhoto], RawPhotoError> = await withCheckedContinuation {
      continuation in
      queue.async {
        var photos: [CapturePhoto] = []
        do throws(RawPhotoError) {
          try self.perform(request, observer: nil) { photos.append($0) }
          continuation.resume(returning: .success(photos))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// Takes a photo, and tells a delegate what becomes of it. Returns at once.
  ///
  /// - Throws: ``RawPhotoError/Code/settingsReused`` for settings that made a photo before,
  ///   ``RawPhotoError/Code/notRunning`` without a running source,
  ///   ``RawPhotoError/Code/formatUnavailable`` for a RAW format that is not among
  ///   ``availableRawPhotoPixelFormatTypes``, ``RawPhotoError/Code/qualityUnavailable`` for a
  ///   priority above ``maxPhotoQualityPrioritization``, or above `.speed` with a Bayer format,
  ///   ``RawPhotoError/Code/invalidBracket`` for a bracket that is too long or beyond the device's
  ///   limits, ``RawPhotoError/Code/invalidArgument`` for other mistakes.
  public func capturePhoto(
    with settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate
  ) throws(RawPhotoError) {
    let request = try accept(settings)
    queue.async {
      do throws(RawPhotoError) {
        try self.perform(request, observer: delegate) {
          delegate.photoOutput(self, didFinishProcessingPhoto: $0)
        }
        delegate.photoOutput(self, didFinishCaptureFor: request.resolved, error: nil)
      } catch {
        delegate.photoOutput(self, didFinishCaptureFor: request.resolved, error: error)
      }
    }
  }

  /// Holds settings against the rules, and marks them as used.
  private func accept(_ settings: CapturePhotoSettings) throws(RawPhotoError) -> PhotoRequest {
    let request = try PhotoRequest(settings, output: self)
    guard use(settings) else {
      throw RawPhotoError(
        .settingsReused,
        "settings make one photo, and these have made theirs; make new ones with init(from:)")
    }
    return request
  }

  /// Takes the exposures, sets the device back, and makes the photos.
  private func perform(
    _ request: PhotoRequest, observer: (any CapturePhotoCaptureDelegate)?,
    _ deliver: (CapturePhoto) -> Void
  ) throws(RawPhotoError) {
    observer?.photoOutput(self, willBeginCaptureFor: request.resolved)
    var frames: [ExposedFrame] = []
    do throws(RawPhotoError) {
      for exposure in request.resolved.exposures {
        frames.append(try expose(exposure, request))
      }
    } catch {
      restore(request)
      throw error
    }
    restore(request)
    observer?.photoOutput(self, didCapturePhotoFor: request.resolved)
    try PhotoMaker(request: request, frames: frames).make(deliver)
  }

  private func restore(_ request: PhotoRequest) {
    guard request.changesExposure, let original = request.original else { return }
    _ = try? request.control?.setExposure(original)
  }

  private func expose(
    _ exposure: SensorExposure, _ request: PhotoRequest
  ) throws(RawPhotoError) -> ExposedFrame {
    var real = exposure
    var skips = 0
    if let control = request.control, request.changesExposure {
      do throws(CaptureError) {
        real = try control.setExposure(exposure)
        skips = control.settlingFrames
      } catch {
        throw RawPhotoError(.deviceFailed, from: error)
      }
    }
    let sample = try collector.frame(
      of: request.control == nil ? nil : real, skipping: skips,
      within: 10 + 4 * real.duration)
    return try ExposedFrame(sample, exposure: sample.attachments.exposure ?? real, request)
  }
}
