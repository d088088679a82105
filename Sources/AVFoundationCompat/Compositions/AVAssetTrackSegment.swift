public import Foundation
public import MediaCore

/// A run of a track and where it is shown.
///
/// Unchecked: the compiler checks final classes alone. Its one property is a `let` of a `Sendable` type, and
/// it has no initializer for subclasses outside of this module.
public class AVAssetTrackSegment: @unchecked Sendable {
  /// From the media to the track.
  public let timeMapping: CMTimeMapping
  /// True where the track shows nothing.
  public var isEmpty: Bool { false }

  init(_ timeMapping: CMTimeMapping) { self.timeMapping = timeMapping }
}

extension Collection where Element: AVAssetTrackSegment {
  /// The segment that a time of the track lies in, else the one whose range is nearest to it.
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

/// A run of a composition's track: a stretch of a file's track, or nothing.
///
/// Unchecked: the compiler checks no class with a superclass. Both properties are `let`s of `Sendable` types.
public final class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
  /// The file; nil where the track shows nothing.
  public let sourceURL: URL?
  /// The file's track; ``kCMPersistentTrackID_Invalid`` where the track shows nothing.
  public let sourceTrackID: CMPersistentTrackID

  /// A stretch of a file's track.
  public init(
    url: URL, trackID: CMPersistentTrackID, sourceTimeRange: CMTimeRange,
    targetTimeRange: CMTimeRange
  ) {
    (sourceURL, sourceTrackID) = (url, trackID)
    super.init(CMTimeMapping(source: sourceTimeRange, target: targetTimeRange))
  }

  /// Nothing, for a range of the composition.
  public init(timeRange: CMTimeRange) {
    (sourceURL, sourceTrackID) = (nil, kCMPersistentTrackID_Invalid)
    super.init(
      CMTimeMapping(source: CMTimeRange(start: .invalid, duration: .invalid), target: timeRange))
  }

  /// True where the track shows nothing.
  public override var isEmpty: Bool { sourceURL == nil }
}
