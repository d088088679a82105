import AssetReader
import Foundation
public import MediaCore
import MovieExport
import Synchronization

/// A track of a composition.
///
/// Unchecked: the compiler cannot check a class with a superclass. It adds two `let`s of `Sendable` types and a
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

  /// An immutable copy, for a copy of its composition.
  func snapshot(of composition: AVComposition) -> AVCompositionTrack {
    AVCompositionTrack(kind, number: number, of: composition, state.withLock { $0 })
  }

  /// A mutable copy, for another composition.
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

  /// The track's ID in its composition, from 1.
  public override var trackID: CMPersistentTrackID { number }
  /// Video or audio.
  public override var mediaType: AVMediaType { kind }
  /// From 0 to the end of the last segment.
  public override var timeRange: CMTimeRange {
    CMTimeRange(start: .zero, duration: state.withLock { $0.runs.end })
  }
  /// The transform that a player applies to frames; the identity unless set.
  public override var preferredTransform: CGAffineTransform {
    state.withLock { $0.transform } ?? .identity
  }
  /// The ISO 639-2 language code; that of the first segment unless set.
  public override var languageCode: String? { state.withLock { $0.language } ?? facts?.language }
  /// As ``languageCode``.
  public override var extendedLanguageTag: String? { languageCode }
  /// False for a track that a player does not play by default.
  public override var isEnabled: Bool { state.withLock { $0.isEnabled } }
  /// Always 0: the sizes of the source files' samples are not added up.
  public override var totalSampleDataLength: Int64 { 0 }

  /// The segments, end to end from 0.
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

  /// The segment at a time, or the closest one; nil for an empty track or a time that is not numeric.
  public override func segment(forTrackTime trackTime: CMTime) -> AVCompositionTrackSegment? {
    compositionSegments.nearest(to: trackTime)
  }
}

/// A track of a composition that can be changed.
///
/// Unchecked: the compiler cannot check a class with a superclass. It adds no stored property.
public final class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
  /// The transform that a player applies to frames. An exported movie keeps it if it rotates by quarter turns; any
  /// other transform is dropped and reported.
  public override var preferredTransform: CGAffineTransform {
    get { super.preferredTransform }
    set { state.withLock { $0.transform = newValue } }
  }
  /// The ISO 639-2 language code.
  public override var languageCode: String? {
    get { super.languageCode }
    set { state.withLock { $0.language = newValue } }
  }
  /// As ``languageCode``.
  public override var extendedLanguageTag: String? {
    get { languageCode }
    set { languageCode = newValue }
  }
  /// False for a track that a player does not play by default.
  public override var isEnabled: Bool {
    get { super.isEnabled }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// Inserts a range of a track at a time; later content moves back.
  ///
  /// - Parameters:
  ///   - timeRange: The range, in the asset's time. Where the source track is empty, so is the inserted range.
  ///   - track: A track of the same media type, from a file or a composition.
  ///   - startTime: The position; an invalid time for the end.
  /// - Throws: ``AVError/Code/invalidSourceMedia`` for a track of another media type,
  ///   ``AVError/Code/invalidCompositionTrackSegmentSourceStartTime`` or
  ///   ``AVError/Code/invalidCompositionTrackSegmentSourceDuration`` for an invalid time range, and
  ///   ``AVError/Code/invalidCompositionTrackSegmentDuration`` for a negative or infinite start time.
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
        "cannot insert a \(track.mediaType) track into a \(mediaType) track")
    }
    try Self.checkPlace(startTime)
    let runs = try track.runs(in: timeRange)
    state.withLock { state in
      state.runs.insert(runs, at: startTime.isNumeric ? startTime : state.runs.end)
    }
  }

  /// Accepts an invalid time, which means the end, and times from 0.
  static func checkPlace(_ time: CMTime) throws(AVError) {
    guard !time.isValid || (time.isNumeric && time >= .zero) else {
      throw AVError(
        .invalidCompositionTrackSegmentDuration,
        "a segment must start at 0 or later; an invalid time means the end")
    }
  }

  /// Inserts an empty range; later content moves back.
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    guard timeRange.start.isNumeric, timeRange.duration.isNumeric else { return }
    state.withLock { state in
      // After the end the track is empty anyway.
      guard timeRange.start < state.runs.end else { return }
      state.runs.insert(
        [CompositionRuns.Run(source: nil, length: timeRange.duration)], at: timeRange.start)
    }
  }

  /// Removes a range; later content moves forward.
  public func removeTimeRange(_ timeRange: CMTimeRange) {
    state.withLock { $0.runs.remove(timeRange) }
  }

  /// Slows down or speeds up the video in a range; later content moves. If the track ends within the range, the part it
  /// has changes by the same ratio. Audio cannot be scaled: its export fails with an error.
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    guard duration.isNumeric else { return }
    state.withLock { $0.runs.scale(timeRange, to: duration) }
  }
}

extension AVAssetTrack {
  /// The composition runs for a range of the track.
  ///
  /// - Throws: ``AVError`` for invalid times.
  func runs(in range: CMTimeRange) throws(AVError) -> [CompositionRuns.Run] {
    let own = timeRange
    guard range.start.isNumeric, range.duration.isNumeric || range.duration.isPositiveInfinity
    else {
      throw AVError(
        .invalidCompositionTrackSegmentSourceStartTime,
        "a time range must have a numeric start and a duration")
    }
    guard !(range.duration < .zero) else {
      throw AVError(
        .invalidCompositionTrackSegmentSourceDuration,
        "the duration of a segment must not be negative")
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
