import AssetReader
import MediaCore

/// Takes an export's frames from their slots to the encoder: retimes them to the speed at which
/// they are shown, and filters them.
struct ExportFrameFeed {
  private let name: String
  private var filters: ExportFilters?
  /// The form that frames are converted to after the filters; nil to leave them as they are.
  private var form: FrameForm?
  /// Known from the source's first frame on.
  private var timing: ExportTiming?
  /// The source time at which the movie begins.
  private var start = MediaTime.invalid
  /// The description of the first frame, if frames are not filtered.
  private var shape: PixelBuffer.Description?
  /// Frames ready for the encoder.
  private(set) var ready: [ExportFeed.Frame] = []

  /// The number of frames that repeat the previous one, inserted so that every frame gets its
  /// number drawn.
  var framesFilled: Int { max(filters?.framesFilled ?? 0, 0) }

  /// What became of frames at another frame rate; nil if the rate stays.
  var tally: RateConversion<PixelBuffer>.Tally? { filters?.tally }

  /// - Parameters:
  ///   - name: The source's name, for messages.
  ///   - form: A conversion of frames after the filters; nil for none.
  init(name: String, form: FrameForm?) { (self.name, self.form) = (name, form) }

  /// Starts with the source's first frame.
  ///
  /// - Parameter filters: The filters for all frames; nil for none.
  mutating func begin(at start: MediaTime, timing: ExportTiming, filters: ExportFilters?) {
    (self.start, self.timing, self.filters) = (start, timing, filters)
  }

  /// Takes the source's next frame in the movie.
  ///
  /// - Parameter slot: Its slot, counted as in the timing; nil if the source has no frame rate.
  mutating func take(_ frame: ExportFeed.Frame, in slot: Int64?) throws {
    guard let timing else { return }
    var frame = frame
    // The plan sets the start timecode.
    frame.attachments.timecode = nil
    if !timing.isPlain, let slot {
      let place = slot - timing.firstSlot
      guard filters == nil else {
        return try take(try filters?.send(frame.buffer, at: place) ?? [])
      }
      if let rate = timing.shownRate {
        frame.time = start + rate.time(ofFrame: place)
        frame.duration = rate.frameDuration
      }
    }
    try check(frame)
    try append(frame)
  }

  /// Flushes the filters at the end of the source.
  mutating func finish() throws { try take(try filters?.finish() ?? []) }

  /// Continues with frames that had to wait until the ready ones were taken.
  mutating func goOn() throws { try take(try filters?.more() ?? []) }

  /// Removes and returns the frames that are ready.
  mutating func popReady() -> [ExportFeed.Frame] {
    defer { ready.removeAll() }
    return ready
  }

  /// Rejects a frame whose size or layout differs from those before.
  private mutating func check(_ frame: ExportFeed.Frame) throws(AssetReaderError) {
    let details = frame.buffer.details
    let known = shape ?? details
    shape = known
    guard let change = details.encodedChange(from: known) else { return }
    throw .frameChange(change, at: frame.time - start, in: name)
  }

  private mutating func append(_ frame: ExportFeed.Frame) throws(AssetReaderError) {
    var frame = frame
    frame.buffer = try form?.formed(frame.buffer, of: name) ?? frame.buffer
    ready.append(frame)
  }

  private mutating func take(_ outputs: [FrameFilter.Output]) throws(AssetReaderError) {
    for output in outputs {
      try append(
        ExportFeed.Frame(
          buffer: output.frame, time: start + output.time,
          duration: timing?.movieRate?.frameDuration ?? .invalid,
          attachments: SampleBuffer.Attachments()))
    }
  }
}
