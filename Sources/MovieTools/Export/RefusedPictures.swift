import AssetReader
import MediaCore

/// Pictures that a decoder refused before it gave the source's first one.
struct RefusedPictures {
  private(set) var count = 0
  /// When the last of them is shown at the latest; nil where that is not known of each.
  private(set) var latest: MediaTime? = .negativeInfinity

  /// Takes one.
  mutating func take(_ error: AssetReaderError) {
    count += 1
    latest = latest.flatMap { known in error.times.map { max(known, $0.upperBound) } }
  }
}
