import AVFoundationCompat
import Testing

/// A session with a synthetic sensor.
struct PhotoCamera {
  let session = AVCaptureSession()
  let output = AVCapturePhotoOutput()

  init(proRAW: Bool) throws {
    let device = try AVCaptureDevice.device(identifier: "pattern:raw?pace=none")
    try device.lockForConfiguration()
    device.activeFormat = try #require(
      device.formats.first {
        $0.isHighestPhotoQualitySupported && $0.highResolutionStillImageDimensions.width == 640
      })
    device.unlockForConfiguration()
    session.beginConfiguration()
    let input = try AVCaptureDeviceInput(device: device)
    #expect(session.canAddInput(input))
    session.addInput(input)
    #expect(session.canAddOutput(output))
    session.addOutput(output)
    if proRAW { output.isAppleProRAWEnabled = output.isAppleProRAWSupported }
    session.commitConfiguration()
    #expect(session.outputs.contains { $0 == output })
  }
}

/// Keeps a capture's files until the capture is over.
final class PhotoProcessor: NSObject, AVCapturePhotoCaptureDelegate {
  var rawFile: URL?
  var processed: Data?
  var photos: [AVCapturePhoto] = []
  var calls: [String] = []
  private let folder: URL
  private var end: CheckedContinuation<(any Error)?, Never>?

  init(folder: URL) { self.folder = folder }

  func capture(
    _ settings: AVCapturePhotoSettings, _ output: AVCapturePhotoOutput
  ) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      end = continuation
      output.capturePhoto(with: settings, delegate: self)
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) { calls.append("begin") }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    calls.append("photo")
    photos.append(photo)
    guard error == nil, let data = photo.fileDataRepresentation() else { return }
    if photo.isRawPhoto {
      let file = folder.appendingPathComponent("\(photo.photoCount)")
        .appendingPathExtension("dng")
      if (try? data.write(to: file)) != nil { rawFile = file }
    } else {
      processed = data
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
  ) {
    calls.append("end")
    end?.resume(returning: error)
  }
}
