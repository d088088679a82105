public import MediaCore

/// Plays audio faster or slower, to match video that is given another frame rate. Its pitch changes
/// too.
///
/// Uses libavfilter's `aresample`, without a delay.
public final class AudioConformer {
  private let format: AudioFormat
  private let name: String
  private var graph: AudioGraph
  private var begin: MediaTime?
  private var framesOut: Int64 = 0
  private let speed: (numerator: Int32, denominator: Int32)
  /// Longer gaps are not filled with silence: they end the run.
  private static let pause = MediaTime(value: 1, timescale: 1)
  /// Containers round times, some to milliseconds: anything shorter is not a gap.
  private static let tolerance = MediaTime(value: 20, timescale: 1000)

  /// A run of audio and its time.
  public struct Output: Sendable {
    /// The audio.
    public var buffer: AudioBuffer
    /// Its presentation time.
    public var time: MediaTime
    /// Samples that exceeded full scale and were clipped.
    package var clipped: [AudioExcess.Sample]
  }

  /// - Parameters:
  ///   - format: The format of the input and the output.
  ///   - from: The frame rate at which the video was shot.
  ///   - to: The frame rate at which it is shown.
  ///   - name: The source's name, for messages.
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

  /// The filters: `aresample` between two sample rates whose ratio is the change in speed.
  private static func graph(
    _ format: AudioFormat, _ speed: (numerator: Int32, denominator: Int32), _ name: String
  ) throws(AssetReaderError) -> AudioGraph {
    let (p, q) = (Int64(speed.numerator), Int64(speed.denominator))
    let times = max(1, Int64(format.sampleRate) / max(p, 1))
    return try AudioGraph(
      from: format, to: format,
      chain: "asetrate=\(p * times),aresample=\(q * times):internal_sample_fmt=dblp:filter_size=64:"
        + "cutoff=0.98,asetrate=\(format.sampleRate)", name: name)
  }

  /// Processes audio.
  ///
  /// - Parameters:
  ///   - buffer: Audio in the conformer's format.
  ///   - time: Its time in the source, from the start of the movie.
  /// - Throws: ``AssetReaderError`` of libavfilter.
  public func send(_ buffer: AudioBuffer, at time: MediaTime) throws(AssetReaderError) -> [Output] {
    var before: [Output] = []
    if let begin {
      let expected = begin + format.duration(ofFrames: Int(graph.framesIn))
      let gap = time - expected
      if gap.isNumeric, gap > Self.pause {
        // Start a new run; the writer handles the gap.
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

  /// Ends the input and returns the remaining audio.
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
