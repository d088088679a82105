import CFFmpeg
import MediaCore

/// A chain of libavfilter's between a source and a sink: the one owner of its memory.
final class FilterGraph {
  /// What goes in.
  struct Source {
    /// True for sound.
    var isSound = false
    /// The source's settings in libavfilter's words.
    var arguments: String
    /// The matrix and range of pictures, as libav numbers them; -1 where not known.
    var matrix: Int32 = -1
    var range: Int32 = 0
  }

  private let name: String
  private let registration = LibavLog.Registration(LibavMessageLog())
  private let graph: UnsafeMutablePointer<AVFilterGraph>
  private let output: UnsafeMutablePointer<AVFrame>
  private var source: UnsafeMutablePointer<AVFilterContext>?
  private var sink: UnsafeMutablePointer<AVFilterContext>?

  /// - Parameters:
  ///   - chain: Filters in libavfilter's words.
  ///   - name: Of the file, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` with libavfilter's reason.
  init(_ source: Source, chain: String, name: String) throws(AssetReaderError) {
    guard let graph = avfilter_graph_alloc() else { throw Self.outOfMemory(name) }
    guard let output = av_frame_alloc() else {
      var owned: UnsafeMutablePointer<AVFilterGraph>? = graph
      avfilter_graph_free(&owned)
      throw Self.outOfMemory(name)
    }
    self.name = name
    self.graph = graph
    self.output = output
    let result = registration.listen {
      cffmpeg_graph_build(
        graph, source.isSound ? 1 : 0, source.arguments, source.matrix, source.range, chain,
        &self.source, &self.sink)
    }
    guard result >= 0 else { throw error(result) }
  }

  deinit {
    var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
    var output: UnsafeMutablePointer<AVFrame>? = output
    avfilter_graph_free(&graph)
    av_frame_free(&output)
  }

  private static func outOfMemory(_ name: String) -> AssetReaderError {
    AssetReaderError(.outOfMemory, "no memory to filter \(name)")
  }

  private func error(_ result: Int32) -> AssetReaderError {
    let text = libavErrorText(result)
    let reason = registration.journal.lastMessage.map { "\($0) (\(text))" } ?? text
    return AssetReaderError(.unsupported, "\(name): libavfilter: \(reason)")
  }

  /// The unit of the sink's times.
  var timeBase: AVRational { av_buffersink_get_time_base(sink) }

  /// Gives the chain a frame, whose reference it takes.
  func send(_ frame: UnsafeMutablePointer<AVFrame>) throws(AssetReaderError) {
    let result = registration.listen { av_buffersrc_add_frame(source, frame) }
    guard result >= 0 else { throw error(result) }
  }

  /// Tells the chain that nothing more comes, and when the last frame ends.
  func close(at end: Int64) throws(AssetReaderError) {
    let result = registration.listen { av_buffersrc_close(source, end, 0) }
    guard result >= 0 else { throw error(result) }
  }

  /// The next frame, good until the next call; nil where the chain wants more, or is at its end.
  func receive() throws(AssetReaderError) -> UnsafeMutablePointer<AVFrame>? {
    av_frame_unref(output)
    let result = registration.listen { av_buffersink_get_frame(sink, output) }
    if result == cffmpeg_averror_eagain || result == cffmpeg_averror_eof { return nil }
    guard result >= 0 else { throw error(result) }
    return output
  }
}
