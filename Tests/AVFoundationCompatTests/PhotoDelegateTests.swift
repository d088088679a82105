import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// The calls that report captures to a delegate.
@Suite(.timeLimit(.minutes(10))) struct PhotoDelegateTests {
  /// Notes whether calls overlap.
  private final class Watcher: AVCapturePhotoCaptureDelegate, Sendable {
    let inside = Mutex(0)
    let overlaps = Mutex(0)
    let ends = Mutex((good: 0, refused: 0))

    private func note() {
      let isAlone = inside.withLock { inside in
        inside += 1
        return inside == 1
      }
      if !isAlone { overlaps.withLock { $0 += 1 } }
      usleep(3000)
      inside.withLock { $0 -= 1 }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { note() }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
      error: (any Error)?
    ) { note() }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
      note()
      ends.withLock { ends in
        if error == nil { ends.good += 1 } else { ends.refused += 1 }
      }
    }
  }

  @Test func photo_delegate_calls_never_overlap()
    async throws
  {
    let camera = try PhotoCamera(proRAW: false)
    let output = camera.output
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    let raw = try #require(output.availableRawPhotoPixelFormatTypes.first)
    let watcher = Watcher()
    for _ in 0..<4 {
      output.capturePhoto(
        with: AVCapturePhotoSettings(rawPixelFormatType: raw), delegate: watcher)
      for _ in 0..<5 {
        output.capturePhoto(
          with: AVCapturePhotoSettings(rawPixelFormatType: 1), delegate: watcher)
      }
    }
    try await eventually("all captures end") {
      watcher.ends.withLock { $0.good == 4 && $0.refused == 20 }
    }
    #expect(watcher.overlaps.withLock { $0 } == 0)
  }
}
