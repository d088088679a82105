public import Foundation

/// As ``AVFragmentedAssetMinder``, of movies: `AVFragmentedMovieDurationDidChange` and the others are posted.
public final class AVFragmentedMovieMinder: Sendable, ComparedByIdentity {
  private let work: FragmentMinding<AVFragmentedMovie>

  /// A minder of one movie.
  ///
  /// - Parameter mindingInterval: Seconds from one look to the next, a millisecond at least.
  public init(movie: AVFragmentedMovie, mindingInterval: TimeInterval) {
    work = FragmentMinding(mindingInterval)
    work.add(movie)
  }

  deinit { work.end() }

  /// Seconds from one look to the next, a millisecond at least.
  public var mindingInterval: TimeInterval {
    get { work.interval }
    set { work.interval = newValue }
  }
  /// The movies that are looked at.
  public var movies: [AVFragmentedMovie] { work.assets }
  /// Looks at a movie, too.
  public func add(_ movie: AVFragmentedMovie) { work.add(movie) }
  /// Looks at a movie no more.
  public func remove(_ movie: AVFragmentedMovie) { work.remove(movie) }
}
