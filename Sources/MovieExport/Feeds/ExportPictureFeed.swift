import AssetReader
import MediaCore

/// The pictures of a conversion on their way from their slots to the encoder: at the speed at which they are shown,
/// and through the filters.
struct ExportPictureFeed {
  private let name: String
  private var filters: ExportFilters?
  /// What pictures are brought to behind the filters; nil for as they are.
  private var form: PictureForm?
  /// Known with the source's first picture.
  private var timing: ExportTiming?
  /// The source's time of the movie's beginning.
  private var start = MediaTime.invalid
  /// What the first picture is, where they pass as they are.
  private var shape: PixelBuffer.Description?
  /// What is ready for the encoder.
  private(set) var ready: [ExportFeed.Picture] = []

  /// Frames that show the picture before, so that each has a number to be drawn.
  var framesFilled: Int { max(filters?.framesFilled ?? 0, 0) }

  /// - Parameters:
  ///   - name: The source's, for messages.
  ///   - form: What pictures are brought to behind the filters; nil for as they are.
  init(name: String, form: PictureForm?) { (self.name, self.form) = (name, form) }

  /// The source's first picture is there.
  ///
  /// - Parameter filters: What pictures go through; nil where they are to pass as they are.
  mutating func begin(at start: MediaTime, timing: ExportTiming, filters: ExportFilters?) {
    (self.start, self.timing, self.filters) = (start, timing, filters)
  }

  /// Takes the source's next picture of the movie.
  ///
  /// - Parameter slot: Its slot, counted as those of the timing; nil where the source has no rate.
  mutating func take(_ picture: ExportFeed.Picture, in slot: Int64?) throws {
    guard let timing else { return }
    var picture = picture
    // The plan says the first address.
    picture.attachments.timecode = nil
    if !timing.isPlain, let slot {
      let place = slot - timing.firstSlot
      guard filters == nil else {
        return try take(try filters?.send(picture.buffer, at: place) ?? [])
      }
      if let rate = timing.shownRate {
        picture.time = start + rate.time(ofFrame: place)
        picture.duration = rate.frameDuration
      }
    }
    try check(picture)
    try append(picture)
  }

  /// Brings out what the filters hold at the source's end.
  mutating func finish() throws { try take(try filters?.finish() ?? []) }

  /// Brings out what waits for room behind what was ready.
  mutating func goOn() throws { try take(try filters?.more() ?? []) }

  /// What is ready, which then is the encoder's.
  mutating func popReady() -> [ExportFeed.Picture] {
    defer { ready.removeAll() }
    return ready
  }

  /// Refuses a picture of another size or layout than those before.
  private mutating func check(_ picture: ExportFeed.Picture) throws(AssetReaderError) {
    let details = picture.buffer.details
    let known = shape ?? details
    shape = known
    guard let change = details.encodedChange(from: known) else { return }
    throw .pictureChange(change, at: picture.time - start, in: name)
  }

  private mutating func append(_ picture: ExportFeed.Picture) throws(AssetReaderError) {
    var picture = picture
    picture.buffer = try form?.formed(picture.buffer, of: name) ?? picture.buffer
    ready.append(picture)
  }

  private mutating func take(_ outputs: [PictureFilter.Output]) throws(AssetReaderError) {
    for output in outputs {
      try append(
        ExportFeed.Picture(
          buffer: output.picture, time: start + output.time,
          duration: timing?.movieRate?.frameDuration ?? .invalid,
          attachments: SampleBuffer.Attachments()))
    }
  }
}
