package import AssetReader
package import CaptureDevices
package import MediaCore
import Takes

/// Which frames of a source become which of a movie: its beginning and its end, and its rates.
package struct ExportTiming {
  /// The source's rate; nil where it has none.
  let sourceRate: FrameRate?
  /// The rate of pictures on their way into the filters.
  let shownRate: FrameRate?
  /// The movie's rate.
  let movieRate: FrameRate?
  /// Slots of the source before its first picture that decodes: points count from there on.
  let lead: Int64
  /// Those of them that the movie was to show.
  let lostLead: Int64
  /// The first frame, counted in slots from the source's first picture that decodes.
  let firstSlot: Int64
  /// The first frame that is left out; nil for none.
  let endSlot: Int64?
  /// The first frame's address, at the movie's rate; nil where there is none to give.
  let startTimecode: Timecode?
  /// How the source's timecode counts; nil where it has none.
  let sourceTimecodeFormat: TimecodeFormat?
  /// True where frames pass at their own times.
  let isPlain: Bool
  private let hasInPoint: Bool

  /// - Parameters:
  ///   - first: What comes with the source's first picture.
  ///   - processing: What is done to pictures.
  /// - Throws: `CaptureError.Code.invalidArgument` for points that there are not, and a timecode that
  ///   does not exist at the movie's rate.
  package init(
    _ session: AssetExportSession, _ track: AssetTrack, first: AssetSample,
    processing: PictureProcessing
  ) throws(CaptureError) {
    let edit = session.edit
    let rate = track.frameRate
    sourceRate = rate
    shownRate = edit.conformRate ?? rate
    let isDoubled = processing.deinterlacing == .fields
    movieRate =
      processing.frameRate
      ?? shownRate.flatMap { isDoubled ? FrameRate($0.numerator * 2, $0.denominator) : $0 }
    isPlain = processing.isEmpty && edit.conformRate == nil
    guard rate != nil || (isPlain && edit.start == nil && edit.end == nil) else {
      throw CaptureError(
        .invalidArgument,
        "\(session.location.displayName) has no frame rate, which in, out, filters and rates need")
    }
    let source = Self.sourceTimecode(track, first, rate)
    sourceTimecodeFormat = source?.format
    let lead = rate == nil ? 0 : first.index
    self.lead = lead
    let origin = source?.advanced(by: -lead)
    let begin = try Self.slot(edit.start, "in", session, rate, origin) ?? 0
    firstSlot = max(begin - lead, 0)
    lostLead = max(lead - begin, 0)
    let begun = firstSlot
    let asked = try Self.slot(edit.end, "out", session, rate, origin).map { $0 - lead }
    let counted = rate == nil ? nil : session.maximumFrameCount.map { begun + Int64($0) }
    endSlot = [asked, isPlain ? counted : nil].compactMap(\.self).min()
    hasInPoint = edit.start != nil
    if let end = endSlot, end <= firstSlot {
      throw CaptureError(
        .invalidArgument,
        end + lead <= begin
          ? "the out point is frame \(end + lead) and the in point frame \(begin); the movie would be empty"
          : "no frame before the out point, frame \(end + lead), decodes; the first that does is frame \(lead)"
      )
    }
    startTimecode = try Self.timecode(session, source, movieRate, firstSlot)
  }

  /// True where the first frame's address is that of the source's, at the source's rate.
  private static func sourceTimecode(
    _ track: AssetTrack, _ first: AssetSample, _ rate: FrameRate?
  ) -> Timecode? {
    if let address = first.sampleBuffer.attachments.timecode { return address }
    guard let rate else { return nil }
    return first.sideData.timecodeText.flatMap { Timecode($0, frameRate: rate) }
  }

  private static func slot(
    _ point: ExportPoint?, _ name: String, _ session: AssetExportSession, _ rate: FrameRate?,
    _ start: Timecode?
  ) throws(CaptureError) -> Int64? {
    guard let point, let rate else { return nil }
    if let frame = point.frame(rate: rate, start: start) { return frame }
    guard case .timecode(let text) = point else { return nil }
    let source = session.location.displayName
    throw CaptureError(
      .invalidArgument,
      start.map {
        "the \(name) point \(text) is not a frame of \(source), which begins at \($0); "
          + "write it as HH:MM:SS:FF at \(rate), or as a time such as 12.5s"
      } ?? "\(source) has no timecode for the \(name) point \(text); give a time such as 12.5s")
  }

  private static func timecode(
    _ session: AssetExportSession, _ source: Timecode?, _ movieRate: FrameRate?, _ first: Int64
  ) throws(CaptureError) -> Timecode? {
    let counted = movieRate ?? .fps25
    if let text = session.startTimecode {
      guard let start = Timecode(text, frameRate: counted) else {
        throw CaptureError(.invalidArgument, PresetReader.timecodeFault(text, rate: counted))
      }
      return start
    }
    guard let movieRate, let address = source?.advanced(by: first) else { return nil }
    return address.atMovieRate(movieRate)
  }

  /// The source's time of the movie's beginning, from that of the source's first picture.
  package func start(from first: MediaTime) -> MediaTime {
    guard let sourceRate, firstSlot > 0 else { return first }
    return first + sourceRate.time(ofFrame: firstSlot)
  }

  /// Which part of the source the movie is made of.
  ///
  /// - Parameter first: When the source's first picture that decodes is shown.
  package func range(from first: MediaTime) -> ChosenRange {
    guard let sourceRate else { return .whole }
    return ChosenRange(
      start: hasInPoint ? first + sourceRate.time(ofFrame: firstSlot - lostLead) : nil,
      end: endSlot.map { first + sourceRate.time(ofFrame: $0) },
      slack: sourceRate.frameDuration.multiplied(by: 1, over: 2))
  }

  /// Pictures that the movie lacks, as the decoder refused them or left them out before it gave the first one.
  ///
  /// - Parameters:
  ///   - refused: Those that it refused: those before the first one, and others, for pictures lag behind.
  ///   - range: The part of the source that is wanted.
  package func lostPictures(_ refused: RefusedPictures, in range: ChosenRange) -> Int {
    let others = max(refused.count - Int(lead), 0)
    let areOutside = refused.latest.map { range.isBehind($0...$0) } ?? false
    return Int(lostLead) + (areOutside ? 0 : others)
  }

  /// The source's time of the movie's end, from that of its beginning; nil where that is the source's.
  package func end(from start: MediaTime) -> MediaTime? {
    guard let sourceRate, let endSlot else { return nil }
    return start + sourceRate.time(ofFrame: endSlot - firstSlot)
  }

  /// Time from the first frame to a time from there as it is shown.
  package func shown(_ time: MediaTime) -> MediaTime {
    guard let sourceRate, let shownRate, sourceRate != shownRate else { return time }
    return
      time
      .multiplied(by: sourceRate.numerator, over: shownRate.numerator)
      .multiplied(by: shownRate.denominator, over: sourceRate.denominator)
  }
}
