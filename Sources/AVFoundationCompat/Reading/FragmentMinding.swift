import Foundation
import Synchronization

/// An asset whose file grows, and that counts its minders.
protocol MindedAsset: AVAsset {
  /// How many minders look after it.
  var minding: MindingCount { get }
}

extension AVFragmentedAsset: MindedAsset {}
extension AVFragmentedMovie: MindedAsset {}

/// What the minders of assets and of movies share: looks at files again and again, for as long as it is held.
final class FragmentMinding<Asset: MindedAsset>: Sendable {
  private struct State: Sendable {
    var assets: [Asset] = []
    var interval: TimeInterval
    /// With each new interval, so that the look of the old one is not taken.
    var generation = 0
  }

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "fragments", qos: .utility)

  /// - Parameter interval: Seconds from one look to the next, a millisecond at least.
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

  /// Looks at an asset, too; nothing if it is looked at already.
  func add(_ asset: Asset) {
    let isNew = state.withLock { state in
      guard !state.assets.contains(where: { $0 === asset }) else { return false }
      state.assets.append(asset)
      return true
    }
    if isNew { asset.minding.change(by: 1) }
  }

  /// Looks at an asset no more.
  func remove(_ asset: Asset) {
    let wasHere = state.withLock { state in
      guard let place = state.assets.firstIndex(where: { $0 === asset }) else { return false }
      state.assets.remove(at: place)
      return true
    }
    if wasHere { asset.minding.change(by: -1) }
  }

  /// Looks at no asset any more.
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
