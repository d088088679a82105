public import Foundation
public import MediaCore

/// A segment of a track and its position in the track's timeline.
///
/// Unchecked: the compiler checks only final classes. The one property is a `let` of a `Sendable` type, and there is no
/// initializer for subclasses outside this module.
public class AVAssetTrackSegment: @unchecked Sendable {
  /// Maps media time to track time.
  public let timeMapping: CMTimeMapping
  /// True if the segment is empty.
  public var isEmpty: Bool { false }

  init(_ timeMapping: CMTimeMapping) { self.timeMapping = timeMapping }
}

extension Collection where Element: AVAssetTrackSegment {
  /// The segment that contains a track time, or the one whose range is closest to it.
  func nearest(to time: CMTime) -> Element? {
    guard time.isNumeric else { return nil }
    if let shown = first(where: { $0.timeMapping.target.contains(time) }) { return shown }
    func distance(_ segment: Element) -> CMTime {
      let range = segment.timeMapping.target
      return time < range.start ? range.start - time : time - range.end
    }
    return self.min { distance($0) < distance($1) }
  }
}

/// A segment of a composition track: a range of a file's track, or empty.
///
/// Unchecked: the compiler cannot check a class with a superclass. Both properties are `let`s of `Sendable` types.
public final class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
  /// The file; nil for an empty segment.
  public let sourceURL: URL?
  /// The file's track; ``kCMPersistentTrackID_Invalid`` for an empty segment.
  public let sourceTrackID: CMPersistentTrackID

  /// A segment with a range of a file's track.
  public init(
    url: URL, trackID: CMPersistentTrackID, sourceTimeRange: CMTimeRange,
    targetTimeRange: CMTimeRange
  ) {
    (sourceURL, sourceTrackID) = (url, trackID)
    super.init(CMTimeMapping(source: sourceTimeRange, target: targetTimeRange))
  }

  /// An empty segment.
  public init(timeRange: CMTimeRange) {
    (sourceURL, sourceTrackID) = (nil, kCMPersistentTrackID_Invalid)
    super.init(
      CMTimeMapping(source: CMTimeRange(start: .invalid, duration: .invalid), target: timeRange))
  }

  /// True if the segment is empty.
  public override var isEmpty: Bool { sourceURL == nil }
}
