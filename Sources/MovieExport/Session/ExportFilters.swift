import AssetReader
import MediaCore

/// The filters of an export, and between them the choice of frames for another frame rate.
struct ExportFilters {
  /// Deinterlaces before frames are chosen, because it uses the frames before and after each one.
  private let deinterlacer: PictureFilter?
  /// Chooses frames; nil if all are used.
  private var conversion: RateConversion<PixelBuffer>?
  /// Chosen frames still to be filtered. A frame held for minutes occurs many times, sharing its
  /// memory until then.
  private var chosen: ArraySlice<RateConversion<PixelBuffer>.Shown> = []
  private enum Phase {
    case running
    /// No more frames come, but chosen ones wait.
    case ending
    case ended
  }
  private var phase = Phase.running
  /// The most frames filtered per call.
  private static let batch = 16
  /// Does all processing, or what remains after frames are chosen.
  private let filter: PictureFilter
  private let shownRate: FrameRate
  /// True if every frame of the movie must be filtered, even a repeated one, because its number is
  /// drawn. The frame rate stays.
  private let fillsGaps: Bool
  /// The number of frames that repeat the previous one.
  private(set) var framesFilled = 0
  /// Corrects times after the deinterlacer.
  private var fields: FieldTimes?

  /// - Parameters:
  ///   - processing: The processing.
  ///   - shownRate: The frame rate before the filters.
  ///   - edit: The edit, whose overrides apply to frames.
  ///   - fieldOrder: Overrides the frames' field order; nil keeps it.
  ///   - timecode: The movie's start timecode, for burn-in.
  ///   - name: The source's name, for messages and burn-in.
  init(
    _ processing: PictureProcessing, from shownRate: FrameRate, edit: ExportEdit,
    fieldOrder: FieldOrder?, timecode: Timecode?, name: String
  ) {
    self.shownRate = shownRate
    let fields = processing.deinterlacing == .fields ? FieldTimes(of: shownRate) : nil
    self.fields = fields
    // libavfilter counts the frames that it draws into.
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

  /// Filters a frame.
  ///
  /// - Parameter place: Its frame number from the movie's first frame, at the rate before the
  ///   filters.
  /// - Returns: Frames that are ready, with times from the movie's first frame. More may come from
  ///   ``more()``.
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

  /// Ends the input and returns remaining frames. More may come from ``more()``.
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

  /// Filters and returns a few of the waiting frames; empty if none wait.
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

  /// Chooses from frames.
  private mutating func choose(_ pictures: [PictureFilter.Output]) {
    for picture in pictures { choose(picture.picture, at: picture.time) }
  }

  private mutating func choose(_ picture: PixelBuffer, at time: MediaTime) {
    let shown = conversion?.take(picture, at: time) ?? []
    chosen += shown
    // Every input frame gets one output frame, sooner or later.
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
