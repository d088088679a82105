public import MediaCore
import QuickTime

extension AVAsset {
  /// True for a QuickTime movie, which may be fragmented.
  public var canContainFragments: Bool { (try? contents())?.index != nil }
  /// True if the file has fragments.
  public var containsFragments: Bool { ((try? contents())?.index?.fragmentCount ?? 0) > 0 }
  /// Invalid: the final duration of a growing file is unknown.
  public var overallDurationHint: CMTime { .invalid }
  /// False: AirPlay is not supported.
  public var isCompatibleWithAirPlayVideo: Bool { false }
  /// Nil: lyrics are not read.
  public var lyrics: String? { nil }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  /// True for a QuickTime movie, which may be fragmented.
  public static var canContainFragments: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { asset throws(AVError) in try asset.contents().index != nil }
  }
  /// True if the file has fragments.
  public static var containsFragments: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { asset throws(AVError) in
      (try asset.contents().index?.fragmentCount ?? 0) > 0
    }
  }
  /// Invalid: the final duration of a growing file is unknown.
  public static var overallDurationHint: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { $0.overallDurationHint }
  }
  /// The volume at which players play it; 1 is as recorded.
  public static var preferredVolume: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.preferredVolume }
  }
  /// True: durations are always exact.
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { _ in true }
  }
}
