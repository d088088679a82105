import AssetReader
import MediaCore
import QuickTime

/// Copies the audio of a timeline's track, with silence in gaps.
///
/// 8- to 32-bit integer PCM is kept bit for bit. Floating-point and companded PCM become integers,
/// and other audio is decoded; both are noted, and so is clipping.
final class AudioTrackCopy: TimelineTrackCopy {
  private let track: MovieTimeline.Track
  private let description: AudioTrackDescription
  private var conversions: [ExportNote] = []
  private var missing: [ExportNote] = []
  var notes: [ExportNote] {
    conversions + missing + (ExportNote.clipping(reader.excess).map { [$0] } ?? [])
  }

  private var id = TrackID(rawValue: 0)
  private let reader: TimelineReader
  /// Samples per channel so far.
  private var position: Int64 = 0
  /// How many of them are silence.
  private var silence: Int64 = 0

  /// The most samples of silence written per call.
  private static let silenceRun: Int64 = 48_000

  init(_ track: MovieTimeline.Track) throws(AssetReaderError) {
    self.track = track
    guard let first = track.clips.first, let format = first.track.audio else {
      throw AssetReaderError(.invalidArgument, "the audio track has no clips")
    }
    var description = AudioTrackDescription(
      format: format,
      channelLayout: first.track.channelLabels.map(AudioChannelLayout.init(coreAudioLabels:)),
      name: first.track.title ?? "", isEnabled: track.isEnabled)
    description.language = track.language
    self.description = description
    reader = try TimelineReader(track.clips, audio: format)
    let changed = Set(track.clips.map(\.track.codecName).filter { !Self.isInteger($0) })
    conversions = changed.sorted().map { codec in
      let verb = codec.hasPrefix("pcm_") ? "converted" : "decoded"
      return ExportNote(
        .changed, "audio",
        "\(codec) audio is \(verb) to \(format.sampleFormat.bitDepth)-bit integer PCM")
    }
  }

  /// True for PCM whose codes the reader delivers unchanged.
  private static func isInteger(_ codec: String) -> Bool {
    let others = ["f16", "f24", "f32", "f64", "s64", "alaw", "mulaw", "vidc"]
    return codec.hasPrefix("pcm_") && !others.contains { codec.hasPrefix("pcm_\($0)") }
  }

  var time: MediaTime {
    MediaTime(value: position, timescale: Int32(clamping: description.format.sampleRate))
  }

  func addTrack(to writer: MovieWriter) throws(QuickTimeError) {
    id = try writer.addAudioTrack(description)
  }

  func writeNext(to writer: MovieWriter) throws -> Bool {
    guard let sample = try reader.next(), let audio = sample.audioBuffer else {
      let end = track.clips.last?.target.end ?? .zero
      try writeSilence(until: samples(end), to: writer)
      noteMissingAudio()
      return false
    }
    try writeSilence(until: samples(sample.presentationTimeStamp), to: writer)
    // Rounded ends of clips may overlap by a sample.
    let skipped = Int(
      min(max(position - samples(sample.presentationTimeStamp), 0), Int64(audio.frameCount)))
    let count = audio.frameCount - skipped
    guard count > 0 else { return true }
    let step = description.format.bytesPerFrame
    try append(audio.bytes[(skipped * step)...], frames: count, to: writer)
    return true
  }

  private func append(
    _ bytes: ArraySlice<UInt8>, frames: Int, to writer: MovieWriter
  ) throws(QuickTimeError) {
    var failure: QuickTimeError?
    bytes.withUnsafeBytes { bytes in
      do throws(QuickTimeError) {
        try writer.appendAudio(bytes, frames: frames, to: id)
      } catch { failure = error }
    }
    if let failure { throw failure }
    position += Int64(frames)
  }

  /// Notes silence that is not in the timeline, because sources are shorter than their clips.
  private func noteMissingAudio() {
    var wanted: Int64 = 0
    var end = MediaTime.zero
    for clip in track.clips {
      wanted += samples(clip.target.start) - samples(end)
      end = clip.target.end
    }
    guard silence > wanted else { return }
    missing.append(
      ExportNote(
        .assumed, "audio",
        "sources have less audio than their clips: \(silence - wanted) samples of silence"))
  }

  private func writeSilence(until end: Int64, to writer: MovieWriter) throws(QuickTimeError) {
    let step = description.format.bytesPerFrame
    while position < end {
      let count = Int(min(end - position, Self.silenceRun))
      try append(
        ArraySlice(repeating: 0, count: count * step), frames: count, to: writer)
      silence += Int64(count)
    }
  }

  private func samples(_ time: MediaTime) -> Int64 {
    time.converted(
      toTimescale: Int32(clamping: description.format.sampleRate), rounding: .roundHalfAwayFromZero
    ).value
  }
}
