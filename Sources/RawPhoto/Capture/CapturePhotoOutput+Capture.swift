import Dispatch
import MediaCore
import Synchronization
import VideoRecorder

extension CapturePhotoOutput {
  /// Takes a photo, and returns all photos that result: each exposure of a bracket in each format.
  ///
  /// - Throws: What ``capturePhoto(with:delegate:)`` throws, and what the capture itself does.
  public func capturePhoto(
    with settings: CapturePhotoSettings
  ) async throws(RawPhotoError) -> [CapturePhoto] {
    let photos = Mutex<[CapturePhoto]>([])
    try await capturePhoto(with: settings) { _ in
    } deliver: { (photo) throws(RawPhotoError) in
      photos.withLock { $0.append(photo) }
    }
    return photos.withLock { $0 }
  }

  /// The progress of a capture.
  enum Progress: Sendable {
    /// All exposures have been taken, and the sensor is no longer needed.
    case exposed
    /// The photo of an exposure, counted from 1, is about to be developed and compressed.
    case processing(sequenceCount: Int)
  }

  /// Takes a photo, and delivers each resulting photo before the next one is made. Canceling the task ends it.
  ///
  /// - Parameters:
  ///   - tell: Called with the progress, on the output's queue.
  ///   - deliver: Called with each photo, on the same queue; an error ends the capture.
  /// - Throws: What ``capturePhoto(with:delegate:)`` throws, errors of the capture itself, and
  ///   ``RawPhotoError/Code/canceled``.
  func capturePhoto(
    with settings: CapturePhotoSettings, tell: @escaping @Sendable (Progress) -> Void,
    deliver: @escaping @Sendable (CapturePhoto) throws(RawPhotoError) -> Void
  ) async throws(RawPhotoError) {
    let request = try accept(settings)
    let cancellation = Cancellation()
    let result: Result<Void, RawPhotoError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          do throws(RawPhotoError) {
            try self.perform(request, observer: nil, cancellation, tell, deliver)
            continuation.resume(returning: .success(()))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
      collector.fail(.canceled)
    }
    return try result.get()
  }

  /// Takes a photo, and reports to a delegate. Returns immediately.
  ///
  /// - Throws: ``RawPhotoError/Code/settingsReused`` for settings that were used before,
  ///   ``RawPhotoError/Code/notRunning`` without a running source, ``RawPhotoError/Code/formatUnavailable`` for a
  ///   RAW format that is not among ``availableRawPhotoPixelFormatTypes``,
  ///   ``RawPhotoError/Code/qualityUnavailable`` for a priority above ``maxPhotoQualityPrioritization``, or above
  ///   `.speed` with a Bayer format, ``RawPhotoError/Code/invalidBracket`` for a bracket that is too long or beyond
  ///   the device's limits, ``RawPhotoError/Code/invalidArgument`` for other mistakes.
  public func capturePhoto(
    with settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate
  ) throws(RawPhotoError) {
    let request = try accept(settings)
    queue.async {
      do throws(RawPhotoError) {
        try self.perform(request, observer: delegate, Cancellation()) { _ in
        } _: { (photo) throws(RawPhotoError) in
          delegate.photoOutput(self, didFinishProcessingPhoto: photo)
        }
        delegate.photoOutput(self, didFinishCaptureFor: request.resolved, error: nil)
      } catch {
        delegate.photoOutput(self, didFinishCaptureFor: request.resolved, error: error)
      }
    }
  }

  /// Validates settings, and marks them as used.
  private func accept(_ settings: CapturePhotoSettings) throws(RawPhotoError) -> PhotoRequest {
    let request = try PhotoRequest(settings, output: self)
    guard use(settings) else {
      throw RawPhotoError(
        .settingsReused,
        "settings can be used for only one photo, and these were used; create new ones with init(from:)"
      )
    }
    return request
  }

  /// Takes the exposures, restores the device's exposure, and makes the photos.
  private func perform(
    _ request: PhotoRequest, observer: (any CapturePhotoCaptureDelegate)?,
    _ cancellation: Cancellation, _ tell: (Progress) -> Void,
    _ deliver: (CapturePhoto) throws(RawPhotoError) -> Void
  ) throws(RawPhotoError) {
    var request = request
    observer?.photoOutput(self, willBeginCaptureFor: request.resolved)
    var frames: [ExposedFrame] = []
    do throws(RawPhotoError) {
      for exposure in request.resolved.exposures {
        try cancellation.check()
        frames.append(try expose(exposure, request))
      }
    } catch {
      guard let fault = restore(request) else { throw error }
      throw RawPhotoError(error.code, "\(error.message); \(fault)", from: error)
    }
    if let fault = restore(request) { request.resolved.warnings.append(fault) }
    observer?.photoOutput(self, didCapturePhotoFor: request.resolved)
    tell(.exposed)
    try PhotoMaker(request: request, frames: frames, cancellation: cancellation).make(
      tell, deliver)
  }

  /// Restores the device's exposure, automatic or not.
  ///
  /// - Returns: Why it is not restored; nil if it is. The frames are exposed already, so this must not cost the photo.
  private func restore(_ request: PhotoRequest) -> String? {
    guard request.changesExposure, let control = request.control else { return nil }
    let name = request.deviceName
    guard let original = request.original else {
      return "\(name) keeps the exposure of the capture, because the previous one is unknown"
    }
    do throws(CaptureError) { try control.restore(original) } catch {
      return "\(name) keeps an exposure of the capture, because the previous one could not be "
        + "restored: \(error.message)"
    }
    return nil
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
