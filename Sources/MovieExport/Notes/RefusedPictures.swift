package import AssetReader
package import MediaCore

/// Pictures that a decoder refused before it gave the source's first one.
package struct RefusedPictures {
  package private(set) var count = 0
  /// When the last of them is shown at the latest; nil where that is not known of each.
  package private(set) var latest: MediaTime? = .negativeInfinity

  package init() {}

  /// Takes one.
  package mutating func take(_ error: AssetReaderError) {
    count += 1
    latest = latest.flatMap { known in error.times.map { max(known, $0.upperBound) } }
  }
}
