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

/// What `idet` says of the pictures that go through it.
private final class FieldGraph {
  private let graph: FilterGraph
  private var counts: [FieldOrder: Int] = [:]

  init(_ frame: UnsafeMutablePointer<AVFrame>, name: String) throws(AssetReaderError) {
    graph = try FilterGraph(
      FilterGraph.Source(
        arguments: "width=\(frame.pointee.width):height=\(frame.pointee.height)"
          + ":pix_fmt=\(frame.pointee.format):time_base=1/1000",
        matrix: Int32(bitPattern: frame.pointee.colorspace.rawValue),
        range: Int32(bitPattern: frame.pointee.color_range.rawValue)),
      chain: "idet", name: name)
  }

  func look(at frame: UnsafeMutablePointer<AVFrame>) throws(AssetReaderError) {
    try graph.send(frame)
    while let output = try graph.receive() {
      let facts = libavMetadata(output.pointee.metadata)
      counts[.topFieldFirst] = Self.count(facts["lavfi.idet.multiple.tff"])
      counts[.bottomFieldFirst] = Self.count(facts["lavfi.idet.multiple.bff"])
      counts[.progressive] = Self.count(facts["lavfi.idet.multiple.progressive"])
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
