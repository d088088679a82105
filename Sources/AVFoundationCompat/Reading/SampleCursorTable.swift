import AssetReader
import Foundation
public import MediaCore
import QuickTime

/// The samples of a track for its cursors, on the asset's timeline.
struct SampleCursorTable: Sendable {
  let samples: SampleTable
  let description: CMFormatDescription
  let url: URL
  private let timescale: Int32
  /// The time of the track's first sample.
  private let start: CMTime

  /// Nil for a track without samples, a track whose samples depend on one another or are not separate, and a track
  /// whose edit list shows only part of them or reorders them.
  init?(
    _ track: MovieIndex.Track, of movie: MovieIndex, _ description: CMFormatDescription, at url: URL
  ) {
    guard track.samples.count > 0, track.timescale > 0, Self.standAlone(track),
      let start = Self.start(track, movie)
    else { return nil }
    samples = track.samples
    timescale = track.timescale
    (self.description, self.url, self.start) = (description, url, start)
  }

  /// The number of samples, at least 1.
  var count: Int { samples.count }

  func time(of number: Int) -> CMTime {
    start + CMTime(value: samples[number]?.time ?? 0, timescale: timescale)
  }

  func duration(of number: Int) -> CMTime {
    CMTime(value: Int64(samples[number]?.duration ?? 0), timescale: timescale)
  }

  /// The sample at a time. Before the first or after the last sample, that sample and true.
  func nearest(to time: CMTime) -> (number: Int, isPinned: Bool) {
    let units = (time - start).converted(
      toTimescale: timescale, rounding: .roundTowardNegativeInfinity)
    guard !units.isPositiveInfinity else { return (count - 1, true) }
    guard units.isNumeric, units >= .zero else { return (0, true) }
    guard let number = samples.index(at: units.value) else { return (count - 1, true) }
    return (number, false)
  }

  /// True for ProRes and PCM, whose samples do not depend on one another.
  private static func standAlone(_ track: MovieIndex.Track) -> Bool {
    switch track.mediaType {
    case .video?:
      ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"].contains(track.codec.description)
    case .audio?: track.audio != nil
    default: false
    }
  }

  /// When the media start, if the edit list shows all of them once and in order; otherwise nil.
  private static func start(_ track: MovieIndex.Track, _ movie: MovieIndex) -> CMTime? {
    let delays = track.edits.prefix { $0.mediaTime == nil }
    let shown = track.edits.dropFirst(delays.count)
    guard shown.count <= 1 else { return nil }
    if let edit = shown.first {
      guard edit.mediaTime == 0, edit.rate == 1 else { return nil }
      // An edit's duration is rounded to the movie's timescale.
      let unit = CMTime(value: 1, timescale: max(movie.timescale, 1))
      if let length = edit.duration, length + unit < track.mediaDuration { return nil }
    } else if !delays.isEmpty {
      return nil
    }
    return delays.reduce(.zero) { $0 + ($1.duration ?? .zero) }
  }
}

extension MovieIndex {
  /// The track that a reader's track stands for, by its track ID: indexes differ, because a reader also lists cover
  /// images as tracks. A data track has only an index.
  func track(of facts: AssetTrack) -> Track? {
    if let number = facts.movieTrackNumber { return tracks.first { $0.id.rawValue == number } }
    return tracks.indices.contains(facts.id) ? tracks[facts.id] : nil
  }
}

extension AVAssetTrack {
  private var cursorTable: SampleCursorTable? {
    guard let location, let facts, let description = descriptions.first else { return nil }
    let movie = (try? asset?.contents())?.index ?? (try? MovieIndex(path: location.path))
    guard let movie, let track = movie.track(of: facts) else { return nil }
    return SampleCursorTable(
      track, of: movie, description, at: URL(fileURLWithPath: location.path))
  }

  /// True for ProRes and linear PCM in a QuickTime movie, if the edit list shows all of it. False for codecs with
  /// dependent frames, other containers, and compositions.
  public var canProvideSampleCursors: Bool { cursorTable != nil }

  /// A cursor at the sample at a time, or at the nearest one; nil if ``canProvideSampleCursors`` is false.
  public func makeSampleCursor(presentationTimeStamp: CMTime) -> AVSampleCursor? {
    guard presentationTimeStamp.isNumeric, let table = cursorTable else { return nil }
    return AVSampleCursor(table, at: table.nearest(to: presentationTimeStamp).number)
  }

  /// A cursor at the first sample; nil if ``canProvideSampleCursors`` is false.
  public func makeSampleCursorAtFirstSampleInDecodeOrder() -> AVSampleCursor? {
    cursorTable.map { AVSampleCursor($0, at: 0) }
  }

  /// A cursor at the last sample; nil if ``canProvideSampleCursors`` is false.
  public func makeSampleCursorAtLastSampleInDecodeOrder() -> AVSampleCursor? {
    cursorTable.map { AVSampleCursor($0, at: $0.count - 1) }
  }
}
