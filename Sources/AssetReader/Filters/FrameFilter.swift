import CFFmpeg
public import MediaCore

/// Applies a ``VideoProcessing`` to the frames of a movie, in order.
///
/// A filter is used from one thread at a time.
public final class FrameFilter {
  /// A filtered frame.
  public struct Output: Sendable {
    /// The frame.
    public var frame: PixelBuffer
    /// Its presentation time, relative to the first frame.
    public var time: MediaTime
  }

  /// Overrides the frames' field order; nil keeps it. Like the next two, to be set before the first
  /// frame.
  public var fieldOrder: FieldOrder?
  /// Overrides the frames' pixel aspect ratio; nil keeps it.
  public var pixelAspectRatio: PixelAspectRatio?
  /// Overrides the frames' color except its range; nil keeps it.
  public var color: ColorDescription?

  private let processing: VideoProcessing
  private let name: String
  private let unit: MediaTime
  private let timecode: Timecode?
  private let ledger = FrameLedger()
  private let mapper: FrameMapper
  private var graph: FilterGraph?
  private var end: Int64 = 0
  private var details: PixelBuffer.Description?
  /// The description of the first filtered frame, which all others must match.
  private var made: PixelBuffer.Description?
  /// The field order of the last frame that stated one.
  private var lastFieldOrder: FieldOrder?
  /// The chroma siting of filtered frames.
  private var siting = ChromaSiting.left
  private var lender: FrameLender

  /// Creates a filter that is set up with its first frame.
  ///
  /// - Parameters:
  ///   - processing: The processing to apply.
  ///   - unit: The unit of frame times: the duration of a source frame.
  ///   - timecode: The first frame's, at the output rate.
  ///   - name: The source's name, for messages and burn-in.
  public init(
    _ processing: VideoProcessing, unit: MediaTime, timecode: Timecode?, name: String
  ) {
    self.processing = processing
    self.unit = unit
    self.timecode = timecode
    self.name = name
    lender = FrameLender(name: name)
    mapper = FrameMapper(name: name, ledger: ledger)
  }

  /// Filters a frame.
  ///
  /// Each frame is treated in its own field order. If the output size is fixed, frames may change
  /// their size, pixel aspect ratio and range on the way; a deinterlacer does not look across such
  /// a change.
  ///
  /// - Parameters:
  ///   - frame: The frame, which is only read.
  ///   - place: Its time in units, relative to the first frame.
  /// - Returns: The frames that are ready.
  /// - Throws: ``AssetReaderError`` if the processing is impossible with such frames, a filter is
  ///   missing, frames change in a way this processing cannot follow, or memory runs out.
  public func send(
    _ image: PixelBuffer, at place: Int64
  ) throws(AssetReaderError) -> [Output] {
    var owned = av_frame_alloc()
    defer { av_frame_free(&owned) }
    guard let frame = owned else {
      throw AssetReaderError(.outOfMemory, "no memory to filter \(name)")
    }
    let planar = try lender.unpacked(image, fieldOrder ?? image.fieldOrder)
    let details = retagged(planar.details)
    let before = try makeWay(for: details, at: place)
    try lender.lend(planar, details, to: frame)
    frame.pointee.pts = place
    end = place + 1
    let graph = try graph(for: details, format: frame.pointee.format, at: place)
    try graph.send(frame)
    return before + (try outputs(of: graph))
  }

  /// Ends the input and returns the remaining frames.
  ///
  /// - Throws: The errors of ``send(_:at:)``.
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
      let image = try mapper.frame(frame)
      if let made, let change = image.details.encodedChange(from: made) {
        throw refusal(of: change, at: time)
      }
      made = image.details
      outputs.append(Output(frame: image, time: time))
    }
    return outputs
  }

  /// Ends the current chain if it was not set up for frames like this one.
  ///
  /// - Returns: The frames that were left in it.
  private func makeWay(
    for frame: PixelBuffer.Description, at place: Int64
  ) throws(AssetReaderError) -> [Output] {
    guard let graph, let known = details,
      let change = frame.change(from: known, shapesCount: processing.looksAtShapes)
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
    .frameChange(change, at: time, in: name)
  }

  private func graph(
    for frame: PixelBuffer.Description, format: Int32, at place: Int64
  ) throws(AssetReaderError) -> FilterGraph {
    if let graph { return graph }
    do throws(AssetReaderError) { return try makeGraph(for: frame, format: format) } catch {
      guard made != nil else { throw error }
      let seconds = time(of: place).seconds.text(decimals: 3)
      throw AssetReaderError(error.code, "\(error.message), at \(seconds) s", from: error)
    }
  }

  private func makeGraph(
    for frame: PixelBuffer.Description, format: Int32
  ) throws(AssetReaderError) -> FilterGraph {
    let chain = try FrameChain(processing, frame, timecode: timecode, name: name)
    let aspect = frame.pixelAspectRatio
    let source = FilterGraph.Source(
      arguments: "video_size=\(frame.width)x\(frame.height):pix_fmt=\(format):"
        + "time_base=\(unit.value)/\(unit.timescale):"
        + "frame_rate=\(unit.timescale)/\(unit.value):"
        + "pixel_aspect=\(aspect.horizontal)/\(aspect.vertical)",
      matrix: Int32(frame.color.libavValues.matrix),
      range: Int32(frame.color.libavValues.range))
    let made: FilterGraph
    do throws(AssetReaderError) {
      made = try FilterGraph(source, chain: chain.text, name: name)
    } catch {
      guard let lut = processing.lut, FrameChain.isAboutTable(error.message) else { throw error }
      throw AssetReaderError(
        .invalidArgument,
        "\(lut): libavfilter cannot read this look-up table; export it again, as a .cube file with LUT_3D_SIZE",
        from: error)
    }
    graph = made
    details = frame
    siting = chain.keepsChroma ? frame.chromaSiting : .left
    return made
  }

  private func retagged(_ frame: PixelBuffer.Description) -> PixelBuffer.Description {
    var details = frame
    if let fieldOrder { details.fieldOrder = fieldOrder }
    if let pixelAspectRatio { details.pixelAspectRatio = pixelAspectRatio }
    // The range stays: it belongs to the codes in memory, not to what they are declared to mean.
    if let color { details.color = color.with(range: frame.color.range) }
    if details.fieldOrder.isInterlaced {
      lastFieldOrder = details.fieldOrder
    } else if processing.deinterlacing != nil, let lastFieldOrder {
      // Cameras and encoders mark single interlaced frames as progressive.
      details.fieldOrder = lastFieldOrder
    }
    return details
  }
}
