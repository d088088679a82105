public import MediaCore
import Synchronization
public import VideoRecorder

/// Receives the samples of a file output, as on macOS.
public protocol AVCaptureFileOutputDelegate: AnyObject {
  /// Never called: a recording started from ``fileOutput(_:didOutputSampleBuffer:from:)`` always begins with that
  /// sample, or with the next frame if the sample is audio.
  func fileOutputShouldProvideSampleAccurateRecordingStart(_ output: AVCaptureFileOutput) -> Bool

  /// A sample arrived and is recorded next if a recording is in progress. Called on the stream threads, one per device:
  /// a slow delegate loses samples. Do not call the session from this method.
  func fileOutput(
    _ output: AVCaptureFileOutput, didOutputSampleBuffer sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)
}

extension AVCaptureFileOutputDelegate {
  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didOutputSampleBuffer sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}
}

extension CaptureFileOutput {
  /// Receives the samples; held weakly.
  public var delegate: (any AVCaptureFileOutputDelegate)? {
    get { (observer.withLock { $0 } as? FileOutputDelegate)?.delegate }
    set {
      let seen = newValue.map { FileOutputDelegate($0) }
      observer.withLock { $0 = seen }
    }
  }
}

/// Forwards samples to an AVFoundation delegate.
///
/// Unchecked because Apple's delegates need not be `Sendable`: the reference is never set again, and the delegate is
/// called on the stream threads, as its protocol documents.
private final class FileOutputDelegate: FileOutputObserver, @unchecked Sendable {
  weak let delegate: (any AVCaptureFileOutputDelegate)?

  init(_ delegate: any AVCaptureFileOutputDelegate) { self.delegate = delegate }

  func fileOutput(
    _ output: CaptureFileOutput, didOutput sample: SampleBuffer, from connection: CaptureConnection
  ) {
    delegate?.fileOutput(output, didOutputSampleBuffer: sample, from: connection)
  }
}
