import MediaCore
import QuickTime
import SystemPackage

/// Audio files that are not movies: the extent of their samples, and their completion.
extension CompressedMovie {
  /// Notes where linear PCM begins, and how much of it there can be.
  func notePlainAudio(
    _ settings: AudioOutputSettings, _ setup: MovieSetup
  ) throws(QuickTimeError) {
    guard let audioFile = AudioFile(fileType), settings.compression == .none, let output else {
      return
    }
    try output.flush()
    let limits = [
      audioFile.maximumByteCount,
      setup.configuration.segments.fileSizeLimit.map { UInt64(max($0, 0)) },
    ]
    let format = settings.format
    plainAudio = PlainAudioExtent(
      start: output.size, bytesPerFrame: format.bytesPerFrame,
      maximumByteCount: limits.compactMap(\.self).min())
    let interval = setup.configuration.movieFragmentInterval
    // As with ProRes, audio is written continuously even if no fragments were requested.
    let seconds = interval.isNumeric ? min(max(interval.seconds, 0.04), 3600) : 0.5
    audioPace.interval = Int64(seconds * Double(format.bytesPerFrame * format.sampleRate))
  }

  /// Flushes audio to the disk once a certain amount has arrived.
  func keepAudio() throws(QuickTimeError) {
    guard let output, let bytes = muxer?.packetBytes, bytes - audioPace.kept >= audioPace.interval
    else { return }
    audioPace.kept = bytes
    try output.flush()
    if synchronizes { try output.synchronize() }
  }

  /// The number of audio frames that still fit after those that a track has.
  func room(for settings: AudioOutputSettings, after frames: Int64) -> Int {
    if let plainAudio { return plainAudio.room(after: frames) }
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
  var holdsAudio: Bool {
    guard let plainAudio, let output, output.failure != nil else { return true }
    return plainAudio.frames(in: output.size) > 0
  }

  /// Drops audio that the disk did not accept or did not confirm: the rest makes a file. False if there is none.
  func dropUnwrittenAudio() -> Bool {
    // What ends the file is written once.
    guard let plainAudio, let output, muxer?.isComplete == false,
      case .audio(let audio)? = tracks.first
    else { return false }
    let written = audio.written
    let frames = min(plainAudio.frames(in: output.reliableSize), written.end)
    guard frames > 0, (try? output.resume(at: plainAudio.end(of: frames))) != nil else {
      return false
    }
    written.end = frames
    written.media.samples = Int(clamping: frames)
    written.media.bytes = frames * Int64(audio.settings.format.bytesPerFrame)
    return true
  }

  /// Takes linear PCM back that was written further than the session goes.
  func dropOmittedAudio() throws(QuickTimeError) {
    guard let plainAudio, let output, case .audio(let audio)? = tracks.first,
      case let written = audio.written, written.end > 0, audio.writer.given > written.end
    else { return }
    // What was collected may belong before the end.
    try output.flush()
    try output.resume(at: plainAudio.end(of: written.end))
    written.media.bytes = written.end * Int64(audio.settings.format.bytesPerFrame)
  }

  /// Tells a Core Audio file how many frames of its last packet count.
  func settleAudioLength() throws(QuickTimeError) {
    guard fileType == .caf, plainAudio == nil, case .audio(let audio)? = tracks.first else {
      return
    }
    try CoreAudioPacketTable(file)?.setFrameCount(audio.written.end)
  }
}
