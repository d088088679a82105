public import MediaCore

/// Brings sound to another rate of samples, and to fewer channels, without a delay.
///
/// libavfilter's `aresample` does it: channels are mixed down by libswresample's matrices, so that nothing
/// is louder than it was.
public final class SoundResampler {
  private let graph: SoundGraph

  /// - Parameters:
  ///   - source: The format of the sound.
  ///   - target: Another rate, and one or two channels where they are fewer.
  ///   - name: Of the source, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` with libavfilter's reason.
  public init(
    from source: AudioFormat, to target: AudioFormat, name: String
  ) throws(AssetReaderError) {
    var chain = "aresample=\(target.sampleRate):internal_sample_fmt=dblp:filter_size=64:cutoff=0.98"
    if target.channelCount < source.channelCount {
      chain += ",aformat=channel_layouts=\(target.channelCount == 1 ? "mono" : "stereo")"
    }
    graph = try SoundGraph(from: source, to: target, chain: chain, name: name)
  }

  /// Takes sound of the source's format.
  ///
  /// - Returns: What is ready.
  /// - Throws: ``AssetReaderError`` of libavfilter.
  public func send(_ buffer: AudioBuffer) throws(AssetReaderError) -> [AudioBuffer] {
    try graph.send(buffer.bytes)
    return try graph.received()
  }

  /// The sound that is left at the end.
  ///
  /// - Throws: ``AssetReaderError`` of libavfilter.
  public func finish() throws(AssetReaderError) -> [AudioBuffer] {
    try graph.close()
    return try graph.received()
  }
}
