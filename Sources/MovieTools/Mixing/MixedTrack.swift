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
  /// Samples that wait, interleaved, and the frame that the first of them is.
  private var waiting: [Int32] = []
  private var start: Int64 = 0
  /// Where the resampler's next sample belongs.
  private var place: Int64?
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
        "\(format.channelCount) channels are not mixed down to \(target.channelCount); ask for two, or "
          + "for all")
    }
    self.matrix = matrix
    reader = try TimelineReader(track.clips, sound: format)
  }

  /// Adds the track to samples of the mix, which begin at a frame of it.
  ///
  /// - Returns: False where the track has nothing at or behind that frame.
  func add(
    to mix: inout [Double], at frame: Int64
  ) throws(AssetReaderError) -> Bool {
    let count = Int64(mix.count / target.channelCount)
    try fill(until: frame + count)
    let (first, last) = (max(frame, start), min(frame + count, end))
    guard first < last else { return !hasEnded || end > frame }
    for now in first..<last {
      let volume = volume.value(at: target.duration(ofFrames: Int(now)))
      let own = Int(now - start) * channels
      let into = Int(now - frame) * target.channelCount
      for (channel, parts) in matrix.parts.enumerated() {
        for (from, part) in parts.enumerated() where part != 0 {
          mix[into + channel] += Double(waiting[own + from]) * part * volume
        }
      }
    }
    drop(before: frame + count)
    return true
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
      guard let sample = try reader.next() else {
        for buffer in try resampler?.finish() ?? [] { append(buffer) }
        hasEnded = true
        return
      }
      guard case .audio(let sound) = sample.content else { continue }
      try take(sound, at: sample.presentationTimeStamp)
    }
  }

  private func take(_ sound: AudioBuffer, at time: MediaTime) throws(AssetReaderError) {
    let rate = Int32(clamping: target.sampleRate)
    let wanted = time.converted(toTimescale: rate).value
    // Less is the rounding of time stamps; more is a gap, or the start.
    if place.map({ (wanted - $0).magnitude > 2 + UInt64(rate / 200) }) ?? true {
      for buffer in try resampler?.finish() ?? [] { append(buffer) }
      resampler = try makeResampler()
      place = wanted
      if waiting.isEmpty {
        start = max(wanted, start)
      } else if wanted > end {
        waiting += [Int32](repeating: 0, count: Int(wanted - end) * channels)
      }
    }
    for buffer in try resampler?.send(sound) ?? [sound] { append(buffer) }
    place =
      time.converted(toTimescale: rate).value
      + sound.duration.converted(toTimescale: rate).value
  }

  private func makeResampler() throws(AssetReaderError) -> SoundResampler? {
    guard source.sampleRate != target.sampleRate else { return nil }
    var made = source
    (made.sampleRate, made.sampleFormat) = (target.sampleRate, .int32)
    return try SoundResampler(from: source, to: made, name: reader.clipName)
  }

  private func append(_ sound: AudioBuffer) {
    let size = sound.format.sampleFormat.byteCount
    waiting.reserveCapacity(waiting.count + sound.bytes.count / size)
    for place in stride(from: 0, to: sound.bytes.count, by: size) {
      var word: UInt32 = 0
      for byte in 0..<size {
        word |= UInt32(sound.bytes[place + byte]) << UInt32(8 * (4 - size + byte))
      }
      waiting.append(Int32(bitPattern: word))
    }
  }
}
