package import MediaCore

/// Converts audio to another sample rate with libavfilter's `aresample`, without a delay.
package final class AudioResampler {
  private let graph: AudioGraph
  /// Samples that exceeded full scale so far and were clipped.
  package private(set) var excess = AudioExcess()

  /// - Parameters:
  ///   - source: The format of the input.
  ///   - target: The format of the output, with the same channel count.
  ///   - name: The source's name, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` with libavfilter's reason.
  package init(
    from source: AudioFormat, to target: AudioFormat, name: String
  ) throws(AssetReaderError) {
    let chain = "aresample=\(target.sampleRate):internal_sample_fmt=dblp:filter_size=64:cutoff=0.98"
    graph = try AudioGraph(from: source, to: target, chain: chain, name: name)
  }

  /// Converts audio in the source's format.
  ///
  /// - Returns: The audio that is ready.
  /// - Throws: ``AssetReaderError`` of libavfilter.
  package func send(_ buffer: AudioBuffer) throws(AssetReaderError) -> [AudioBuffer] {
    try graph.send(buffer.bytes)
    return try received()
  }

  /// Ends the input and returns the remaining audio.
  ///
  /// - Throws: ``AssetReaderError`` of libavfilter.
  package func finish() throws(AssetReaderError) -> [AudioBuffer] {
    try graph.close()
    return try received()
  }
  private func received() throws(AssetReaderError) -> [AudioBuffer] {
    let runs = try graph.received()
    for run in runs { excess.add(run.clipped) }
    return runs.map(\.buffer)
  }
}
