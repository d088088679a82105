import MediaCore
import QuickTime
import SystemPackage

/// Audio files that are not movies: the extent of their samples, and their completion.
extension CompressedMovie {
  /// Notes where linear PCM begins, and how much of it there can be.
  func notePlainSound(
    _ settings: AudioOutputSettings, _ setup: MovieSetup
  ) throws(QuickTimeError) {
    guard let soundFile = SoundFile(fileType), settings.compression == .none, let output else {
      return
    }
    try output.flush()
    let limits = [
      soundFile.maximumByteCount,
      setup.configuration.segments.fileSizeLimit.map { UInt64(max($0, 0)) },
    ]
    let format = settings.format
    plainSound = PlainSoundExtent(
      start: output.size, bytesPerFrame: format.bytesPerFrame,
      maximumByteCount: limits.compactMap(\.self).min())
    let interval = setup.configuration.movieFragmentInterval
    // As that of ProRes, a file that was not asked for fragments gets its sound nevertheless while it comes.
    let seconds = interval.isNumeric ? min(max(interval.seconds, 0.04), 3600) : 0.5
    soundPace.interval = Int64(seconds * Double(format.bytesPerFrame * format.sampleRate))
  }

  /// Brings sound to the disk once a span of it has come.
  func keepSound() throws(QuickTimeError) {
    guard let output, let bytes = muxer?.packetBytes, bytes - soundPace.kept >= soundPace.interval
    else { return }
    soundPace.kept = bytes
    try output.flush()
    if synchronizes { try output.synchronize() }
  }

  /// Frames of sound that still fit behind those that a track has.
  func room(for settings: AudioOutputSettings, after frames: Int64) -> Int {
    if let plainSound { return plainSound.room(after: frames) }
    // A movie counts the samples of linear PCM in 32 bits, where libavformat would begin anew.
    guard settings.compression == .none else { return .max }
    return Int(clamping: max(Int64(UInt32.max) - frames, 0))
  }

  /// What ends a take whose file has no room left.
  var fullFile: QuickTimeError {
    let remedy =
      switch fileType {
      case .aiff: "record long takes into .wav, .caf or .mov"
      case .wav, .caf: "allow larger files for long takes"
      default: "record long takes of linear PCM into .wav or .caf"
      }
    return QuickTimeError(
      .fileTooLarge, "\(file.name) is as large as it can be, and ends; \(remedy)",
      errno: .fileTooLarge)
  }

  /// False if the disk has no sample yet of an audio file that is not a movie.
  var holdsSound: Bool {
    guard let plainSound, let output, output.failure != nil else { return true }
    return plainSound.frames(in: output.size) > 0
  }

  /// Lets go of sound that the disk did not take, or did not confirm: the rest of it makes a file. False where there is none.
  func dropUnwrittenSound() -> Bool {
    // What ends the file is written once.
    guard let plainSound, let output, muxer?.isComplete == false,
      case .audio(let sound)? = tracks.first
    else { return false }
    let written = sound.written
    let frames = min(plainSound.frames(in: output.reliableSize), written.end)
    guard frames > 0, (try? output.resume(at: plainSound.end(of: frames))) != nil else {
      return false
    }
    written.end = frames
    written.media.samples = Int(clamping: frames)
    written.media.bytes = frames * Int64(sound.settings.format.bytesPerFrame)
    return true
  }

  /// Takes linear PCM back that was written further than the session goes.
  func dropSoundLeftOut() throws(QuickTimeError) {
    guard let plainSound, let output, case .audio(let sound)? = tracks.first,
      case let written = sound.written, written.end > 0, sound.writer.given > written.end
    else { return }
    // What was collected may belong before the end.
    try output.flush()
    try output.resume(at: plainSound.end(of: written.end))
    written.media.bytes = written.end * Int64(sound.settings.format.bytesPerFrame)
  }

  /// Tells a Core Audio file how many frames of its last packet count.
  func settleSoundLength() throws(QuickTimeError) {
    guard fileType == .caf, plainSound == nil, case .audio(let sound)? = tracks.first else {
      return
    }
    try CoreAudioPacketTable(file)?.setFrameCount(sound.written.end)
  }
}
