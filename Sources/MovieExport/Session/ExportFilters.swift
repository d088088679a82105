import AssetReader
import MediaCore

/// The filters of an export, and between them the choice of frames for another frame rate.
struct ExportFilters {
  /// Deinterlaces before frames are chosen, because it uses the frames before and after each one.
  private let deinterlacer: FrameFilter?
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
  private let filter: FrameFilter
  private let shownRate: FrameRate
  /// True if every frame of the movie must be filtered, even a repeated one, because its number is
  /// drawn. The frame rate stays.
  private let fillsGaps: Bool
  /// What became of frames at another frame rate; nil if the rate stays.
  var tally: RateConversion<PixelBuffer>.Tally? { fillsGaps ? nil : conversion?.tally }
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
    _ processing: VideoProcessing, from shownRate: FrameRate, edit: ExportEdit,
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
    filter = FrameFilter(rest, unit: unit.frameDuration, timecode: timecode, name: name)
    filter.fieldOrder = order
    filter.pixelAspectRatio = edit.pixelAspectRatio
    filter.color = edit.color
  }

  private static func deinterlacer(
    _ deinterlacing: VideoProcessing.Deinterlacing, _ rate: FrameRate, _ edit: ExportEdit,
    _ fieldOrder: FieldOrder?, _ name: String
  ) -> FrameFilter {
    var processing = VideoProcessing()
    processing.deinterlacing = deinterlacing
    let filter = FrameFilter(
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
  /// - Throws: As `FrameFilter.send(_:at:)`.
  mutating func send(
    _ frame: PixelBuffer, at place: Int64
  ) throws(AssetReaderError) -> [FrameFilter.Output] {
    guard conversion != nil else { return timed(try filter.send(frame, at: place)) }
    if let deinterlacer {
      choose(timed(try deinterlacer.send(frame, at: place)))
    } else {
      choose(frame, at: shownRate.time(ofFrame: place))
    }
    return try more()
  }

  /// Ends the input and returns remaining frames. More may come from ``more()``.
  ///
  /// - Throws: As `FrameFilter.send(_:at:)`.
  mutating func finish() throws(AssetReaderError) -> [FrameFilter.Output] {
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
  /// - Throws: As `FrameFilter.send(_:at:)`.
  mutating func more() throws(AssetReaderError) -> [FrameFilter.Output] {
    var outputs: [FrameFilter.Output] = []
    while outputs.count < Self.batch, let shown = chosen.popFirst() {
      outputs += try filter.send(shown.image, at: shown.frame)
    }
    if phase == .ending, chosen.isEmpty {
      phase = .ended
      outputs += try filter.finish()
    }
    return outputs
  }

  /// Chooses from frames.
  private mutating func choose(_ frames: [FrameFilter.Output]) {
    for frame in frames { choose(frame.frame, at: frame.time) }
  }

  private mutating func choose(_ frame: PixelBuffer, at time: MediaTime) {
    let shown = conversion?.take(frame, at: time) ?? []
    chosen += shown
    // Every input frame gets one output frame, sooner or later.
    if fillsGaps { framesFilled += shown.count - 1 }
  }

  private mutating func timed(_ outputs: [FrameFilter.Output]) -> [FrameFilter.Output] {
    guard fields != nil else { return outputs }
    return outputs.map { output in
      var output = output
      output.time = fields?.time(output.time) ?? output.time
      return output
    }
  }
}
