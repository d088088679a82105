package import AssetReader
package import MediaCore

/// The audio that a mix makes from a timeline, from its start to the end of the last track.
///
/// Used from one thread at a time.
package final class MixedAudio {
  private let format: AudioFormat
  private var tracks: [MixedTrack] = []
  private var frame: Int64 = 0
  /// Samples of the mix that were clipped so far.
  private var mixExcess = AudioExcess()

  /// The mix's channel labels, as in Core Audio, if all tracks have the same; nil if unknown.
  package let channelLabels: [UInt32]?
  /// How the mix differs from its tracks.
  package let notes: [ExportNote]

  /// Creates the audio of a mix.
  ///
  /// - Throws: `AssetReaderError` if the first clip of a track cannot be read.
  package init(_ mix: AudioMix, of timeline: MovieTimeline) throws(AssetReaderError) {
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

  /// The samples clipped so far because they exceeded full scale, in the tracks and in their sum.
  package var excess: AudioExcess {
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

  /// The next tenth of a second; nil after the end.
  ///
  /// - Throws: `AssetReaderError` if a clip cannot be read.
  package func next() throws(AssetReaderError) -> SampleBuffer? {
    let count = max(format.sampleRate / 10, 1)
    var mix = [Double](repeating: 0, count: count * format.channelCount)
    var continues = false
    var end: Int64 = 0
    for track in tracks {
      let hasMore = try track.add(to: &mix, at: frame)
      continues = continues || hasMore
      end = max(end, track.end)
    }
    let left = continues ? count : Int(min(max(end - frame, 0), Int64(count)))
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

  /// Converts 32-bit samples to the format's depth: the nearest codes, clipped at full scale.
  private func bytes(of mix: ArraySlice<Double>) -> [UInt8] {
    let size = format.sampleFormat.byteCount
    let unit = Double(Int64(1) << (32 - format.sampleFormat.bitDepth))
    let most = Double(Int64(1) << (format.sampleFormat.bitDepth - 1))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(mix.count * size)
    for sample in mix {
      let nearest = (sample / unit).rounded(.toNearestOrEven)
      // Exactly full scale is one code too high, but does not count as clipped.
      if nearest.magnitude > most { mixExcess.add(level: nearest.magnitude / most) }
      let code = Int32(min(max(nearest, -most), most - 1))
      withUnsafeBytes(of: code.littleEndian) { bytes.append(contentsOf: $0.prefix(size)) }
    }
    return bytes
  }
}
