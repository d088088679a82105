public import MediaCore

/// Plays sound faster or slower, as pictures are that are given another rate: its pitch goes along.
///
/// libavfilter's `aresample` does it, from the first sample on without a delay.
public final class SoundConformer {
  private let format: AudioFormat
  private let graph: SoundGraph
  private var begin: MediaTime?
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
    let top = Int64(to.numerator) * Int64(from.denominator)
    let bottom = Int64(to.denominator) * Int64(from.numerator)
    var (large, small) = (top, bottom)
    while small != 0 { (large, small) = (small, large % small) }
    let (p, q) = (top / max(large, 1), bottom / max(large, 1))
    speed = (Int32(clamping: p), Int32(clamping: q))
    let times = max(1, Int64(format.sampleRate) / max(p, 1))
    graph = try SoundGraph(
      from: format, to: format,
      chain: "asetrate=\(p * times),aresample=\(q * times):internal_sample_fmt=dblp:filter_size=64:"
        + "cutoff=0.98,asetrate=\(format.sampleRate)", name: name)
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
      let expected = begin + format.duration(ofFrames: Int(graph.framesIn))
      let gap = (time - expected).converted(toTimescale: Int32(clamping: format.sampleRate))
      // Less is the rounding of time stamps.
      if gap.isNumeric, gap.value > 2, gap.value < Int64(format.sampleRate) * 600 {
        try graph.send([UInt8](repeating: 0, count: Int(gap.value) * format.bytesPerFrame))
      }
    }
    try graph.send(buffer.bytes)
    return try outputs()
  }

  /// The sound that is left at the end.
  ///
  /// - Throws: ``AssetReaderError`` of libavfilter.
  public func finish() throws(AssetReaderError) -> [Output] {
    try graph.close()
    return try outputs()
  }

  private func outputs() throws(AssetReaderError) -> [Output] {
    var outputs: [Output] = []
    for buffer in try graph.received() {
      guard let begin else { continue }
      let start = begin.multiplied(by: speed.denominator, over: speed.numerator)
      outputs.append(
        Output(buffer: buffer, time: start + format.duration(ofFrames: Int(framesOut))))
      framesOut += Int64(buffer.frameCount)
    }
    return outputs
  }
}
