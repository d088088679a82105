import CFFmpeg
public import MediaCore

/// Does a ``PictureProcessing`` to the pictures of a movie, one after the other.
///
/// A filter is used from one thread at a time.
public final class PictureFilter {
  /// A picture behind the filters.
  public struct Output: Sendable {
    /// The picture.
    public var picture: PixelBuffer
    /// When it is shown, from the first picture.
    public var time: MediaTime
  }

  /// The field order, whatever pictures say; nil for what they say. As the two below, to be set before
  /// the first picture.
  public var fieldOrder: FieldOrder?
  /// The shape of a pixel, whatever pictures say; nil for what they say.
  public var pixelAspectRatio: PixelAspectRatio?
  /// What codes mean, whatever pictures say; nil for what they say. Their range stays.
  public var color: ColorDescription?

  private let processing: PictureProcessing
  private let name: String
  private let unit: MediaTime
  private let timecode: Timecode?
  private let ledger = OutstandingPictures()
  private let mapper: PictureMapper
  private var graph: FilterGraph?
  private var end: Int64 = 0
  private var details: PixelBuffer.Description?
  /// Where pictures behind the filters have their chroma.
  private var siting = ChromaSiting.left
  private var lender: PictureLender

  /// A filter that is set up for its first picture.
  ///
  /// - Parameters:
  ///   - processing: What is to be done.
  ///   - unit: The unit in which pictures' times are given: a frame of the source.
  ///   - timecode: The first picture's, at the rate behind the filters.
  ///   - name: Of the source, for messages and to be drawn.
  public init(
    _ processing: PictureProcessing, unit: MediaTime, timecode: Timecode?, name: String
  ) {
    self.processing = processing
    self.unit = unit
    self.timecode = timecode
    self.name = name
    lender = PictureLender(name: name)
    mapper = PictureMapper(name: name, ledger: ledger)
  }

  /// Takes a picture.
  ///
  /// - Parameters:
  ///   - picture: The picture, which is only read.
  ///   - place: Its time, counted in units from the first picture.
  /// - Returns: Pictures that are ready.
  /// - Throws: ``AssetReaderError``: what makes no sense with such pictures, a filter that is missing,
  ///   pictures that change on the way, no memory.
  public func send(
    _ picture: PixelBuffer, at place: Int64
  ) throws(AssetReaderError) -> [Output] {
    var owned = av_frame_alloc()
    defer { av_frame_free(&owned) }
    guard let frame = owned else {
      throw AssetReaderError(.outOfMemory, "no memory to filter \(name)")
    }
    let planar = try lender.unpacked(picture, fieldOrder ?? picture.fieldOrder)
    let details = retagged(planar.details)
    try lender.lend(planar, details, to: frame)
    frame.pointee.pts = place
    end = place + 1
    let graph = try graph(for: details, format: frame.pointee.format)
    try graph.send(frame)
    return try outputs(of: graph)
  }

  /// The pictures that are left at the end.
  ///
  /// - Throws: As ``send(_:at:)``.
  public func finish() throws(AssetReaderError) -> [Output] {
    guard let graph else { return [] }
    try graph.close(at: end)
    return try outputs(of: graph)
  }

  private func outputs(of graph: FilterGraph) throws(AssetReaderError) -> [Output] {
    var outputs: [Output] = []
    while let frame = try graph.receive() {
      let time = MediaTime(frame.pointee.pts, in: graph.timeBase)
      frame.pointee.chroma_location = siting.libavLocation
      outputs.append(Output(picture: try mapper.picture(frame), time: time))
    }
    return outputs
  }

  private func graph(
    for picture: PixelBuffer.Description, format: Int32
  ) throws(AssetReaderError) -> FilterGraph {
    if let graph {
      guard picture.format == details?.format, picture.width == details?.width,
        picture.height == details?.height, picture.color.range == details?.color.range,
        picture.chromaSiting == details?.chromaSiting
      else {
        throw AssetReaderError(
          .unsupported, "\(name): the pictures change within the source; split it there")
      }
      return graph
    }
    let chain = try PictureChain(processing, picture, timecode: timecode, name: name)
    let aspect = picture.pixelAspectRatio
    let made = try FilterGraph(
      FilterGraph.Source(
        arguments: "video_size=\(picture.width)x\(picture.height):pix_fmt=\(format):"
          + "time_base=\(unit.value)/\(unit.timescale):"
          + "frame_rate=\(unit.timescale)/\(unit.value):"
          + "pixel_aspect=\(aspect.horizontal)/\(aspect.vertical)",
        matrix: Int32(picture.color.libavValues.matrix),
        range: Int32(picture.color.libavValues.range)),
      chain: chain.text, name: name)
    graph = made
    details = picture
    siting = chain.keepsChroma ? picture.chromaSiting : .left
    return made
  }

  private func retagged(_ picture: PixelBuffer.Description) -> PixelBuffer.Description {
    var details = picture
    if let fieldOrder { details.fieldOrder = fieldOrder }
    if let pixelAspectRatio { details.pixelAspectRatio = pixelAspectRatio }
    // Red, green and blue that became luma and chroma did so by a matrix that stays.
    if let color { details.color = color.with(range: picture.color.range) }
    return details
  }
}
