import CFFmpeg
import MediaCore

/// A chain of libavfilter's for sound, between formats of this package.
final class SoundGraph {
  /// Sound behind the filters.
  struct Run {
    var buffer: AudioBuffer
    /// What of it was above full scale, and clipped.
    var clipped: [SoundExcess.Sample]
  }

  /// Frames that were sent.
  private(set) var framesIn: Int64 = 0
  private let source: AudioFormat
  private let name: String
  private let graph: FilterGraph
  private var mapper: SoundMapper
  /// The samples that were sent last, at 32 bits.
  private var wide: [UInt8] = []

  /// - Parameters:
  ///   - chain: The filters, which make sound of the target's rate and channels.
  ///   - name: Of the source, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` with libavfilter's reason.
  init(
    from source: AudioFormat, to target: AudioFormat, chain: String, name: String
  ) throws(AssetReaderError) {
    self.source = source
    self.name = name
    // Filters may bring samples beyond full scale, which only fractions hold.
    graph = try FilterGraph(
      FilterGraph.Source(
        isSound: true,
        arguments: "sample_rate=\(source.sampleRate):sample_fmt=s32:channel_layout=0x"
          + String(Self.mask(source.channelCount), radix: 16)
          + ":time_base=1/\(source.sampleRate)"),
      chain: "\(chain),aformat=sample_fmts=dbl", name: name)
    mapper = SoundMapper(format: target, name: name)
  }

  /// The layout of a frame of so many channels, as `cffmpeg_sound_frame` makes it.
  private static func mask(_ channels: Int) -> UInt64 {
    channels < 64 ? (1 << UInt64(channels)) - 1 : .max
  }

  /// Takes samples of the source's format.
  func send(_ bytes: [UInt8]) throws(AssetReaderError) {
    let frames = bytes.count / source.bytesPerFrame
    guard frames > 0 else { return }
    var owned = cffmpeg_sound_frame(
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

  /// Nothing more is sent.
  func close() throws(AssetReaderError) { try graph.close(at: framesIn) }

  /// The sound that is ready.
  func received() throws(AssetReaderError) -> [Run] {
    var runs: [Run] = []
    while let frame = try graph.receive() {
      let buffer = try mapper.sound(frame)
      if buffer.frameCount > 0 { runs.append(Run(buffer: buffer, clipped: mapper.clipped)) }
    }
    return runs
  }
}
