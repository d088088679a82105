public import Foundation

/// Like ``AVFragmentedAssetMinder``, for movies: posts `AVFragmentedMovieDurationDidChange` and so on.
public final class AVFragmentedMovieMinder: Sendable, ComparedByIdentity {
  private let work: FragmentMinding<AVFragmentedMovie>

  /// A minder for one movie.
  ///
  /// - Parameter mindingInterval: Seconds between checks, at least 0.001.
  public init(movie: AVFragmentedMovie, mindingInterval: TimeInterval) {
    work = FragmentMinding(mindingInterval)
    work.add(movie)
  }

  deinit { work.end() }

  /// Seconds between checks, at least 0.001.
  public var mindingInterval: TimeInterval {
    get { work.interval }
    set { work.interval = newValue }
  }
  /// The watched movies.
  public var movies: [AVFragmentedMovie] { work.assets }
  /// Starts watching a movie.
  public func add(_ movie: AVFragmentedMovie) { work.add(movie) }
  /// Stops watching a movie.
  public func remove(_ movie: AVFragmentedMovie) { work.remove(movie) }
}
