package import AssetReader
package import MediaCore

/// The sound that a mix makes of a timeline, from its start to where the last track ends.
///
/// It is used from one thread at a time.
package final class MixedSound {
  private let format: AudioFormat
  private var tracks: [MixedTrack] = []
  private var frame: Int64 = 0
  /// What of the mix was clipped so far.
  private var mixExcess = SoundExcess()

  /// What the mix's channels are for, as Core Audio's labels: where all tracks have the same; nil where that
  /// is not known.
  package let channelLabels: [UInt32]?
  /// What the mix has otherwise than its tracks.
  package let notes: [ExportNote]

  /// The sound of a mix.
  ///
  /// - Throws: `AssetReaderError` where the first clip of a track cannot be read.
  package init(_ mix: SoundMix, of timeline: MovieTimeline) throws(AssetReaderError) {
    format = mix.format
    let used = mix.volumes.keys.sorted().filter {
      timeline.tracks.indices.contains($0) && !timeline.tracks[$0].clips.isEmpty
    }
    for index in used {
      tracks.append(
        try MixedTrack(timeline.tracks[index], mix.volumes[index] ?? Ramp(1.0), mix.format))
    }
    let layouts = Set(used.map { timeline.tracks[$0].clips.first?.track.channelLabels })
    let labels = layouts.count == 1 ? layouts.first.flatMap(\.self) : nil
    channelLabels = labels?.count == mix.format.channelCount ? labels : nil
    var notes = Self.notes(timeline, used, mix.format)
    if channelLabels == nil, mix.format.channelCount > 2, layouts != [nil] {
      notes.append(
        ExportNote(.dropped, "audio", "channel layout dropped: the tracks' layouts differ"))
    }
    self.notes = notes
  }

  /// Sound above full scale so far, of the tracks and of what they came to together, which was clipped.
  package var excess: SoundExcess {
    tracks.reduce(into: mixExcess) { $0.add($1.excess) }
  }

  private static func notes(
    _ timeline: MovieTimeline, _ used: [Int], _ format: AudioFormat
  ) -> [ExportNote] {
    var notes: [ExportNote] = []
    if used.count > 1 {
      notes.append(ExportNote(.changed, "audio", "\(used.count) audio tracks mixed into one"))
    }
    let silent = timeline.tracks.indices.filter {
      timeline.tracks[$0].mediaType == .audio && !timeline.tracks[$0].clips.isEmpty
        && !used.contains($0)
    }
    if !silent.isEmpty {
      notes.append(
        ExportNote(.dropped, "audio", "\(silent.count) disabled audio tracks dropped"))
    }
    let sources = Set(used.compactMap { timeline.tracks[$0].clips.first?.track.audio })
    for source in sources.sorted(by: { $0.channelCount < $1.channelCount }) {
      if source.channelCount > format.channelCount {
        notes.append(
          ExportNote(
            .changed, "audio",
            "\(source.channelCount) channels mixed down to \(format.channelCount)"))
      }
      if source.sampleRate != format.sampleRate {
        notes.append(
          ExportNote(
            .changed, "audio",
            "audio resampled from \(source.sampleRate) to \(format.sampleRate) Hz"
          ))
      }
    }
    return notes
  }

  /// The next tenth of a second; nil behind the end.
  ///
  /// - Throws: `AssetReaderError` where a clip cannot be read.
  package func next() throws(AssetReaderError) -> SampleBuffer? {
    let count = max(format.sampleRate / 10, 1)
    var mix = [Double](repeating: 0, count: count * format.channelCount)
    var goesOn = false
    var end: Int64 = 0
    for track in tracks {
      let hasMore = try track.add(to: &mix, at: frame)
      goesOn = goesOn || hasMore
      end = max(end, track.end)
    }
    let left = goesOn ? count : Int(min(max(end - frame, 0), Int64(count)))
    guard left > 0 else { return nil }
    let bytes = bytes(of: mix[..<(left * format.channelCount)])
    do throws(MediaCoreError) {
      let buffer = try AudioBuffer(format: format, bytes: bytes)
      let start = format.duration(ofFrames: Int(frame))
      frame += Int64(left)
      return SampleBuffer(
        .audio(buffer), presentationTimeStamp: start, duration: buffer.duration,
        attachments: .init())
    } catch { throw AssetReaderError(.outOfMemory, error.message) }
  }

  /// Samples of 32 bits at the format's depth: the nearest codes, cut off beyond the loudest.
  private func bytes(of mix: ArraySlice<Double>) -> [UInt8] {
    let size = format.sampleFormat.byteCount
    let unit = Double(Int64(1) << (32 - format.sampleFormat.bitDepth))
    let most = Double(Int64(1) << (format.sampleFormat.bitDepth - 1))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(mix.count * size)
    for sample in mix {
      let nearest = (sample / unit).rounded(.toNearestOrEven)
      // Full scale itself is one code too high, and nobody's fault.
      if nearest.magnitude > most { mixExcess.add(level: nearest.magnitude / most) }
      let code = Int32(min(max(nearest, -most), most - 1))
      withUnsafeBytes(of: code.littleEndian) { bytes.append(contentsOf: $0.prefix(size)) }
    }
    return bytes
  }
}
