import Dispatch
import Foundation

/// Is told of the end of a recorder's recordings.
public protocol AVAudioRecorderDelegate: AnyObject {
  /// A recording has ended: on request, at its duration, or for an error.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - flag: True where the file is good; the recorder's `error` says why it ended by itself.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

  /// The recording ended by itself before its duration, or has no good file; called before
  /// ``audioRecorderDidFinishRecording(_:successfully:)``, which says whether what came until then is kept.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
  /// Does nothing.
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  {}
  /// Does nothing.
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}

/// Calls a recorder's delegate, in order, on a queue of its own.
///
/// Unchecked because Apple's delegates need not be `Sendable`: the reference is kept under a lock, and the delegate is
/// called on the serial queue alone.
final class RecorderListener: @unchecked Sendable {
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "audio-recorder.delegate")
  private weak var listener: (any AVAudioRecorderDelegate)?

  /// Told of the end; not kept.
  var delegate: (any AVAudioRecorderDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  /// Tells of an end, soon.
  ///
  /// - Parameter error: Why, where nobody asked for it.
  func tell(_ recorder: AVAudioRecorder, _ error: AVError?) {
    queue.async { [self] in
      guard let delegate else { return }
      let isGood = error == nil || error?.recordingSuccessfullyFinished == true
      // That the duration is reached which was asked for is no error.
      if let error, !isGood || error.code != .maximumDurationReached {
        delegate.audioRecorderEncodeErrorDidOccur(recorder, error: error)
      }
      delegate.audioRecorderDidFinishRecording(recorder, successfully: isGood)
    }
  }
}
