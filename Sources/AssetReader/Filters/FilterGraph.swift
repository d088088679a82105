import CAVFilter
import CFFmpeg
import MediaCore

/// A libavfilter chain between a source and a sink, and the only owner of its memory.
final class FilterGraph {
  /// The chain's input.
  struct Source {
    /// True for audio.
    var isAudio = false
    /// The source's arguments in libavfilter's syntax.
    var arguments: String
    /// The matrix and range of video, as libav numbers them; a matrix of -1 means unknown.
    var matrix: Int32 = -1
    var range: Int32 = 0
  }

  private let name: String
  private let registration = LibavLog.Registration(LibavMessageLog())
  private let chain: OpaquePointer
  private let output: UnsafeMutablePointer<AVFrame>

  /// - Parameters:
  ///   - chain: Filters in libavfilter's syntax.
  ///   - name: The file's name, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` with libavfilter's reason, or if it is not
  ///   installed; ``AssetReaderError/Code/outOfMemory``.
  init(_ source: Source, chain filters: String, name: String) throws(AssetReaderError) {
    try Self.load(for: name)
    var made: OpaquePointer?
    let result = registration.listen {
      source.arguments.withCString { arguments in
        var facts = filter_source(
          is_audio: source.isAudio ? 1 : 0, arguments: arguments, matrix: source.matrix,
          range: source.range)
        return filter_chain_make(&made, &facts, filters)
      }
    }
    guard result >= 0, let made, let output = av_frame_alloc() else {
      filter_chain_free(made)
      throw result < 0 ? Self.error(result, registration, name) : Self.outOfMemory(name)
    }
    self.name = name
    self.chain = made
    self.output = output
  }

  deinit {
    var output: UnsafeMutablePointer<AVFrame>? = output
    filter_chain_free(chain)
    av_frame_free(&output)
  }

  /// True if the installed libavfilter has a filter.
  ///
  /// - Throws: ``AssetReaderError/Code/unsupported`` if libavfilter is not installed.
  static func has(_ filter: String, for name: String) throws(AssetReaderError) -> Bool {
    try load(for: name)
    return filter_library_has(filter) != 0
  }

  private static func load(for name: String) throws(AssetReaderError) {
    guard let reason = filter_library_load() else { return }
    throw AssetReaderError(
      .unsupported,
      "\(name): filters need libavfilter, which cannot be loaded (\(String(cString: reason))); "
        + "install \(String(cString: filter_library_name())) of the FFmpeg that is installed")
  }

  private static func outOfMemory(_ name: String) -> AssetReaderError {
    AssetReaderError(.outOfMemory, "no memory to filter \(name)")
  }

  private static func error(
    _ result: Int32, _ registration: LibavLog.Registration, _ name: String
  ) -> AssetReaderError {
    let text = libavErrorText(result)
    let reason = registration.journal.lastMessage.map { "\($0) (\(text))" } ?? text
    return AssetReaderError(.unsupported, "\(name): libavfilter: \(reason)")
  }

  private func error(_ result: Int32) -> AssetReaderError { Self.error(result, registration, name) }

  /// The time base of the sink.
  var timeBase: AVRational {
    var base = AVRational()
    filter_chain_time_base(chain, &base.num, &base.den)
    return base
  }

  /// Sends a frame to the chain, which takes over its reference.
  func send(_ frame: UnsafeMutablePointer<AVFrame>) throws(AssetReaderError) {
    let result = registration.listen { filter_chain_send(chain, frame) }
    guard result >= 0 else { throw error(result) }
  }

  /// Tells the chain that no more frames come, and when the last one ends.
  func close(at end: Int64) throws(AssetReaderError) {
    let result = registration.listen { filter_chain_close(chain, end) }
    guard result >= 0 else { throw error(result) }
  }

  /// The next frame, valid until the next call; nil if the chain needs more input or is at its end.
  func receive() throws(AssetReaderError) -> UnsafeMutablePointer<AVFrame>? {
    av_frame_unref(output)
    let result = registration.listen { filter_chain_receive(chain, output) }
    if result == cffmpeg_averror_eagain || result == cffmpeg_averror_eof { return nil }
    guard result >= 0 else { throw error(result) }
    return output
  }
}
