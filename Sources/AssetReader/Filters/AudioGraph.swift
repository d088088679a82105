import CFFmpeg
import MediaCore

/// A libavfilter chain for audio, between formats of this package.
final class AudioGraph {
  /// Filtered audio.
  struct Run {
    var buffer: AudioBuffer
    /// Samples that exceeded full scale and were clipped.
    var clipped: [AudioExcess.Sample]
  }

  /// Audio frames sent so far.
  private(set) var framesIn: Int64 = 0
  private let source: AudioFormat
  private let name: String
  private let graph: FilterGraph
  private var mapper: AudioMapper
  /// The samples sent last, at 32 bits.
  private var wide: [UInt8] = []

  /// - Parameters:
  ///   - chain: The filters, which must produce the target's rate and channels.
  ///   - name: The source's name, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` with libavfilter's reason.
  init(
    from source: AudioFormat, to target: AudioFormat, chain: String, name: String
  ) throws(AssetReaderError) {
    self.source = source
    self.name = name
    // Filters may raise samples above full scale, which only floating point can hold.
    graph = try FilterGraph(
      FilterGraph.Source(
        isAudio: true,
        arguments: "sample_rate=\(source.sampleRate):sample_fmt=s32:channel_layout=0x"
          + String(Self.mask(source.channelCount), radix: 16)
          + ":time_base=1/\(source.sampleRate)"),
      chain: "\(chain),aformat=sample_fmts=dbl", name: name)
    mapper = AudioMapper(format: target, name: name)
  }

  /// The channel mask of a frame from `cffmpeg_audio_frame`.
  private static func mask(_ channels: Int) -> UInt64 {
    channels < 64 ? (1 << UInt64(channels)) - 1 : .max
  }

  /// Sends samples in the source's format.
  func send(_ bytes: [UInt8]) throws(AssetReaderError) {
    let frames = bytes.count / source.bytesPerFrame
    guard frames > 0 else { return }
    var owned = cffmpeg_audio_frame(
      Int32(clamping: source.channelCount), Int32(clamping: source.sampleRate),
      Int32(clamping: frames))
    defer { av_frame_free(&owned) }
    guard let frame = owned, let target = cffmpeg_frame_audio_data(frame, 0) else {
      throw AssetReaderError(.outOfMemory, "no memory to filter \(name)")
    }
    PCMConversion.convert(bytes[...], from: source.sampleFormat, to: .int32, into: &wide)
    UnsafeMutableRawBufferPointer(start: target, count: wide.count).copyBytes(from: wide)
    frame.pointee.pts = framesIn
    framesIn += Int64(frames)
    try graph.send(frame)
  }

  /// Ends the input.
  func close() throws(AssetReaderError) { try graph.close(at: framesIn) }

  /// The audio that is ready.
  func received() throws(AssetReaderError) -> [Run] {
    var runs: [Run] = []
    while let frame = try graph.receive() {
      let buffer = try mapper.audio(frame)
      if buffer.frameCount > 0 { runs.append(Run(buffer: buffer, clipped: mapper.clipped)) }
    }
    return runs
  }
}
