import AssetReader
import MediaCore

/// The sound of a track on its way into a mix: samples of 32 bits at the mix's rate, by their places.
final class MixedTrack {
  private let reader: TimelineReader
  private let source: AudioFormat
  private let target: AudioFormat
  private let volume: Ramp<Double>
  private let matrix: ChannelMatrix
  private var resampler: SoundResampler?
  /// What resamplers before that one have clipped.
  private var pastExcess = SoundExcess()
  /// Samples that wait, interleaved, and the frame that the first of them is.
  private var waiting: [Int32] = []
  private var start: Int64 = 0
  /// The samples that were read last, at 32 bits.
  private var wide: [UInt8] = []
  /// Where the run of sound began that is read, in frames of the mix, and frames of the source since then; nil
  /// before the first one and behind a gap.
  private var run: (start: Int64, frames: Int64)?
  /// Sound behind a gap, which comes once all before it was used.
  private var parked: SampleBuffer?
  private var hasEnded = false

  /// - Throws: `AssetReaderError` where the first clip cannot be read.
  init(
    _ track: MovieTimeline.Track, _ volume: Ramp<Double>, _ target: AudioFormat
  ) throws(AssetReaderError) {
    guard let format = track.clips.first?.track.audio else {
      throw AssetReaderError(.invalidArgument, "a mix is made of tracks of sound")
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
    reader = try TimelineReader(track.clips, sound: format)
  }

  /// Adds the track to samples of the mix, which begin at a frame of it.
  ///
  /// - Returns: True where more comes behind them.
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

  /// Sound of the track above full scale so far, which was clipped.
  var excess: SoundExcess {
    var excess = reader.excess
    excess.add(pastExcess)
    if let resampler { excess.add(resampler.excess) }
    return excess
  }

  private var channels: Int { source.channelCount }

  /// The frame behind the sound that was read.
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
      guard case .audio(let sound) = sample.content else { continue }
      let time = sample.presentationTimeStamp.converted(toTimescale: rate).value
      if isApart(time) {
        try flush()
        run = nil
        // Hours of silence are not kept: what is behind them waits.
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
      for buffer in try resampler?.send(sound) ?? [sound] { append(buffer) }
      run = (run?.start ?? time, (run?.frames ?? 0) + Int64(sound.frameCount))
    }
  }

  private func nextSample() throws(AssetReaderError) -> SampleBuffer? {
    if let parked = parked.take() { return parked }
    return try reader.next()
  }

  private var rate: Int32 { Int32(clamping: target.sampleRate) }

  /// True at the start and behind a gap. Places at another rate are rounded.
  private func isApart(_ time: Int64) -> Bool {
    guard let run else { return true }
    let expected = run.start + run.frames * Int64(target.sampleRate) / Int64(source.sampleRate)
    return (time - expected).magnitude > 1
  }

  /// Takes what the resampler still has.
  private func flush() throws(AssetReaderError) {
    guard let resampler = resampler.take() else { return }
    for buffer in try resampler.finish() { append(buffer) }
    pastExcess.add(resampler.excess)
  }

  private func makeResampler() throws(AssetReaderError) -> SoundResampler? {
    guard source.sampleRate != target.sampleRate else { return nil }
    var made = source
    (made.sampleRate, made.sampleFormat) = (target.sampleRate, .int32)
    return try SoundResampler(from: source, to: made, name: reader.clipName)
  }

  private func append(_ sound: AudioBuffer) {
    PCMConversion.convert(
      sound.bytes[...], from: sound.format.sampleFormat, to: .int32, into: &wide)
    wide.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 4) {
        waiting.append(
          Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
      }
    }
  }
}
