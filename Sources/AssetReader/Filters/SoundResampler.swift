package import MediaCore

/// Brings sound to another rate of samples, by libavfilter's `aresample`, without a delay.
package final class SoundResampler {
  private let graph: SoundGraph
  /// What came to be above full scale so far, and was clipped.
  package private(set) var excess = SoundExcess()

  /// - Parameters:
  ///   - source: The format of the sound.
  ///   - target: Another rate or another depth, of as many channels.
  ///   - name: Of the source, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` with libavfilter's reason.
  package init(
    from source: AudioFormat, to target: AudioFormat, name: String
  ) throws(AssetReaderError) {
    let chain = "aresample=\(target.sampleRate):internal_sample_fmt=dblp:filter_size=64:cutoff=0.98"
    graph = try SoundGraph(from: source, to: target, chain: chain, name: name)
  }

  /// Takes sound of the source's format.
  ///
  /// - Returns: What is ready.
  /// - Throws: ``AssetReaderError`` of libavfilter.
  package func send(_ buffer: AudioBuffer) throws(AssetReaderError) -> [AudioBuffer] {
    try graph.send(buffer.bytes)
    return try received()
  }

  /// The sound that is left at the end.
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
