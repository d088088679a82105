public import MediaCore
import Synchronization
public import VideoRecorder

/// Sees the samples of a file output, as on macOS.
public protocol AVCaptureFileOutputDelegate: AnyObject {
  /// Never asked: a recording that is started from ``fileOutput(_:didOutputSampleBuffer:from:)`` begins with that
  /// sample in any case, or, where that is sound, with the picture that comes next.
  func fileOutputShouldProvideSampleAccurateRecordingStart(_ output: AVCaptureFileOutput) -> Bool

  /// A sample came, and is recorded next if a recording is under way. Called on the threads of the streams, one for
  /// each device: what takes long there costs samples, and the session must not be called from within.
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
  /// Who sees the samples; not kept.
  public var delegate: (any AVCaptureFileOutputDelegate)? {
    get { (observer.withLock { $0 } as? FileOutputDelegate)?.delegate }
    set {
      let seen = newValue.map { FileOutputDelegate($0) }
      observer.withLock { $0 = seen }
    }
  }
}

/// Hands samples to a delegate of Apple's kind.
///
/// Unchecked because Apple's delegates need not be `Sendable`: nobody sets the reference again, and the delegate is
/// called on the streams' threads, as its protocol says.
private final class FileOutputDelegate: FileOutputObserver, @unchecked Sendable {
  weak let delegate: (any AVCaptureFileOutputDelegate)?

  init(_ delegate: any AVCaptureFileOutputDelegate) { self.delegate = delegate }

  func fileOutput(
    _ output: CaptureFileOutput, didOutput sample: SampleBuffer, from connection: CaptureConnection
  ) {
    delegate?.fileOutput(output, didOutputSampleBuffer: sample, from: connection)
  }
}
