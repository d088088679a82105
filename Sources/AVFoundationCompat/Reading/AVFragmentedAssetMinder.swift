public import Foundation
import Synchronization

/// Looks at files that grow, and posts what has changed, on a queue of its own:
/// `AVAssetDurationDidChange`, `AVAssetContainsFragmentsDidChange`, `AVAssetWasDefragmented`.
public final class AVFragmentedAssetMinder: Sendable, ComparedByIdentity {
  private let work: FragmentMinding<AVFragmentedAsset>

  /// A minder of one file.
  ///
  /// - Parameter mindingInterval: Seconds from one look to the next, a millisecond at least.
  public init(asset: AVFragmentedAsset, mindingInterval: TimeInterval) {
    work = FragmentMinding(mindingInterval)
    addFragmentedAsset(asset)
  }

  /// Seconds from one look to the next, a millisecond at least.
  public var mindingInterval: TimeInterval {
    get { work.interval }
    set { work.interval = newValue }
  }
  /// The files that are looked at.
  public var assets: [AVFragmentedAsset] { work.assets }
  /// Looks at a file, too.
  public func addFragmentedAsset(_ asset: AVFragmentedAsset) {
    if work.add(asset) { asset.minding.change(by: 1) }
  }
  /// Looks at a file no more.
  public func removeFragmentedAsset(_ asset: AVFragmentedAsset) {
    if work.remove(asset) { asset.minding.change(by: -1) }
  }

  deinit { for asset in assets { removeFragmentedAsset(asset) } }
}

/// As ``AVFragmentedAssetMinder``, of movies: `AVFragmentedMovieDurationDidChange` and the others are posted.
public final class AVFragmentedMovieMinder: Sendable, ComparedByIdentity {
  private let work: FragmentMinding<AVFragmentedMovie>

  /// A minder of one movie.
  ///
  /// - Parameter mindingInterval: Seconds from one look to the next, a millisecond at least.
  public init(movie: AVFragmentedMovie, mindingInterval: TimeInterval) {
    work = FragmentMinding(mindingInterval)
    add(movie)
  }

  /// Seconds from one look to the next, a millisecond at least.
  public var mindingInterval: TimeInterval {
    get { work.interval }
    set { work.interval = newValue }
  }
  /// The movies that are looked at.
  public var movies: [AVFragmentedMovie] { work.assets }
  /// Looks at a movie, too.
  public func add(_ movie: AVFragmentedMovie) {
    if work.add(movie) { movie.minding.change(by: 1) }
  }
  /// Looks at a movie no more.
  public func remove(_ movie: AVFragmentedMovie) {
    if work.remove(movie) { movie.minding.change(by: -1) }
  }

  deinit { for movie in movies { remove(movie) } }
}

/// Looks at files again and again, for as long as it is held.
private final class FragmentMinding<Asset: AVAsset>: Sendable {
  private struct State: Sendable {
    var assets: [Asset] = []
    var interval: TimeInterval
    /// With each new interval, so that the look of the old one is not taken.
    var generation = 0
  }

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "fragments", qos: .utility)

  init(_ interval: TimeInterval) {
    state = Mutex(State(interval: interval))
    scheduleLook()
  }

  var interval: TimeInterval {
    get { state.withLock { $0.interval } }
    set {
      state.withLock { state in
        state.interval = newValue
        state.generation += 1
      }
      scheduleLook()
    }
  }

  var assets: [Asset] { state.withLock { $0.assets } }

  /// False if it is looked at already.
  func add(_ asset: Asset) -> Bool {
    state.withLock { state in
      guard !state.assets.contains(where: { $0 === asset }) else { return false }
      state.assets.append(asset)
      return true
    }
  }

  /// False if it was not looked at.
  func remove(_ asset: Asset) -> Bool {
    state.withLock { state in
      guard let place = state.assets.firstIndex(where: { $0 === asset }) else { return false }
      state.assets.remove(at: place)
      return true
    }
  }

  private func scheduleLook() {
    let (interval, generation) = state.withLock { ($0.interval, $0.generation) }
    let wait = interval.isFinite ? min(max(interval, 0.001), 1e9) : 1e9
    queue.asyncAfter(deadline: .now() + wait) { [weak self] in
      guard let self, state.withLock({ $0.generation }) == generation else { return }
      for asset in assets { asset.lookAgain() }
      scheduleLook()
    }
  }
}
