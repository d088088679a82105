// A ProRes recorder with only Apple's names, in the order of Technote TN3104. It builds and runs unchanged on
// macOS, except for permissions; on Linux only its import differs.
//
//   technote-recorder FOLDER [DEVICE]     two movies of two seconds, each saved to the photo library
#if canImport(AVFoundation)
import AVFoundation
import Photos
#else
import AVFoundationCompat
#endif

/// Errors besides those of the frameworks.
enum RecorderError: Error {
  case noCamera
  case no10BitFormat
  case sessionRefused
  case codecUnavailable
  case libraryAccessDenied
}

extension AVCaptureDevice {
  /// The largest format up to 1280 pixels wide from which ProRes 422 can be made at 25 frames a second: ten
  /// bits and 4:2:2 are required.
  func proResFormat() -> AVCaptureDevice.Format? {
    let suitable = formats.filter { format in
      let description = format.formatDescription
      return description.mediaSubType.rawValue == kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
        && CMVideoFormatDescriptionGetDimensions(description).width <= 1280
        && format.videoSupportedFrameRateRanges.contains {
          $0.minFrameRate <= 25 && $0.maxFrameRate >= 25
        }
    }
    return suitable.max {
      CMVideoFormatDescriptionGetDimensions($0.formatDescription).width
        < CMVideoFormatDescriptionGetDimensions($1.formatDescription).width
    }
  }
}

/// With the movie-file output: it writes the file, and reports when it has finished.
final class MovieFileRecorder: NSObject, AVCaptureFileOutputRecordingDelegate {
  private var end: CheckedContinuation<URL, any Error>?

  func record(with output: AVCaptureMovieFileOutput, to url: URL) async throws -> URL {
    try await withCheckedThrowingContinuation { continuation in
      end = continuation
      output.startRecording(to: url, recordingDelegate: self)
    }
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    // A configured limit ends a recording with an error, but the file is good.
    if let error, (error as? AVError)?.recordingSuccessfullyFinished != true {
      end?.resume(throwing: error)
    } else {
      end?.resume(returning: outputFileURL)
    }
    end = nil
  }
}

/// With the data output: each frame passes through the program, which hands it to an asset writer.
final class SampleRecorder: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
  private let writer: AVAssetWriter
  private let input: AVAssetWriterInput
  private var framesLeft = 50
  private var end: CheckedContinuation<Void, Never>?

  init(output: AVCaptureVideoDataOutput, url: URL) throws {
    let settings = output.recommendedVideoSettings(
      forVideoCodecType: .proRes422, assetWriterOutputFileType: .mov)
    input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    input.expectsMediaDataInRealTime = true
    writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    writer.add(input)
  }

  func record(from output: AVCaptureVideoDataOutput) async throws -> URL {
    await withCheckedContinuation { continuation in
      end = continuation
      output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "frames"))
    }
    output.setSampleBufferDelegate(nil, queue: nil)
    input.markAsFinished()
    await writer.finishWriting()
    if let error = writer.error { throw error }
    return writer.outputURL
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard framesLeft > 0 else { return }
    if writer.status == .unknown {
      writer.startWriting()
      writer.startSession(atSourceTime: sampleBuffer.presentationTimeStamp)
    }
    if input.isReadyForMoreMediaData, input.append(sampleBuffer) { framesLeft -= 1 }
    if framesLeft == 0 || writer.status == .failed {
      framesLeft = 0
      end?.resume()
      end = nil
    }
  }
}

@main
struct TechnoteRecorder {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let folder = URL(fileURLWithPath: arguments.first ?? ".")
    let name = arguments.dropFirst().first
    guard let device = name.map({ AVCaptureDevice(uniqueID: $0) }) ?? .default(for: .video) else {
      throw RecorderError.noCamera
    }

    // The preset: none records ProRes, so the device's own format counts.
    let session = AVCaptureSession()
    session.beginConfiguration()
    session.sessionPreset = .inputPriority

    // The capture format.
    guard let format = device.proResFormat() else { throw RecorderError.no10BitFormat }
    let input = try AVCaptureDeviceInput(device: device)
    guard session.canAddInput(input) else { throw RecorderError.sessionRefused }
    session.addInput(input)
    try device.lockForConfiguration()
    device.activeFormat = format
    device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 25)
    device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 25)
    device.unlockForConfiguration()

    // The first type of output, and its codecs for the chosen format.
    let movieOutput = AVCaptureMovieFileOutput()
    guard session.canAddOutput(movieOutput) else { throw RecorderError.sessionRefused }
    session.addOutput(movieOutput)
    session.commitConfiguration()
    guard movieOutput.availableVideoCodecTypes.contains(.proRes422),
      let connection = movieOutput.connection(with: .video)
    else { throw RecorderError.codecUnavailable }
    movieOutput.setOutputSettings(
      [AVVideoCodecKey: AVVideoCodecType.proRes422.rawValue], for: connection)
    movieOutput.maxRecordedDuration = CMTime(value: 2, timescale: 1)

    // Recording and saving.
    session.startRunning()
    let first = try await MovieFileRecorder().record(
      with: movieOutput, to: folder.appendingPathComponent("movie-file-output.mov"))
    try await save(first)

    // The second type of output needs no settings, because the asset writer has them.
    let dataOutput = AVCaptureVideoDataOutput()
    session.beginConfiguration()
    session.removeOutput(movieOutput)
    guard session.canAddOutput(dataOutput) else { throw RecorderError.sessionRefused }
    session.addOutput(dataOutput)
    session.commitConfiguration()

    let recorder = try SampleRecorder(
      output: dataOutput, url: folder.appendingPathComponent("asset-writer.mov"))
    let second = try await recorder.record(from: dataOutput)
    session.stopRunning()
    try await save(second)
  }

  /// Saves a movie to the user's library, which shows it with a ProRes badge.
  static func save(_ movie: URL) async throws {
    guard await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized else {
      throw RecorderError.libraryAccessDenied
    }
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: movie)
    }
    print("saved", movie.lastPathComponent)
  }
}
