import Glibc
import MediaCore
import QuickTime

/// A take as recorded in tests: video, audio and timecode at 29.97 fps.
struct Take {
  var frameCount = 60
  var audio: AudioTrackDescription? = AudioTrackDescription(
    format: AudioFormat(sampleRate: 48000, channelCount: 2, sampleFormat: .int24))
  var timecode: Timecode? = Timecode("01:00:00;00", frameRate: .fps29_97)
  var video = VideoTrackDescription(
    codec: .proRes422, dimensions: VideoDimensions(width: 160, height: 96), frameRate: .fps29_97)
  var configuration = Take.shortFragments

  /// Fragments of a quarter of a second.
  static var shortFragments: MovieWriter.Configuration {
    var configuration = MovieWriter.Configuration()
    configuration.fragmentInterval = 0.25
    configuration.creationTime = 1_700_000_000
    configuration.takesChecksums = true
    return configuration
  }

  /// How frames get into the file.
  enum Placement: CaseIterable {
    /// Copied, and written with their fragment.
    case packed
    /// Written immediately, each at its own block.
    case placed
  }

  /// The same take with its frames written in this way.
  func with(_ placement: Placement) -> Take {
    var take = self
    take.configuration.placedFrameSize = placement == .placed ? 1 : 1 << 30
    return take
  }

  /// The audio of frames 0 ..< `frame`, in samples.
  static func audioFrames(upTo frame: Int) -> Int { frame * 48000 * 1001 / 30000 }

  /// Adds the tracks and starts.
  func begin(_ file: any MovieFile) throws(QuickTimeError) -> (MovieWriter, [TrackID]) {
    let writer = try MovieWriter(file: file, configuration: configuration)
    return (writer, try begin(writer))
  }

  func begin(_ writer: MovieWriter) throws(QuickTimeError) -> [TrackID] {
    var ids = [try writer.addVideoTrack(video)]
    if let audio { ids.append(try writer.addAudioTrack(audio)) }
    if let timecode {
      _ = try writer.addTimecodeTrack(TimecodeTrackDescription(start: timecode), for: ids[0])
    }
    try writer.start()
    return ids
  }

  /// Appends all frames and their audio.
  func append(to writer: MovieWriter, _ ids: [TrackID]) throws(QuickTimeError) {
    let packets = Packets.standard.frames
    for frame in 0..<frameCount {
      try writer.append(packets[frame % packets.count], to: ids[0])
      guard let audio else { continue }
      let first = Self.audioFrames(upTo: frame)
      let count = Self.audioFrames(upTo: frame + 1) - first
      let bytes = pcm(
        frames: count, from: first, channels: audio.format.channelCount,
        bytes: audio.format.sampleFormat.byteCount)
      try writer.appendAudio(bytes, frames: count, to: ids[1])
    }
  }

  /// Records the whole take.
  @discardableResult
  func record(into file: any MovieFile) throws(QuickTimeError) -> MovieSummary {
    let (writer, ids) = try begin(file)
    try append(to: writer, ids)
    return try writer.finish()
  }
}

extension MovieWriter {
  func append(_ bytes: [UInt8], to id: TrackID, duration: Int64? = nil) throws(QuickTimeError) {
    try Self.with(bytes) { buffer throws(QuickTimeError) in
      try appendVideo(buffer, to: id, duration: duration)
    }
  }

  func appendAudio(_ bytes: [UInt8], frames: Int, to id: TrackID) throws(QuickTimeError) {
    try Self.with(bytes) { buffer throws(QuickTimeError) in
      try appendAudio(buffer, frames: frames, to: id)
    }
  }

  static func with(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(QuickTimeError) -> Void
  ) throws(QuickTimeError) {
    var failure: QuickTimeError?
    bytes.withUnsafeBytes { buffer in
      do throws(QuickTimeError) { try body(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

extension Take {
  /// The faults in a movie's media compared with what this take appended: empty if all samples in
  /// the index are present, byte for byte and without a gap.
  func faults(in content: [UInt8], _ index: MovieIndex) -> [String] {
    var faults: [String] = []
    let packets = Packets.standard.frames
    if index.isTruncated && index.completion == .finished { faults.append("truncated") }
    for (number, sample) in (index.videoTrack?.samples ?? SampleTable()).enumerated() {
      let packet = packets[number % packets.count]
      if sample.time != Int64(number * 1001) || sample.duration != 1001 {
        faults.append("frame \(number) at \(sample.time)")
      }
      if !Self.holds(content, packet, at: sample.offset, sample.size) {
        faults.append("frame \(number) differs")
      }
    }
    guard let audio, let track = index.audioTracks.first else { return faults }
    for number in stride(from: 0, to: track.samples.count, by: 997) {
      guard let sample = track.samples[number] else { continue }
      let expected = pcm(
        frames: 1, from: number, channels: audio.format.channelCount,
        bytes: audio.format.sampleFormat.byteCount)
      if sample.time != Int64(number)
        || !Self.holds(content, expected, at: sample.offset, sample.size)
      {
        faults.append("sound \(number) differs")
      }
    }
    return faults
  }

  private static func holds(
    _ content: [UInt8], _ bytes: [UInt8], at offset: UInt64, _ size: UInt32
  ) -> Bool {
    guard Int(size) == bytes.count, offset + UInt64(size) <= UInt64(content.count) else {
      return false
    }
    return content.withUnsafeBytes { all in
      bytes.withUnsafeBytes { wanted in
        guard let there = all.baseAddress, let here = wanted.baseAddress else { return true }
        return memcmp(there + Int(offset), here, wanted.count) == 0
      }
    }
  }
}
