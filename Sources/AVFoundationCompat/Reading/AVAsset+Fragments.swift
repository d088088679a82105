public import MediaCore
import QuickTime

extension AVAsset {
  /// True for a QuickTime movie, which may be in fragments.
  public var canContainFragments: Bool { (try? contents())?.index != nil }
  /// True if the file has fragments.
  public var containsFragments: Bool { ((try? contents())?.index?.fragmentCount ?? 0) > 0 }
  /// Invalid: how long a file will be at its end is not known.
  public var overallDurationHint: CMTime { .invalid }
  /// False: nothing is sent to a television.
  public var isCompatibleWithAirPlayVideo: Bool { false }
  /// Nil: no text of a song is looked for.
  public var lyrics: String? { nil }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  /// True for a QuickTime movie, which may be in fragments.
  public static var canContainFragments: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { asset throws(AVError) in try asset.contents().index != nil }
  }
  /// True if the file has fragments.
  public static var containsFragments: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { asset throws(AVError) in
      (try asset.contents().index?.fragmentCount ?? 0) > 0
    }
  }
  /// Invalid: how long a file will be at its end is not known.
  public static var overallDurationHint: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { $0.overallDurationHint }
  }
  /// How loud players play it: 1 is as it was recorded.
  public static var preferredVolume: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.preferredVolume }
  }
  /// True: durations are always exact.
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { _ in true }
  }
}
