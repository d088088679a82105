public import Foundation

/// Looks at files that grow, and posts what has changed, on a queue of its own:
/// `AVAssetDurationDidChange`, `AVAssetContainsFragmentsDidChange`, `AVAssetWasDefragmented`.
public final class AVFragmentedAssetMinder: Sendable, ComparedByIdentity {
  private let work: FragmentMinding<AVFragmentedAsset>

  /// A minder of one file.
  ///
  /// - Parameter mindingInterval: Seconds from one look to the next, a millisecond at least.
  public init(asset: AVFragmentedAsset, mindingInterval: TimeInterval) {
    work = FragmentMinding(mindingInterval)
    work.add(asset)
  }

  deinit { work.end() }

  /// Seconds from one look to the next, a millisecond at least.
  public var mindingInterval: TimeInterval {
    get { work.interval }
    set { work.interval = newValue }
  }
  /// The files that are looked at.
  public var assets: [AVFragmentedAsset] { work.assets }
  /// Looks at a file, too.
  public func addFragmentedAsset(_ asset: AVFragmentedAsset) { work.add(asset) }
  /// Looks at a file no more.
  public func removeFragmentedAsset(_ asset: AVFragmentedAsset) { work.remove(asset) }
}
