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
  /// What the first picture behind the filters was: all of them are alike.
  private var made: PixelBuffer.Description?
  /// Which field of the last frame that said it was first.
  private var lastFieldOrder: FieldOrder?
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
  /// Each frame's fields are taken in its own order. Where the result has a size of its own, pictures may change
  /// theirs, their shape and their range on the way; they end what a deinterlacer sees together.
  ///
  /// - Parameters:
  ///   - picture: The picture, which is only read.
  ///   - place: Its time, counted in units from the first picture.
  /// - Returns: Pictures that are ready.
  /// - Throws: ``AssetReaderError``: what makes no sense with such pictures, a filter that is missing,
  ///   pictures that change on the way as this processing cannot follow, no memory.
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
    let before = try makeWay(for: details, at: place)
    try lender.lend(planar, details, to: frame)
    frame.pointee.pts = place
    end = place + 1
    let graph = try graph(for: details, format: frame.pointee.format, at: place)
    try graph.send(frame)
    return before + (try outputs(of: graph))
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
      let picture = try mapper.picture(frame)
      if let made, let change = picture.details.encodedChange(from: made) {
        throw refusal(of: change, at: time)
      }
      made = picture.details
      outputs.append(Output(picture: picture, time: time))
    }
    return outputs
  }

  /// Ends the chain at work where it was not set up for pictures like this one.
  ///
  /// - Returns: The pictures that are left in it.
  private func makeWay(
    for picture: PixelBuffer.Description, at place: Int64
  ) throws(AssetReaderError) -> [Output] {
    guard let graph, let known = details,
      let change = picture.change(from: known, shapesCount: processing.looksAtShapes)
    else { return [] }
    guard processing.followsChanges else {
      throw refusal(of: change, at: time(of: place))
    }
    try graph.close(at: end)
    let last = try outputs(of: graph)
    self.graph = nil
    return last
  }

  private func time(of place: Int64) -> MediaTime {
    let (value, overflow) = unit.value.multipliedReportingOverflow(by: place)
    return overflow ? .invalid : MediaTime(value: value, timescale: unit.timescale)
  }

  private func refusal(of change: String, at time: MediaTime) -> AssetReaderError {
    .pictureChange(change, at: time, in: name)
  }

  private func graph(
    for picture: PixelBuffer.Description, format: Int32, at place: Int64
  ) throws(AssetReaderError) -> FilterGraph {
    if let graph { return graph }
    do throws(AssetReaderError) { return try makeGraph(for: picture, format: format) } catch {
      guard made != nil else { throw error }
      let seconds = time(of: place).seconds.text(decimals: 3)
      throw AssetReaderError(error.code, "\(error.message), at \(seconds) s", from: error)
    }
  }

  private func makeGraph(
    for picture: PixelBuffer.Description, format: Int32
  ) throws(AssetReaderError) -> FilterGraph {
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
    if details.fieldOrder.isInterlaced {
      lastFieldOrder = details.fieldOrder
    } else if processing.deinterlacing != nil, let lastFieldOrder {
      // Cameras and encoders call single frames of fields progressive.
      details.fieldOrder = lastFieldOrder
    }
    return details
  }
}
