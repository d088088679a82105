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

  /// Where the pictures are.
  public let location: AssetLocation
  /// The most pictures that are looked at.
  public var maximumFrameCount = 300

  /// A detector for the pictures that an ``AssetReader`` of a location reads at first.
  public init(_ location: AssetLocation) { self.location = location }

  /// Looks at the first pictures, up to where the source ends or their size or layout changes. Those that
  /// cannot be decoded are left out.
  ///
  /// - Throws: ``AssetReaderError``: no such file, no pictures, no memory;
  ///   ``AssetReaderError/Code/unsupported`` for a pipe, of which nothing would be left to be read.
  public func detect() throws(AssetReaderError) -> Result {
    guard location.isRegularFile != false else {
      throw AssetReaderError(
        .unsupported,
        "\(location.displayName) can be read once only, so that its field order cannot be looked for; "
          + "name the order, or give a file")
    }
    let reader = try AssetReader(location)
    guard let track = reader.videoTrack else {
      throw AssetReaderError(.noSuchTrack, "\(location.displayName) has no pictures")
    }
    try reader.select([track.id])
    reader.discardAlpha()
    let graph = FieldGraph(name: location.displayName)
    while graph.frames < maximumFrameCount, let picture = try Self.nextPicture(of: reader) {
      guard try graph.look(at: picture) else { break }
    }
    return graph.result
  }

  /// The next picture that can be decoded; nil at the end, which may come before its time.
  private static func nextPicture(
    of reader: AssetReader
  ) throws(AssetReaderError) -> PixelBuffer? {
    while true {
      do throws(AssetReaderError) {
        guard let sample = try reader.nextSample() else { return nil }
        if let picture = sample.sampleBuffer.imageBuffer { return picture }
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

/// What `idet` says of the pictures that go through it.
private final class FieldGraph {
  private let name: String
  private var lender: PictureLender
  private var graph: (filter: FilterGraph, pictures: PixelBuffer.Description)?
  private var counts: [FieldOrder: Int] = [:]
  /// Pictures that were looked at.
  private(set) var frames = 0

  init(name: String) {
    self.name = name
    lender = PictureLender(name: name)
  }

  /// Takes a picture; false for one of another size or layout than those before.
  func look(at picture: PixelBuffer) throws(AssetReaderError) -> Bool {
    var owned = av_frame_alloc()
    defer { av_frame_free(&owned) }
    guard let frame = owned else {
      throw AssetReaderError(.outOfMemory, "no memory to filter \(name)")
    }
    let planar = try lender.unpacked(picture, .progressive)
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

  /// The filter; nil where it is one of other pictures.
  private func filter(
    for picture: PixelBuffer.Description, format: Int32
  ) throws(AssetReaderError) -> FilterGraph? {
    if let (filter, known) = graph {
      let isSame =
        picture.format == known.format && picture.width == known.width
        && picture.height == known.height && picture.color.range == known.color.range
      return isSame ? filter : nil
    }
    let made = try FilterGraph(
      FilterGraph.Source(
        arguments: "video_size=\(picture.width)x\(picture.height):pix_fmt=\(format)"
          + ":time_base=1/1000",
        matrix: Int32(picture.color.libavValues.matrix),
        range: Int32(picture.color.libavValues.range)),
      chain: "idet", name: name)
    graph = (made, picture)
    return made
  }

  /// A running count, which some versions write with decimals.
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
