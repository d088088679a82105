package import AssetReader
package import CaptureDevices
package import MediaCore
import Takes

/// Maps the frames of a source to those of a movie: its start, end and frame rates.
package struct ExportTiming {
  /// The source's frame rate; nil if it has none.
  let sourceRate: FrameRate?
  /// The frame rate before the filters.
  let shownRate: FrameRate?
  /// The movie's frame rate.
  let movieRate: FrameRate?
  /// The number of source slots before the first frame that decodes. In and out points count from
  /// before them.
  let lead: Int64
  /// The number of them that the movie should have shown.
  let lostLead: Int64
  /// The first slot, counted from the source's first frame that decodes.
  let firstSlot: Int64
  /// The first slot to leave out; nil for none.
  let endSlot: Int64?
  /// The first frame's timecode at the movie's frame rate; nil for none.
  let startTimecode: Timecode?
  /// The source's timecode format; nil if it has no timecode.
  let sourceTimecodeFormat: TimecodeFormat?
  /// True if frames keep their times.
  let isPlain: Bool
  private let hasInPoint: Bool

  /// - Parameters:
  ///   - first: The source's first video sample.
  ///   - processing: The processing of frames.
  /// - Throws: `CaptureError.Code.invalidArgument` for in and out points that do not exist, and for
  ///   a timecode that does not exist at the movie's frame rate.
  package init(
    _ session: AssetExportSession, _ track: AssetTrack, first: AssetSample,
    processing: VideoProcessing
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

  /// The timecode of the source's first frame, at the source's frame rate.
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

  /// The source time at which the movie begins.
  package func start(from first: MediaTime) -> MediaTime {
    guard let sourceRate, firstSlot > 0 else { return first }
    return first + sourceRate.time(ofFrame: firstSlot)
  }

  /// The part of the source that makes up the movie.
  ///
  /// - Parameter first: The time of the source's first frame that decodes.
  package func range(from first: MediaTime) -> ChosenRange {
    guard let sourceRate else { return .whole }
    return ChosenRange(
      start: hasInPoint ? first + sourceRate.time(ofFrame: firstSlot - lostLead) : nil,
      end: endSlot.map { first + sourceRate.time(ofFrame: $0) },
      slack: sourceRate.frameDuration.multiplied(by: 1, over: 2))
  }

  /// The number of frames that the movie lacks because the decoder rejected or dropped them before
  /// the first one.
  ///
  /// - Parameters:
  ///   - refused: The rejected frames. Because decoders delay frames, these may include some after
  ///     the first one.
  ///   - range: The chosen part of the source.
  package func lostFrames(_ refused: RefusedFrames, in range: ChosenRange) -> Int {
    let others = max(refused.count - Int(lead), 0)
    let areOutside = refused.latest.map { range.isBehind($0...$0) } ?? false
    return Int(lostLead) + (areOutside ? 0 : others)
  }

  /// The source time of the movie's end; nil if it is the end of the source.
  package func end(from start: MediaTime) -> MediaTime? {
    guard let sourceRate, let endSlot else { return nil }
    return start + sourceRate.time(ofFrame: endSlot - firstSlot)
  }

  /// Converts a time since the first frame to the time at which it is shown.
  package func shown(_ time: MediaTime) -> MediaTime {
    guard let sourceRate, let shownRate, sourceRate != shownRate else { return time }
    return
      time
      .multiplied(by: sourceRate.numerator, over: shownRate.numerator)
      .multiplied(by: shownRate.denominator, over: sourceRate.denominator)
  }
}
