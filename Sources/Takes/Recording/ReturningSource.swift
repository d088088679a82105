import CaptureDevices
import MediaCore
import VideoRecorder

/// Sets a recording up again whose source went away, once all of it is back.
struct ReturningSource {
  private let request: RecordingRequest
  /// The audio device; nil for none.
  private let audio: CaptureDevice?
  /// When the video was back without the audio, in nanoseconds; nil if it is not.
  private var withoutAudioSince: Int64?
  /// What was said last of why it does not go on.
  private var reported: String?

  /// Nanoseconds to wait for audio after the video is back: the system finds a device's parts one by one.
  private static let audioPatience: Int64 = 5_000_000_000
  /// Errors of a source that is not there, or has no signal: nothing that anybody did not know.
  private static let awayCodes: [CaptureError.Code] = [
    .deviceNotFound, .deviceDisconnected, .signalLost, .deviceStalled, .nothingRecorded,
  ]

  /// - Parameters:
  ///   - setup: What was recorded by.
  ///   - request: What is to be recorded by now, from the very device.
  init(of setup: RecordingSetup, _ request: RecordingRequest) {
    var request = request
    request.device = setup.selection.device.driver
    self.request = request
    audio = setup.selection.audioDevice
  }

  /// Tries it once.
  ///
  /// - Parameter tell: Called with one line that was not said before: why it does not go on, or goes on with less.
  /// - Returns: nil while the source is away.
  mutating func setUp(telling tell: (String) -> Void) -> RecordingSetup? {
    let setup: RecordingSetup
    do throws(CaptureError) { setup = try RecordingSetup(request) } catch {
      note(error, telling: tell)
      return nil
    }
    guard let audio, setup.selection.audioDevice == nil else {
      withoutAudioSince = nil
      return setup
    }
    let now = MonotonicClock.now
    let since = withoutAudioSince ?? now
    withoutAudioSince = since
    guard now - since >= Self.audioPatience else { return nil }
    say(
      "\(audio.localizedName) is not back, and the recording continues without its audio", by: tell)
    return setup
  }

  /// Says why a recording does not go on, unless its source is away, or that was said.
  mutating func note(_ error: CaptureError, telling tell: (String) -> Void) {
    guard !Self.awayCodes.contains(error.code) else { return }
    say("the recording does not continue yet: \(error.message)", by: tell)
  }

  private mutating func say(_ line: String, by tell: (String) -> Void) {
    guard reported != line else { return }
    reported = line
    tell(line)
  }
}
