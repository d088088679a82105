import AVFoundationCompat
import Synchronization
import Testing

extension AVCaptureDevice {
  /// The Technote's search, under its name: 10-bit 4:2:2 at 640x360.
  func findFormat() -> AVCaptureDevice.Format? {
    for captureFormat in formats {
      let description = captureFormat.formatDescription
      guard
        description.mediaSubType.rawValue == kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
      else { continue }
      let size = CMVideoFormatDescriptionGetDimensions(description)
      if size.width == 640, size.height == 360 { return captureFormat }
    }
    return nil
  }
}

/// A session with the pattern device, 640x360 at 25 frames a second, and a movie output.
struct PatternRig {
  let device: AVCaptureDevice
  let session = AVCaptureSession()
  let output = AVCaptureMovieFileOutput()

  init(_ name: String = "pattern:bars") throws {
    // A new object: other tests choose other formats at the same time.
    device = try AVCaptureDevice.device(identifier: name)
    let format = try #require(device.findFormat())
    try device.lockForConfiguration()
    device.activeFormat = format
    device.activeVideoMinFrameDuration = CMTimeMake(value: 1, timescale: 25)
    device.activeVideoMaxFrameDuration = CMTimeMake(value: 1, timescale: 25)
    device.unlockForConfiguration()
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.addOutput(output)
  }
}

/// Waits for the end of a recording.
final class RecordingListener: NSObject, AVCaptureFileOutputRecordingDelegate {
  private var calls: [String] = []
  private var end: CheckedContinuation<(any Error)?, Never>?

  /// Records until the end; returns the delegate's error.
  func record(_ output: AVCaptureMovieFileOutput, to url: URL) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      end = continuation
      output.startRecording(to: url, recordingDelegate: self)
    }
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) { calls.append("start") }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) { end?.resume(returning: error) }
}

/// The compiler that checks the programs. It may be missing where only built tests are run.
enum SwiftCompiler {
  static var isThere: Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
  }
}

/// A writer of 64x48 ProRes frames.
struct SmallWriter {
  let writer: AVAssetWriter
  let input: AVAssetWriterInput

  init(
    to url: URL, _ codec: AVVideoCodecType = .proRes422, compression: [String: Any]? = nil
  ) throws {
    writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    var settings: [String: Any] = [
      AVVideoCodecKey: codec, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
    ]
    settings[AVVideoCompressionPropertiesKey] = compression
    input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
  }

  /// Begins a session at 0.
  func begin() {
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
  }
}
