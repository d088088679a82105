import Foundation
import Synchronization

/// An asset with a growing file that counts its minders.
protocol MindedAsset: AVAsset {
  /// The count of its minders.
  var minding: MindingCount { get }
}

extension AVFragmentedAsset: MindedAsset {}
extension AVFragmentedMovie: MindedAsset {}

/// The common work of asset and movie minders: checks files repeatedly as long as it is retained.
final class FragmentMinding<Asset: MindedAsset>: Sendable {
  private struct State: Sendable {
    var assets: [Asset] = []
    var interval: TimeInterval
    /// Incremented with each new interval, to drop the check scheduled for the old one.
    var generation = 0
  }

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "fragments", qos: .utility)

  /// - Parameter interval: Seconds between checks, at least 0.001.
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

  /// Starts watching an asset, unless it is already watched.
  func add(_ asset: Asset) {
    let isNew = state.withLock { state in
      guard !state.assets.contains(where: { $0 === asset }) else { return false }
      state.assets.append(asset)
      return true
    }
    if isNew { asset.minding.change(by: 1) }
  }

  /// Stops watching an asset.
  func remove(_ asset: Asset) {
    let wasHere = state.withLock { state in
      guard let place = state.assets.firstIndex(where: { $0 === asset }) else { return false }
      state.assets.remove(at: place)
      return true
    }
    if wasHere { asset.minding.change(by: -1) }
  }

  /// Stops watching all assets.
  func end() {
    for asset in assets { remove(asset) }
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
