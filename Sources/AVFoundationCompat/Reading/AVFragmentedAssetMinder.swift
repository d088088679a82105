public import Foundation

/// Checks growing files and posts notifications of changes on a queue of its own: `AVAssetDurationDidChange`,
/// `AVAssetContainsFragmentsDidChange`, `AVAssetWasDefragmented`.
public final class AVFragmentedAssetMinder: Sendable, ComparedByIdentity {
  private let work: FragmentMinding<AVFragmentedAsset>

  /// A minder for one file.
  ///
  /// - Parameter mindingInterval: Seconds between checks, at least 0.001.
  public init(asset: AVFragmentedAsset, mindingInterval: TimeInterval) {
    work = FragmentMinding(mindingInterval)
    work.add(asset)
  }

  deinit { work.end() }

  /// Seconds between checks, at least 0.001.
  public var mindingInterval: TimeInterval {
    get { work.interval }
    set { work.interval = newValue }
  }
  /// The watched files.
  public var assets: [AVFragmentedAsset] { work.assets }
  /// Starts watching a file.
  public func addFragmentedAsset(_ asset: AVFragmentedAsset) { work.add(asset) }
  /// Stops watching a file.
  public func removeFragmentedAsset(_ asset: AVFragmentedAsset) { work.remove(asset) }
}
