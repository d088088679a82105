import Dispatch
import Foundation

/// Receives the end of a recorder's recordings.
public protocol AVAudioRecorderDelegate: AnyObject {
  /// A recording has ended: on request, at its duration, or with an error.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - flag: True if the file is good. If the recording ended on its own, the recorder's `error` gives the reason.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

  /// The recording ended on its own before its duration, or its file is bad. Called before
  /// ``audioRecorderDidFinishRecording(_:successfully:)``, which reports whether the audio recorded so far is kept.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
  /// Does nothing.
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  {}
  /// Does nothing.
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}

/// Calls a recorder's delegate, in order, on its own queue.
///
/// Unchecked because Apple's delegates need not be `Sendable`: the reference is guarded by a lock, and the delegate is
/// called only on the serial queue.
final class RecorderListener: @unchecked Sendable {
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "audio-recorder.delegate")
  private weak var listener: (any AVAudioRecorderDelegate)?

  /// Called at the end of a recording; held weakly.
  var delegate: (any AVAudioRecorderDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  /// Reports the end asynchronously.
  ///
  /// - Parameter error: The reason if the recording ended on its own.
  func tell(_ recorder: AVAudioRecorder, _ error: AVError?) {
    queue.async { [self] in
      guard let delegate else { return }
      let isGood = error == nil || error?.recordingSuccessfullyFinished == true
      // Reaching the requested duration is not an error.
      if let error, !isGood || error.code != .maximumDurationReached {
        delegate.audioRecorderEncodeErrorDidOccur(recorder, error: error)
      }
      delegate.audioRecorderDidFinishRecording(recorder, successfully: isGood)
    }
  }
}
