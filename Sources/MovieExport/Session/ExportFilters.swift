import AssetReader
import MediaCore

/// The filters that the pictures of an export go through, and between them the choice of those that
/// another rate shows.
struct ExportFilters {
  /// Makes pictures of fields before pictures are chosen: it looks at the ones before and behind each.
  private let deinterlacer: PictureFilter?
  /// Chooses pictures; nil where all are shown.
  private var conversion: RateConversion<PixelBuffer>?
  /// Chosen pictures that are yet to be filtered. A picture that is held for minutes is many of them, which share
  /// its memory until then.
  private var chosen: ArraySlice<RateConversion<PixelBuffer>.Shown> = []
  private enum Phase {
    case running
    /// No more pictures come, and chosen ones wait.
    case ending
    case ended
  }
  private var phase = Phase.running
  /// Pictures that are filtered at once at most.
  private static let batch = 16
  /// Does all, or what is left to be done with the chosen ones.
  private let filter: PictureFilter
  private let shownRate: FrameRate
  /// True where each frame of the movie is to be filtered, as it has a number of its own, at the pictures' own rate.
  private let fillsGaps: Bool
  /// Frames without a picture of their own, which show the one before.
  private(set) var framesFilled = 0
  /// Times behind the deinterlacer.
  private var fields: FieldTimes?

  /// - Parameters:
  ///   - processing: What is done.
  ///   - shownRate: The rate of pictures before the filters.
  ///   - edit: What else pictures are, whatever they say.
  ///   - fieldOrder: The source's, whatever pictures say; nil for what they say.
  ///   - timecode: The movie's first address, to be drawn.
  ///   - name: The source's, for messages and to be drawn.
  init(
    _ processing: PictureProcessing, from shownRate: FrameRate, edit: ExportEdit,
    fieldOrder: FieldOrder?, timecode: Timecode?, name: String
  ) {
    self.shownRate = shownRate
    let fields = processing.deinterlacing == .fields ? FieldTimes(of: shownRate) : nil
    self.fields = fields
    // libavfilter counts the pictures that it draws into.
    fillsGaps = processing.frameRate == nil && !processing.burnIns.isSubset(of: [.name])
    let rate = fillsGaps ? fields?.rate ?? shownRate : processing.frameRate
    var rest = processing
    var unit = shownRate
    var order = fieldOrder
    deinterlacer =
      if rate != nil, let deinterlacing = processing.deinterlacing {
        Self.deinterlacer(deinterlacing, shownRate, edit, fieldOrder, name)
      } else {
        nil
      }
    if let rate {
      conversion = RateConversion(from: fields?.rate ?? shownRate, to: rate)
      (rest.frameRate, unit) = (nil, rate)
      if deinterlacer != nil { (rest.deinterlacing, order) = (nil, .progressive) }
    }
    filter = PictureFilter(rest, unit: unit.frameDuration, timecode: timecode, name: name)
    filter.fieldOrder = order
    filter.pixelAspectRatio = edit.pixelAspectRatio
    filter.color = edit.color
  }

  private static func deinterlacer(
    _ deinterlacing: PictureProcessing.Deinterlacing, _ rate: FrameRate, _ edit: ExportEdit,
    _ fieldOrder: FieldOrder?, _ name: String
  ) -> PictureFilter {
    var processing = PictureProcessing()
    processing.deinterlacing = deinterlacing
    let filter = PictureFilter(
      processing, unit: rate.frameDuration, timecode: nil, name: name)
    filter.fieldOrder = fieldOrder
    filter.pixelAspectRatio = edit.pixelAspectRatio
    filter.color = edit.color
    return filter
  }

  /// Takes a picture.
  ///
  /// - Parameter place: Its frame from the movie's first one, at the rate before the filters.
  /// - Returns: Pictures that are ready, at their times from the movie's first. More may come from ``more()``.
  /// - Throws: As `PictureFilter.send(_:at:)`.
  mutating func send(
    _ picture: PixelBuffer, at place: Int64
  ) throws(AssetReaderError) -> [PictureFilter.Output] {
    guard conversion != nil else { return timed(try filter.send(picture, at: place)) }
    if let deinterlacer {
      choose(timed(try deinterlacer.send(picture, at: place)))
    } else {
      choose(picture, at: shownRate.time(ofFrame: place))
    }
    return try more()
  }

  /// The pictures that are left at the end. More may come from ``more()``.
  ///
  /// - Throws: As `PictureFilter.send(_:at:)`.
  mutating func finish() throws(AssetReaderError) -> [PictureFilter.Output] {
    guard phase == .running else { return try more() }
    guard conversion != nil else {
      phase = .ended
      return timed(try filter.finish())
    }
    if let deinterlacer { choose(timed(try deinterlacer.finish())) }
    let last = conversion?.finish() ?? []
    if fillsGaps { framesFilled += last.count }
    chosen += last
    phase = .ending
    return try more()
  }

  /// The next of the pictures that wait to be filtered, a few at once; none where nothing waits.
  ///
  /// - Throws: As `PictureFilter.send(_:at:)`.
  mutating func more() throws(AssetReaderError) -> [PictureFilter.Output] {
    var outputs: [PictureFilter.Output] = []
    while outputs.count < Self.batch, let shown = chosen.popFirst() {
      outputs += try filter.send(shown.picture, at: shown.frame)
    }
    if phase == .ending, chosen.isEmpty {
      phase = .ended
      outputs += try filter.finish()
    }
    return outputs
  }

  /// Takes those of pictures that are shown.
  private mutating func choose(_ pictures: [PictureFilter.Output]) {
    for picture in pictures { choose(picture.picture, at: picture.time) }
  }

  private mutating func choose(_ picture: PixelBuffer, at time: MediaTime) {
    let shown = conversion?.take(picture, at: time) ?? []
    chosen += shown
    // Each picture has a frame of its own, sooner or later.
    if fillsGaps { framesFilled += shown.count - 1 }
  }

  private mutating func timed(_ outputs: [PictureFilter.Output]) -> [PictureFilter.Output] {
    guard fields != nil else { return outputs }
    return outputs.map { output in
      var output = output
      output.time = fields?.time(output.time) ?? output.time
      return output
    }
  }
}
