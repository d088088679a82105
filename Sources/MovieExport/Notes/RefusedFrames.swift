package import AssetReader
package import MediaCore

/// Frames that the decoder rejected before the first one that decoded.
package struct RefusedFrames {
  package private(set) var count = 0
  /// The latest possible time of the last one; nil if the time of any is unknown.
  package private(set) var latest: MediaTime? = .negativeInfinity

  package init() {}

  /// Records one.
  package mutating func take(_ error: AssetReaderError) {
    count += 1
    latest = latest.flatMap { known in error.times.map { max(known, $0.upperBound) } }
  }
}
