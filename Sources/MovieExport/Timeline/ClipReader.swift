package import AssetReader
package import MediaCore

/// Reads the decoded samples of one track of a file within a time range.
///
/// A frame that begins before the range and lasts into it is delivered with its own times; audio is
/// cut to the sample. Used from one thread at a time.
package final class ClipReader {
  /// The track.
  package let track: AssetTrack
  private let reader: AssetReader
  private let range: MediaTimeRange
  private let name: String

  /// How much earlier decoding of compressed audio must start for correct samples.
  private static let audioRunUp = MediaTime(value: 1, timescale: 4)

  /// Creates a reader of a range. A range without a numeric duration extends to the end.
  ///
  /// - Throws: `AssetReaderError` if the file cannot be read or has no such track.
  package init(
    _ location: AssetLocation, track id: AssetTrack.ID, range: MediaTimeRange
  ) throws(AssetReaderError) {
    reader = try AssetReader(location)
    try reader.select([id])
    guard let track = reader.tracks.first(where: { $0.id == id }) else {
      throw AssetReaderError(.noSuchTrack, "\(location.displayName) has no track \(id)")
    }
    self.track = track
    self.range = range
    name = location.displayName
    let isCompressedAudio = track.mediaType == .audio && !track.codecName.hasPrefix("pcm_")
    if range.start.isNumeric, range.start > .zero {
      let start = isCompressedAudio ? range.start - Self.audioRunUp : range.start
      if start > .zero { _ = reader.seek(id, to: start) }
    }
  }

  /// The samples delivered so far that were clipped because they exceeded full scale.
  package private(set) var excess = AudioExcess()

  /// The next sample in the range; nil after its end.
  ///
  /// - Throws: The errors of ``AssetReader/nextSample()``.
  package func next() throws(AssetReaderError) -> SampleBuffer? {
    while let sample = try reader.nextSample() {
      if isBehind(sample.sampleBuffer.presentationTimeStamp) { return nil }
      if let cut = try cut(sample) { return cut }
    }
    return nil
  }

  private func isBehind(_ time: MediaTime) -> Bool {
    guard range.duration.isNumeric, range.start.isNumeric else { return false }
    return time >= range.end
  }

  private func cut(_ sample: AssetSample) throws(AssetReaderError) -> SampleBuffer? {
    let buffer = sample.sampleBuffer
    guard range.start.isNumeric, buffer.presentationTimeStamp.isNumeric else {
      excess.add(sample.clipped)
      return buffer
    }
    switch buffer.content {
    case .video: return isInRange(buffer) ? buffer : nil
    case .audio(let audio): return try cut(audio, of: buffer, sample.clipped)
    }
  }

  private func isInRange(_ frame: SampleBuffer) -> Bool {
    let start = frame.presentationTimeStamp
    guard start < range.start else { return true }
    let length =
      frame.duration.isNumeric
      ? frame.duration
      : track.frameRate?.frameDuration
    return length.map { start + $0 > range.start } ?? false
  }

  private func cut(
    _ audio: AudioBuffer, of sample: SampleBuffer, _ clipped: [AudioExcess.Sample]
  ) throws(AssetReaderError) -> SampleBuffer? {
    let start = sample.presentationTimeStamp
    let rate = Int32(clamping: audio.format.sampleRate)
    func frames(_ time: MediaTime) -> Int {
      Int(clamping: time.converted(toTimescale: rate).value)
    }
    let first = min(max(frames(range.start - start), 0), audio.frameCount)
    let last =
      range.duration.isNumeric
      ? min(max(frames(range.end - start), 0), audio.frameCount) : audio.frameCount
    guard first < last else { return nil }
    excess.add(clipped.lazy.filter { (first..<last).contains($0.frame) })
    guard first > 0 || last < audio.frameCount else { return sample }
    let step = audio.format.bytesPerFrame
    do throws(MediaCoreError) {
      let part = try AudioBuffer(
        format: audio.format, bytes: Array(audio.bytes[first * step..<last * step]))
      return SampleBuffer(
        .audio(part), presentationTimeStamp: start + audio.format.duration(ofFrames: first),
        duration: audio.format.duration(ofFrames: last - first), attachments: sample.sourceFacts)
    } catch { throw AssetReaderError(.outOfMemory, "\(name): \(error.message)") }
  }
}
