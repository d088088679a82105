import CFFmpeg
public import MediaCore

/// Detects the field order of video whose file does not state it, with libavfilter's `idet`.
public struct ScanDetector: Sendable {
  /// The result of the detection.
  public struct Result: Sendable, Hashable {
    /// The field order of most frames; nil if no frame shows any.
    public var fieldOrder: FieldOrder?
    /// The fraction of the decided frames with this order, from 0 to 1.
    public var certainty: Double
    /// Frames found to be progressive or of one field order.
    public var decidedFrames: Int
    /// The number of frames examined.
    public var frames: Int
  }

  /// The location of the source.
  public let location: AssetLocation
  /// The maximum number of frames examined.
  public var maximumFrameCount = 300

  /// Creates a detector for the video track that an ``AssetReader`` selects by default.
  public init(_ location: AssetLocation) { self.location = location }

  /// Examines the first frames, until the source ends or the size or layout changes. Skips frames
  /// that cannot be decoded.
  ///
  /// - Throws: ``AssetReaderError`` if the file is missing, it has no video, or memory runs out;
  ///   ``AssetReaderError/Code/unsupported`` for a pipe, because it could not be read again
  ///   afterwards.
  public func detect() throws(AssetReaderError) -> Result {
    guard location.isRegularFile != false else {
      throw AssetReaderError(
        .unsupported,
        "\(location.displayName) can be read only once, so its field order cannot be detected; "
          + "name the order, or give a file")
    }
    let reader = try AssetReader(location)
    guard let track = reader.videoTrack else {
      throw AssetReaderError(.noSuchTrack, "\(location.displayName) has no video")
    }
    try reader.select([track.id])
    reader.discardAlpha()
    let graph = FieldGraph(name: location.displayName)
    while graph.frames < maximumFrameCount, let frame = try Self.nextFrame(of: reader) {
      guard try graph.look(at: frame) else { break }
    }
    return graph.result
  }

  /// The next frame that can be decoded; nil at the end, even if the file is truncated.
  private static func nextFrame(
    of reader: AssetReader
  ) throws(AssetReaderError) -> PixelBuffer? {
    while true {
      do throws(AssetReaderError) {
        guard let sample = try reader.nextSample() else { return nil }
        if let frame = sample.sampleBuffer.imageBuffer { return frame }
      } catch {
        switch error.code {
        case .decodeFailed: continue
        case .truncated, .corrupt, .readFailed: return nil
        default: throw error
        }
      }
    }
  }
}

/// Runs frames through `idet` and counts its results.
private final class FieldGraph {
  private let name: String
  private var lender: FrameLender
  private var graph: (filter: FilterGraph, format: PixelBuffer.Description)?
  private var counts: [FieldOrder: Int] = [:]
  /// The number of frames examined.
  private(set) var frames = 0

  init(name: String) {
    self.name = name
    lender = FrameLender(name: name)
  }

  /// Examines a frame; false if its size or layout differs from those before.
  func look(at image: PixelBuffer) throws(AssetReaderError) -> Bool {
    var owned = av_frame_alloc()
    defer { av_frame_free(&owned) }
    guard let frame = owned else {
      throw AssetReaderError(.outOfMemory, "no memory to filter \(name)")
    }
    let planar = try lender.unpacked(image, .progressive)
    let details = planar.details
    try lender.lend(planar, details, to: frame)
    frame.pointee.pts = Int64(frames)
    let filter = try filter(for: details, format: frame.pointee.format)
    guard let filter else { return false }
    frames += 1
    try filter.send(frame)
    while let output = try filter.receive() {
      let facts = libavMetadata(output.pointee.metadata)
      counts[.topFieldFirst] = Self.count(facts["lavfi.idet.multiple.tff"])
      counts[.bottomFieldFirst] = Self.count(facts["lavfi.idet.multiple.bff"])
      counts[.progressive] = Self.count(facts["lavfi.idet.multiple.progressive"])
    }
    return true
  }

  /// The filter; nil if it was set up for other frames.
  private func filter(
    for frame: PixelBuffer.Description, format: Int32
  ) throws(AssetReaderError) -> FilterGraph? {
    if let (filter, known) = graph {
      let isSame =
        frame.format == known.format && frame.width == known.width
        && frame.height == known.height && frame.color.range == known.color.range
      return isSame ? filter : nil
    }
    let made = try FilterGraph(
      FilterGraph.Source(
        arguments: "video_size=\(frame.width)x\(frame.height):pix_fmt=\(format)"
          + ":time_base=1/1000",
        matrix: Int32(frame.color.libavValues.matrix),
        range: Int32(frame.color.libavValues.range)),
      chain: "idet", name: name)
    graph = (made, frame)
    return made
  }

  /// Parses a running count, which some versions write with decimals.
  private static func count(_ text: String?) -> Int {
    text.flatMap { Double($0) }.map { Int(saturating: $0) } ?? 0
  }

  var result: ScanDetector.Result {
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
