public import MediaCore

/// Plays sound faster or slower, as pictures are that are given another rate: its pitch goes along.
///
/// libavfilter's `aresample` does it, from the first sample on without a delay.
public final class SoundConformer {
  private let format: AudioFormat
  private let name: String
  private var graph: SoundGraph
  private var begin: MediaTime?
  private var framesOut: Int64 = 0
  private let speed: (numerator: Int32, denominator: Int32)
  /// Gaps beyond this are not filtered.
  private static let pause = MediaTime(value: 1, timescale: 1)
  /// Containers round times, some to milliseconds: less is no gap.
  private static let tolerance = MediaTime(value: 20, timescale: 1000)

  /// A run of sound and when it is heard.
  public struct Output: Sendable {
    /// The sound.
    public var buffer: AudioBuffer
    /// When it is heard.
    public var time: MediaTime
    /// What of the sound came to be above full scale, and was clipped.
    package var clipped: [SoundExcess.Sample]
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
    self.name = name
    graph = try Self.graph(format, speed, name)
  }

  /// The filters: `aresample` between rates that are as far apart as the speeds.
  private static func graph(
    _ format: AudioFormat, _ speed: (numerator: Int32, denominator: Int32), _ name: String
  ) throws(AssetReaderError) -> SoundGraph {
    let (p, q) = (Int64(speed.numerator), Int64(speed.denominator))
    let times = max(1, Int64(format.sampleRate) / max(p, 1))
    return try SoundGraph(
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
    var before: [Output] = []
    if let begin {
      let expected = begin + format.duration(ofFrames: Int(graph.framesIn))
      let gap = time - expected
      if gap.isNumeric, gap > Self.pause {
        // A run of its own; whoever writes it knows what lies between.
        before = try finish()
        graph = try Self.graph(format, speed, name)
        (self.begin, framesOut) = (time, 0)
      } else if gap.isNumeric, gap > Self.tolerance {
        let count = gap.converted(toTimescale: Int32(clamping: format.sampleRate)).value
        try graph.send([UInt8](repeating: 0, count: Int(count) * format.bytesPerFrame))
      }
    } else {
      begin = time
    }
    try graph.send(buffer.bytes)
    return before + (try outputs())
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
    for run in try graph.received() {
      guard let begin else { continue }
      let start = begin.multiplied(by: speed.denominator, over: speed.numerator)
      outputs.append(
        Output(
          buffer: run.buffer, time: start + format.duration(ofFrames: Int(framesOut)),
          clipped: run.clipped))
      framesOut += Int64(run.buffer.frameCount)
    }
    return outputs
  }
}
