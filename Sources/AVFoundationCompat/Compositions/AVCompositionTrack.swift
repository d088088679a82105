import AssetReader
import Foundation
public import MediaCore
import MovieExport
import Synchronization

/// A track of a composition.
///
/// Unchecked: the compiler checks no class with a superclass. It adds two `let`s of `Sendable` types and a
/// `Mutex`.
public class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
  struct State: Sendable {
    var runs = CompositionRuns()
    var transform: CGAffineTransform?
    var language: String?
    var isEnabled = true
  }

  private let kind: AVMediaType
  private let number: CMPersistentTrackID
  let state: Mutex<State>

  init(
    _ mediaType: AVMediaType, number: CMPersistentTrackID, of composition: AVComposition,
    _ state: State = State()
  ) {
    kind = mediaType
    self.number = number
    self.state = Mutex(state)
    super.init(nil, of: composition)
  }

  /// A copy for a copy of its composition, that nobody changes.
  func snapshot(of composition: AVComposition) -> AVCompositionTrack {
    AVCompositionTrack(kind, number: number, of: composition, state.withLock { $0 })
  }

  /// A copy for another composition, that can be changed.
  func mutableSnapshot(of composition: AVComposition) -> AVMutableCompositionTrack {
    AVMutableCompositionTrack(kind, number: number, of: composition, state.withLock { $0 })
  }

  override var facts: AssetTrack? {
    state.withLock { $0.runs.list.lazy.compactMap(\.source).first?.track }
  }
  override var ownRuns: CompositionRuns? { state.withLock { $0.runs } }
  override func clips(in range: CMTimeRange) -> [MovieTimeline.Clip] {
    state.withLock { $0.runs }.clips(in: range)
  }

  /// The number of the track in its composition, from 1.
  public override var trackID: CMPersistentTrackID { number }
  /// Pictures or sound.
  public override var mediaType: AVMediaType { kind }
  /// From 0 to the end of the last stretch.
  public override var timeRange: CMTimeRange {
    CMTimeRange(start: .zero, duration: state.withLock { $0.runs.end })
  }
  /// How a player turns the pictures: not at all, unless the composition says so.
  public override var preferredTransform: CGAffineTransform {
    state.withLock { $0.transform } ?? .identity
  }
  /// The language as ISO 639-2; that of the first stretch unless the composition says another.
  public override var languageCode: String? { state.withLock { $0.language } ?? facts?.language }
  /// As ``languageCode``.
  public override var extendedLanguageTag: String? { languageCode }
  /// False for a track that a player leaves out until it is asked.
  public override var isEnabled: Bool { state.withLock { $0.isEnabled } }
  /// Bytes of the samples of the files that it is made of are not counted: 0.
  public override var totalSampleDataLength: Int64 { 0 }

  /// The stretches of files, and of nothing, end to end from 0.
  public override var segments: [AVAssetTrackSegment] { compositionSegments }

  var compositionSegments: [AVCompositionTrackSegment] {
    var start = CMTime.zero
    return state.withLock { $0.runs.list }.map { run in
      let target = CMTimeRange(start: start, duration: run.length)
      start = target.end
      guard let source = run.source else { return AVCompositionTrackSegment(timeRange: target) }
      return AVCompositionTrackSegment(
        url: URL(filePath: source.location.path),
        trackID: CMPersistentTrackID(clamping: source.track.id + 1),
        sourceTimeRange: source.range, targetTimeRange: target)
    }
  }

  /// The stretch that is shown at a time, else the nearest one; nil for a track without any, and for a time that is no
  /// number.
  public override func segment(forTrackTime trackTime: CMTime) -> AVCompositionTrackSegment? {
    compositionSegments.nearest(to: trackTime)
  }
}

