import CaptureDevices
import MediaCore

/// A file that is switched while it is recorded: which picture is the first of the next file.
///
/// The next file's sound begins with what came after the switch was asked for. So the pictures up to there
/// belong to the file before, which gets sound until it is complete in any case.
struct TakeHandover: Sendable {
  /// What was recorded until now.
  let recording: MovieRecording
  private var awaitedSound: Set<ObjectIdentifier>
  private var start = MediaTime.invalid
  private var firstPicture = MediaTime.invalid

  /// Seconds for which sound is awaited before the next file begins without it.
  private static let longestWait = 1.0

  init(from recording: MovieRecording, sound: [CaptureConnection]) {
    self.recording = recording
    awaitedSound = Set(sound.map { ObjectIdentifier($0) })
  }

  /// Takes note of what the next file gets of a connection of sound first.
  mutating func noteSound(_ event: CaptureEvent, from connection: CaptureConnection) {
    guard awaitedSound.contains(ObjectIdentifier(connection)) else { return }
    if case .sample(let sample) = event {
      let time = sample.presentationTimeStamp
      start = start.isNumeric ? max(start, time) : time
    } else if !event.endsStream {
      return
    }
    awaitedSound.remove(ObjectIdentifier(connection))
  }

  /// True where an event of the pictures' stream belongs to the next file: a picture whose sound it has,
  /// one that the file before takes no more, or the end.
  mutating func isOver(with event: CaptureEvent) -> Bool {
    guard case .sample(let sample) = event else { return event.endsStream }
    guard recording.isActive else { return true }
    let time = sample.presentationTimeStamp
    if !firstPicture.isNumeric { firstPicture = time }
    if (time - firstPicture).seconds >= Self.longestWait { return true }
    return awaitedSound.isEmpty && (!start.isNumeric || time >= start)
  }
}
