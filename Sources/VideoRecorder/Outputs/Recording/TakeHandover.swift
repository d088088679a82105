import CaptureDevices
import MediaCore

/// A switch of files during a recording: decides which frame is the next file's first.
///
/// The next file's audio begins with what arrives after the request. Frames before that audio therefore belong to
/// the old file, which receives audio until it is complete anyway.
struct TakeHandover: Sendable {
  /// The recording into the old file.
  let recording: MovieRecording
  private var awaitedAudio: Set<ObjectIdentifier>
  private var start = MediaTime.invalid
  private var firstFrame = MediaTime.invalid

  /// Seconds to wait for audio before the next file begins without it.
  private static let longestWait = 1.0

  init(from recording: MovieRecording, audio: [CaptureConnection]) {
    self.recording = recording
    awaitedAudio = Set(audio.map { ObjectIdentifier($0) })
  }

  /// Notes the first audio that the next file gets from a connection.
  mutating func noteAudio(_ event: CaptureEvent, from connection: CaptureConnection) {
    guard awaitedAudio.contains(ObjectIdentifier(connection)) else { return }
    if case .sample(let sample) = event {
      let time = sample.presentationTimeStamp
      start = start.isNumeric ? max(start, time) : time
    } else if !event.endsStream {
      return
    }
    awaitedAudio.remove(ObjectIdentifier(connection))
  }

  /// True if an event of the video stream belongs to the next file: a frame whose audio that file has, one that the
  /// old file no longer accepts, or the end.
  mutating func isOver(with event: CaptureEvent) -> Bool {
    guard case .sample(let sample) = event else { return event.endsStream }
    guard recording.isActive else { return true }
    let time = sample.presentationTimeStamp
    if !firstFrame.isNumeric { firstFrame = time }
    if (time - firstFrame).seconds >= Self.longestWait { return true }
    return awaitedAudio.isEmpty && (!start.isNumeric || time >= start)
  }
}
