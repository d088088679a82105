public import Foundation
public import MediaCore

/// Tracks of which a player chooses one: no asset here has any, for each track is there for itself.
public final class AVMediaSelectionGroup: Sendable, ComparedByIdentity {
  private init() {}

  /// What can be chosen.
  public var options: [AVMediaSelectionOption] { [] }
  /// What is chosen unless the user wants another one.
  public var defaultOption: AVMediaSelectionOption? { nil }
  /// True if nothing may be chosen.
  public var allowsEmptySelection: Bool { true }
  /// Options of languages, the best first.
  public static func mediaSelectionOptions(
    from mediaSelectionOptions: [AVMediaSelectionOption],
    filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
  ) -> [AVMediaSelectionOption] { mediaSelectionOptions }
}

/// One of several tracks: see ``AVMediaSelectionGroup``.
public final class AVMediaSelectionOption: Sendable, ComparedByIdentity {
  private init() {}

  /// The name for people.
  public var displayName: String { "" }
  /// What the track is of.
  public var mediaType: AVMediaType { .audio }
  /// The language.
  public var locale: Locale? { nil }
  /// The language.
  public var extendedLanguageTag: String? { nil }
  /// True if a player can play it.
  public var isPlayable: Bool { false }
  /// What the file says of it.
  public var commonMetadata: [AVMetadataItem] { [] }
  /// True for what the track is.
  public func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool { false }
}

/// What of each group of tracks is chosen: nothing, for there are no groups.
///
/// Unchecked because the compiler accepts `Sendable` of final classes only: its one property is a `let` of a `Sendable`
/// type.
public class AVMediaSelection: @unchecked Sendable, ComparedByIdentity {
  /// The asset.
  public let asset: AVAsset?

  init(_ asset: AVAsset) { self.asset = asset }

  /// Nil.
  public func selectedMediaOption(
    in mediaSelectionGroup: AVMediaSelectionGroup
  ) -> AVMediaSelectionOption? { nil }
  /// True: nothing else could be chosen.
  public func mediaSelectionCriteriaCanBeAppliedAutomatically(
    to mediaSelectionGroup: AVMediaSelectionGroup
  ) -> Bool { true }
}

extension AVAsset {
  /// None: each track is there for itself.
  public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] { [] }
  /// Nil.
  public func mediaSelectionGroup(
    forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> AVMediaSelectionGroup? { nil }
  /// Nil.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadMediaSelectionGroup(
    for mediaCharacteristic: AVMediaCharacteristic
  ) async throws -> AVMediaSelectionGroup? {
    _ = try await load(.tracks)
    return nil
  }
  /// The one choice that there is: of nothing.
  public var preferredMediaSelection: AVMediaSelection { AVMediaSelection(self) }
  /// The one choice that there is.
  public var allMediaSelections: [AVMediaSelection] { [preferredMediaSelection] }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  /// None.
  public static var availableMediaCharacteristicsWithMediaSelectionOptions:
    AVAsyncProperty<Root, [AVMediaCharacteristic]>
  {
    AVAsyncProperty { asset throws(AVError) in
      _ = try asset.contents()
      return []
    }
  }
  /// The one choice that there is: of nothing.
  public static var preferredMediaSelection: AVAsyncProperty<Root, AVMediaSelection> {
    AVAsyncProperty { $0.preferredMediaSelection }
  }
  /// The one choice that there is.
  public static var allMediaSelections: AVAsyncProperty<Root, [AVMediaSelection]> {
    AVAsyncProperty { $0.allMediaSelections }
  }
}
