/// What became of the samples of an audio input, counted for each channel.
struct AudioAccount {
  /// The account as the report has it.
  private(set) var summary = AssetWriter.Report.AudioTrack()

  /// The measured amount by which the audio clock is fast, in millionths.
  var clockError: Double? {
    get { summary.clockError }
    set { summary.clockError = newValue }
  }

  /// Records appended audio, of which `trimmed` samples were cut before the session's start; `waiting`
  /// samples are on their way, including these.
  mutating func didAppend(_ count: Int, trimmed: Int, waiting: Int) {
    summary.samplesAppended += Int64(count)
    summary.samplesTrimmed += Int64(trimmed)
    summary.longestQueue = max(summary.longestQueue, waiting)
  }

  /// Samples of a piece were handed to the movie, silence first.
  mutating func didWrite(_ count: Int, of piece: AudioTrackState.Piece, bytesPerFrame: Int) {
    summary.samplesWritten += Int64(count)
    summary.samplesOfSilence += Int64(min(piece.silence, count))
    summary.bytes += Int64(count * bytesPerFrame)
  }

  /// The rest of a piece lies behind the session's end; silence in it is no loss.
  mutating func didTrim(_ piece: AudioTrackState.Piece, after written: Int) {
    let rest = piece.frameCount - written - max(piece.silence - written, 0)
    summary.samplesTrimmed += Int64(max(rest, 0))
  }

  /// A movie after the session's end was removed with its contents. Silence in it does not count as lost.
  mutating func didRemove(_ handed: HandedMedia) {
    summary.samplesTrimmed += Int64(handed.own)
    summary.samplesOfSilence -= Int64(handed.filled)
  }

  /// Counts only what is kept when a take begins with a pre-roll, not what was discarded.
  mutating func restart(kept: Int64) {
    summary.samplesAppended = max(kept, 0)
    summary.samplesTrimmed = 0
  }

  /// Counts what the files hold in the end.
  mutating func settle(_ held: HeldMedia) {
    summary.samplesWritten = Int64(held.samples)
    summary.samplesOfSilence = min(summary.samplesOfSilence, Int64(held.samples))
    summary.samplesTrimmed += held.samplesTrimmed
    summary.bytes = held.bytes
  }
}
