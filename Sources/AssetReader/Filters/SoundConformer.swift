import CFFmpeg
public import MediaCore

/// Plays sound faster or slower, as pictures are that are given another rate: its pitch goes along.
///
/// libavfilter's `aresample` does it, from the first sample on without a delay.
public final class SoundConformer {
  private let format: AudioFormat
  private let name: String
  private let graph: FilterGraph
  private let mapper: SoundMapper
  private var begin: MediaTime?
  private var framesIn: Int64 = 0
  private var framesOut: Int64 = 0
  private let speed: (numerator: Int32, denominator: Int32)

  /// A run of sound and when it is heard.
  public struct Output: Sendable {
    /// The sound.
    public var buffer: AudioBuffer
    /// When it is heard.
    public var time: MediaTime
  }

  /// - Parameters:
  ///   - format: Of the sound, before and after.
  ///   - from: The rate at which the pictures were shot.
  ///   - to: The rate at which they are shown.
  ///   - name: Of the source, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` with libavfilter's reason.
  public init(
    format: AudioFormat, from: FrameRate, to: FrameRate, name: String
  ) throws(AssetReaderError) {
    self.format = format
    self.name = name
    let top = Int64(to.numerator) * Int64(from.denominator)
    let bottom = Int64(to.denominator) * Int64(from.numerator)
    var (large, small) = (top, bottom)
    while small != 0 { (large, small) = (small, large % small) }
    let (p, q) = (top / max(large, 1), bottom / max(large, 1))
    speed = (Int32(clamping: p), Int32(clamping: q))
    let times = max(1, Int64(format.sampleRate) / max(p, 1))
    graph = try FilterGraph(
      FilterGraph.Source(
        isSound: true,
        arguments: "sample_rate=\(format.sampleRate):sample_fmt=s32:channel_layout=0x"
          + String(Self.mask(format.channelCount), radix: 16)
          + ":time_base=1/\(format.sampleRate)"),
      chain: "asetrate=\(p * times),aresample=\(q * times):internal_sample_fmt=dblp:filter_size=64:"
        + "cutoff=0.98,asetrate=\(format.sampleRate),aformat=sample_fmts=s32", name: name)
    mapper = SoundMapper(format: format, name: name)
  }

  /// The layout of a frame of so many channels, as `cffmpeg_sound_frame` makes it.
  private static func mask(_ channels: Int) -> UInt64 {
    channels < 64 ? (1 << UInt64(channels)) - 1 : .max
  }

  /// Takes sound.
  ///
  /// - Parameters:
  ///   - buffer: Sound in the format that the conformer was made for.
  ///   - time: When it is heard in the source, from the movie's start.
  /// - Throws: ``AssetReaderError`` of libavfilter.
  public func send(_ buffer: AudioBuffer, at time: MediaTime) throws(AssetReaderError) -> [Output] {
    if begin == nil { begin = time }
    if let begin {
      let expected = begin + format.duration(ofFrames: Int(framesIn))
      let gap = (time - expected).converted(toTimescale: Int32(clamping: format.sampleRate))
      // Less is the rounding of time stamps.
      if gap.isNumeric, gap.value > 2, gap.value < Int64(format.sampleRate) * 600 {
        try push([UInt8](repeating: 0, count: Int(gap.value) * format.bytesPerFrame))
      }
    }
    try push(buffer.bytes)
    return try outputs()
  }

  /// The sound that is left at the end.
  ///
  /// - Throws: ``AssetReaderError`` of libavfilter.
  public func finish() throws(AssetReaderError) -> [Output] {
    try graph.close(at: framesIn)
    return try outputs()
  }

  private func push(_ bytes: [UInt8]) throws(AssetReaderError) {
    let size = format.sampleFormat.byteCount
    let count = bytes.count / size
    guard count > 0 else { return }
    let frames = count / format.channelCount
    var owned = cffmpeg_sound_frame(
      Int32(clamping: format.channelCount), Int32(clamping: format.sampleRate),
      Int32(clamping: frames))
    defer { av_frame_free(&owned) }
    guard let frame = owned, let target = cffmpeg_frame_audio_data(frame, 0) else {
      throw AssetReaderError(.outOfMemory, "no memory to filter \(name)")
    }
    let words = UnsafeMutableRawPointer(target)
    for place in 0..<count {
      // At the top of 32 bits.
      var word: UInt32 = 0
      for byte in 0..<size {
        word |= UInt32(bytes[place * size + byte]) << UInt32(8 * (4 - size + byte))
      }
      words.storeBytes(of: word, toByteOffset: place * 4, as: UInt32.self)
    }
    frame.pointee.pts = framesIn
    framesIn += Int64(frames)
    try graph.send(frame)
  }

  private func outputs() throws(AssetReaderError) -> [Output] {
    var outputs: [Output] = []
    while let frame = try graph.receive() {
      let buffer = try mapper.sound(frame)
      guard buffer.frameCount > 0, let begin else { continue }
      let start = begin.multiplied(by: speed.denominator, over: speed.numerator)
      outputs.append(
        Output(buffer: buffer, time: start + format.duration(ofFrames: Int(framesOut))))
      framesOut += Int64(buffer.frameCount)
    }
    return outputs
  }
}
