import AssetReader
import MediaCore

/// The filters that the pictures of an export go through, and between them the choice of those that
/// another rate shows.
struct ExportFilters {
  /// Makes pictures of fields before pictures are chosen: it looks at the ones before and behind each.
  private let deinterlacer: PictureFilter?
  /// Chooses pictures; nil where all are shown.
  private var conversion: RateConversion<PixelBuffer>?
  /// Does all, or what is left to be done with the chosen ones.
  private let filter: PictureFilter
  private let shownRate: FrameRate
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
    fields = processing.deinterlacing == .fields ? FieldTimes(of: shownRate) : nil
    var rest = processing
    var unit = shownRate
    var order = fieldOrder
    deinterlacer =
      if processing.frameRate != nil, let deinterlacing = processing.deinterlacing {
        Self.deinterlacer(deinterlacing, shownRate, edit, fieldOrder, name)
      } else {
        nil
      }
    if let rate = processing.frameRate {
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
  /// - Returns: Pictures that are ready, at their times from the movie's first.
  /// - Throws: As `PictureFilter.send(_:at:)`.
  mutating func send(
    _ picture: PixelBuffer, at place: Int64
  ) throws(AssetReaderError) -> [PictureFilter.Output] {
    guard conversion != nil else { return timed(try filter.send(picture, at: place)) }
    guard let deinterlacer else {
      return try filtered(conversion?.take(picture, at: shownRate.time(ofFrame: place)) ?? [])
    }
    return try show(timed(try deinterlacer.send(picture, at: place)))
  }

  /// The pictures that are left at the end.
  ///
  /// - Throws: As `PictureFilter.send(_:at:)`.
  mutating func finish() throws(AssetReaderError) -> [PictureFilter.Output] {
    guard conversion != nil else { return timed(try filter.finish()) }
    var outputs: [PictureFilter.Output] = []
    if let deinterlacer { outputs += try show(timed(try deinterlacer.finish())) }
    outputs += try filtered(conversion?.finish() ?? [])
    return outputs + (try filter.finish())
  }

  /// Sends those of pictures that are shown through what is left to be done.
  private mutating func show(
    _ pictures: [PictureFilter.Output]
  ) throws(AssetReaderError) -> [PictureFilter.Output] {
    var outputs: [PictureFilter.Output] = []
    for picture in pictures {
      outputs += try filtered(conversion?.take(picture.picture, at: picture.time) ?? [])
    }
    return outputs
  }

  private func filtered(
    _ pictures: [RateConversion<PixelBuffer>.Shown]
  ) throws(AssetReaderError) -> [PictureFilter.Output] {
    var outputs: [PictureFilter.Output] = []
    for shown in pictures { outputs += try filter.send(shown.picture, at: shown.frame) }
    return outputs
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