/// A track of a composition that can be changed.
///
/// Unchecked: the compiler checks no class with a superclass. It adds no stored property.
public final class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
  /// How a player turns the pictures. The exported movie says so where it is by quarters; another
  /// transform is left out, which is told.
  public override var preferredTransform: CGAffineTransform {
    get { super.preferredTransform }
    set { state.withLock { $0.transform = newValue } }
  }
  /// The language as ISO 639-2.
  public override var languageCode: String? {
    get { super.languageCode }
    set { state.withLock { $0.language = newValue } }
  }
  /// As ``languageCode``.
  public override var extendedLanguageTag: String? {
    get { languageCode }
    set { languageCode = newValue }
  }
  /// False for a track that a player leaves out until it is asked.
  public override var isEnabled: Bool {
    get { super.isEnabled }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// Puts a stretch of a track at a time; what was there comes after it.
  ///
  /// - Parameters:
  ///   - timeRange: The stretch, in the time of its asset. Where the track has nothing, nothing is shown.
  ///   - track: A track of the same kind, of a file or of a composition.
  ///   - startTime: The place; an invalid time for the end.
  /// - Throws: ``AVError/Code/invalidSourceMedia`` for a track of another kind,
  ///   ``AVError/Code/invalidCompositionTrackSegmentSourceStartTime`` or
  ///   ``AVError/Code/invalidCompositionTrackSegmentSourceDuration`` for an invalid time range, and
  ///   ``AVError/Code/invalidCompositionTrackSegmentDuration`` for a start time below 0 or without end.
  public func insertTimeRange(
    _ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime
  ) throws {
    try insert(timeRange, of: track, at: startTime)
  }

  func insert(
    _ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime
  ) throws(AVError) {
    guard track.mediaType == mediaType else {
      throw AVError(
        .invalidSourceMedia,
        "a track of \(track.mediaType) in one of \(mediaType): they must be alike")
    }
    try Self.checkPlace(startTime)
    let runs = try track.runs(in: timeRange)
    state.withLock { state in
      state.runs.insert(runs, at: startTime.isNumeric ? startTime : state.runs.end)
    }
  }

  /// Takes an invalid time, which stands for the end, and times from 0.
  static func checkPlace(_ time: CMTime) throws(AVError) {
    guard !time.isValid || (time.isNumeric && time >= .zero) else {
      throw AVError(
        .invalidCompositionTrackSegmentDuration,
        "a segment starts at 0 or later; an invalid time stands for the end")
    }
  }

  /// Shows nothing for a range; what was there comes after it.
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    guard timeRange.start.isNumeric, timeRange.duration.isNumeric else { return }
    state.withLock { state in
      // Behind the end there is nothing anyway.
      guard timeRange.start < state.runs.end else { return }
      state.runs.insert(
        [CompositionRuns.Run(source: nil, length: timeRange.duration)], at: timeRange.start)
    }
  }

  /// Takes a range away; what comes after it moves up.
  public func removeTimeRange(_ timeRange: CMTimeRange) {
    state.withLock { $0.runs.remove(timeRange) }
  }

  /// Makes pictures of a range slower or faster; what comes after it moves. Where the track ends within the
  /// range, the part that it has changes at the same ratio. Sound is not: its export says so.
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    guard duration.isNumeric else { return }
    state.withLock { $0.runs.scale(timeRange, to: duration) }
  }
}

extension AVAssetTrack {
  /// What a composition shows of a stretch of the track.
  ///
  /// - Throws: ``AVError`` for times that make no sense.
  func runs(in range: CMTimeRange) throws(AVError) -> [CompositionRuns.Run] {
    let own = timeRange
    guard range.start.isNumeric, range.duration.isNumeric || range.duration.isPositiveInfinity
    else {
      throw AVError(
        .invalidCompositionTrackSegmentSourceStartTime,
        "a stretch begins at a time and has a length")
    }
    guard !(range.duration < .zero) else {
      throw AVError(
        .invalidCompositionTrackSegmentSourceDuration, "the duration of a segment is not negative")
    }
    let end = range.duration.isNumeric ? range.end : own.end
    let shown = CMTimeRange(start: max(range.start, own.start), end: min(end, own.end))
    guard shown.duration > .zero else {
      return end > range.start ? [CompositionRuns.Run(source: nil, length: end - range.start)] : []
    }
    var runs = [CompositionRuns.Run(source: nil, length: shown.start - range.start)]
    if let ownRuns {
      runs += ownRuns.within(shown)
    } else if let location, let facts {
      runs.append(
        CompositionRuns.Run(
          source: .init(location: location, track: facts, range: shown, bytes: bytes),
          length: shown.duration))
    }
    runs.append(CompositionRuns.Run(source: nil, length: end - shown.end))
    return runs.filter { $0.length > .zero }
  }
}
