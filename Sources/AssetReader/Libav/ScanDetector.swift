import CFFmpeg
public import MediaCore

/// Finds the field order of pictures whose file does not say it, by libavfilter's `idet`.
public struct ScanDetector: Sendable {
  /// What the pictures look like.
  public struct Result: Sendable, Hashable {
    /// The order that most pictures show; nil where none shows any.
    public var fieldOrder: FieldOrder?
    /// The part of the pictures that show anything, from 0 to 1, which show this order.
    public var certainty: Double
    /// Pictures that show an order or none.
    public var decidedFrames: Int
    /// Pictures that were looked at.
    public var frames: Int
  }

  /// The file.
  public let path: String
  /// The most pictures that are looked at.
  public var maximumFrameCount = 300

  /// A detector for a file.
  public init(path: String) { self.path = path }

  /// Looks at the first pictures.
  ///
  /// - Throws: ``AssetReaderError``: no such file, nothing that can be decoded, no memory.
  public func detect() throws(AssetReaderError) -> Result {
    let movie = try LibavMovie(path: path, looksLikeText: false)
    let pictures = movie.streams.filter {
      $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && cffmpeg_is_attached_picture($0) == 0
    }
    guard let stream = pictures.first else {
      throw AssetReaderError(.noSuchTrack, "\(path) has no pictures")
    }
    movie.select([Int(stream.pointee.index)])
    let decoder = try LibavDecoder(stream, of: movie, threads: 0, isStrict: false)
    var graph: FieldGraph?
    var frames = 0
    var isAtEnd = false
    while frames < maximumFrameCount {
      if !isAtEnd {
        let packet = try movie.nextPacket()
        isAtEnd = packet == nil
        try decoder.send(packet)
      }
      reading: while frames < maximumFrameCount {
        switch try decoder.receive() {
        case .wantsInput: break reading
        case .finished: return (graph?.result(of: frames)) ?? Self.nothing
        case .frame:
          if graph == nil { graph = try FieldGraph(decoder.frame, name: path) }
          try graph?.look(at: decoder.frame)
          frames += 1
        }
      }
    }
    return graph?.result(of: frames) ?? Self.nothing
  }

  private static let nothing = Result(
    fieldOrder: nil, certainty: 0, decidedFrames: 0, frames: 0)
}

/// A graph of the one filter; the owner of its memory.
private final class FieldGraph {
  private let name: String
  private let graph: UnsafeMutablePointer<AVFilterGraph>
  private var source: UnsafeMutablePointer<AVFilterContext>?
  private var sink: UnsafeMutablePointer<AVFilterContext>?
  private let output: UnsafeMutablePointer<AVFrame>
  private var counts: [FieldOrder: Int] = [:]

  init(_ frame: UnsafeMutablePointer<AVFrame>, name: String) throws(AssetReaderError) {
    guard let graph = avfilter_graph_alloc(), let output = av_frame_alloc() else {
      throw AssetReaderError(.outOfMemory, "no memory for a filter")
    }
    self.name = name
    self.graph = graph
    self.output = output
    let format = frame.pointee.format
    let settings =
      "width=\(frame.pointee.width):height=\(frame.pointee.height):pix_fmt=\(format)"
      + ":time_base=1/1000"
    var filter: UnsafeMutablePointer<AVFilterContext>?
    for result in [
      avfilter_graph_create_filter(
        &source, avfilter_get_by_name("buffer"), "in", settings, nil, graph),
      avfilter_graph_create_filter(&filter, avfilter_get_by_name("idet"), "idet", nil, nil, graph),
      avfilter_graph_create_filter(
        &sink, avfilter_get_by_name("buffersink"), "out", nil, nil, graph),
    ] where result < 0 { throw error(result) }
    for result in [
      avfilter_link(source, 0, filter, 0), avfilter_link(filter, 0, sink, 0),
      avfilter_graph_config(graph, nil),
    ] where result < 0 { throw error(result) }
  }

  deinit {
    var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
    var output: UnsafeMutablePointer<AVFrame>? = output
    avfilter_graph_free(&graph)
    av_frame_free(&output)
  }

  private func error(_ result: Int32) -> AssetReaderError {
    AssetReaderError(
      .unsupported, "\(name): the field order cannot be detected: \(libavErrorText(result))")
  }

  func look(at frame: UnsafeMutablePointer<AVFrame>) throws(AssetReaderError) {
    let sent = av_buffersrc_add_frame(source, frame)
    guard sent >= 0 else { throw error(sent) }
    while av_buffersink_get_frame(sink, output) >= 0 {
      let facts = libavMetadata(output.pointee.metadata)
      counts[.topFieldFirst] = Self.count(facts["lavfi.idet.multiple.tff"])
      counts[.bottomFieldFirst] = Self.count(facts["lavfi.idet.multiple.bff"])
      counts[.progressive] = Self.count(facts["lavfi.idet.multiple.progressive"])
      av_frame_unref(output)
    }
  }

  /// A running count, which some versions write with decimals.
  private static func count(_ text: String?) -> Int {
    text.flatMap { Double($0) }.map { Int($0) } ?? 0
  }

  func result(of frames: Int) -> ScanDetector.Result {
    let decided = counts.values.reduce(0, +)
    let best = counts.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
    guard let best, best.value > 0 else {
      return .init(fieldOrder: nil, certainty: 0, decidedFrames: 0, frames: frames)
    }
    return .init(
      fieldOrder: best.key, certainty: Double(best.value) / Double(decided),
      decidedFrames: decided, frames: frames)
  }
}
