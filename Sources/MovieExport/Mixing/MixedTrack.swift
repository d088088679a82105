import AssetReader
import MediaCore

/// The audio of a track for a mix: 32-bit samples at the mix's rate, by position.
final class MixedTrack {
  private let reader: TimelineReader
  private let source: AudioFormat
  private let target: AudioFormat
  private let volume: Ramp<Double>
  private let matrix: ChannelMatrix
  private var resampler: AudioResampler?
  /// Samples that previous resamplers clipped.
  private var pastExcess = AudioExcess()
  /// Interleaved samples that wait, and the index of their first audio frame.
  private var waiting: [Int32] = []
  private var start: Int64 = 0
  /// The samples read last, at 32 bits.
  private var wide: [UInt8] = []
  /// The start of the current run in frames of the mix, and the source frames since then; nil
  /// before the first run and after a gap.
  private var run: (start: Int64, frames: Int64)?
  /// Audio after a gap, kept until everything before it was used.
  private var parked: SampleBuffer?
  private var hasEnded = false

  /// - Throws: `AssetReaderError` if the first clip cannot be read.
  init(
    _ track: MovieTimeline.Track, _ volume: Ramp<Double>, _ target: AudioFormat
  ) throws(AssetReaderError) {
    guard let format = track.clips.first?.track.audio else {
      throw AssetReaderError(.invalidArgument, "a mix needs audio tracks")
    }
    (source, self.target, self.volume) = (format, target, volume)
    let labels = track.clips.first?.track.channelLabels
    guard
      let matrix = ChannelMatrix(from: format.channelCount, labels, to: target.channelCount)
    else {
      throw AssetReaderError(
        .unsupported,
        "cannot mix \(format.channelCount) channels down to \(target.channelCount); ask for 1, 2 or all of them"
      )
    }
    self.matrix = matrix
    reader = try TimelineReader(track.clips, audio: format)
  }

  /// Adds the track to samples of the mix that begin at an audio frame.
  ///
  /// - Returns: True if more follows.
  func add(
    to mix: inout [Double], at frame: Int64
  ) throws(AssetReaderError) -> Bool {
    let behind = frame + Int64(mix.count / target.channelCount)
    try fill(until: behind)
    for now in max(frame, start)..<max(min(behind, end), max(frame, start)) {
      let volume = volume.value(at: target.duration(ofFrames: Int(now)))
      let own = Int(now - start) * channels
      let into = Int(now - frame) * target.channelCount
      for (channel, parts) in matrix.parts.enumerated() {
        for (from, part) in parts.enumerated() where part != 0 {
          mix[into + channel] += Double(waiting[own + from]) * part * volume
        }
      }
    }
    drop(before: behind)
    return !hasEnded || !waiting.isEmpty
  }

  /// The track's samples clipped so far because they exceeded full scale.
  var excess: AudioExcess {
    var excess = reader.excess
    excess.add(pastExcess)
    if let resampler { excess.add(resampler.excess) }
    return excess
  }

  private var channels: Int { source.channelCount }

  /// The audio frame after the audio read so far.
  var end: Int64 { start + Int64(waiting.count / channels) }

  private func drop(before frame: Int64) {
    let count = min(max(frame - start, 0), Int64(waiting.count / channels))
    waiting.removeFirst(Int(count) * channels)
    start += count
  }

  private func fill(until frame: Int64) throws(AssetReaderError) {
    while !hasEnded, end < frame {
      guard let sample = try nextSample() else {
        try flush()
        hasEnded = true
        return
      }
      guard case .audio(let audio) = sample.content else { continue }
      let time = sample.presentationTimeStamp.converted(toTimescale: rate).value
      if isApart(time) {
        try flush()
        run = nil
        // Do not buffer hours of silence: what comes after the gap waits.
        guard time < frame else {
          parked = sample
          return
        }
        if waiting.isEmpty {
          start = max(time, start)
        } else {
          waiting += [Int32](repeating: 0, count: Int(max(time - end, 0)) * channels)
        }
        resampler = try makeResampler()
      }
      for buffer in try resampler?.send(audio) ?? [audio] { append(buffer) }
      run = (run?.start ?? time, (run?.frames ?? 0) + Int64(audio.frameCount))
    }
  }

  private func nextSample() throws(AssetReaderError) -> SampleBuffer? {
    if let parked = parked.take() { return parked }
    return try reader.next()
  }

  private var rate: Int32 { Int32(clamping: target.sampleRate) }

  /// True at the start and after a gap. Allows for positions rounded to another rate.
  private func isApart(_ time: Int64) -> Bool {
    guard let run else { return true }
    let expected = run.start + run.frames * Int64(target.sampleRate) / Int64(source.sampleRate)
    return (time - expected).magnitude > 1
  }

  /// Takes the resampler's remaining output.
  private func flush() throws(AssetReaderError) {
    guard let resampler = resampler.take() else { return }
    for buffer in try resampler.finish() { append(buffer) }
    pastExcess.add(resampler.excess)
  }

  private func makeResampler() throws(AssetReaderError) -> AudioResampler? {
    guard source.sampleRate != target.sampleRate else { return nil }
    var made = source
    (made.sampleRate, made.sampleFormat) = (target.sampleRate, .int32)
    return try AudioResampler(from: source, to: made, name: reader.clipName)
  }

  private func append(_ audio: AudioBuffer) {
    PCMConversion.convert(
      audio.bytes[...], from: audio.format.sampleFormat, to: .int32, into: &wide)
    wide.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 4) {
        waiting.append(
          Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
      }
    }
  }
}
