public import Foundation
public import MediaCore

/// Alternative tracks, of which a player selects one. No asset has any here: tracks are independent.
public final class AVMediaSelectionGroup: Sendable, ComparedByIdentity {
  private init() {}

  public var options: [AVMediaSelectionOption] { [] }
  /// The option selected by default.
  public var defaultOption: AVMediaSelectionOption? { nil }
  /// True if no option has to be selected.
  public var allowsEmptySelection: Bool { true }
  /// Options in the order of preferred languages.
  public static func mediaSelectionOptions(
    from mediaSelectionOptions: [AVMediaSelectionOption],
    filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
  ) -> [AVMediaSelectionOption] { mediaSelectionOptions }
}

/// One of several alternative tracks: see ``AVMediaSelectionGroup``.
public final class AVMediaSelectionOption: Sendable, ComparedByIdentity {
  private init() {}

  /// The name to display.
  public var displayName: String { "" }
  public var mediaType: AVMediaType { .audio }
  public var locale: Locale? { nil }
  public var extendedLanguageTag: String? { nil }
  public var isPlayable: Bool { false }
  public var commonMetadata: [AVMetadataItem] { [] }
  public func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool { false }
}

/// The selected option of each group: always empty, because there are no groups.
///
/// Unchecked: the compiler verifies only final classes. The only stored property is a `let` of a `Sendable` type.
public class AVMediaSelection: @unchecked Sendable, ComparedByIdentity {
  public let asset: AVAsset?

  init(_ asset: AVAsset) { self.asset = asset }

  public func selectedMediaOption(
    in mediaSelectionGroup: AVMediaSelectionGroup
  ) -> AVMediaSelectionOption? { nil }
  /// Always true.
  public func mediaSelectionCriteriaCanBeAppliedAutomatically(
    to mediaSelectionGroup: AVMediaSelectionGroup
  ) -> Bool { true }
}

extension AVAsset {
  /// None: tracks are independent.
  public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] { [] }
  /// Always nil.
  public func mediaSelectionGroup(
    forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> AVMediaSelectionGroup? { nil }
  /// Always nil.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadMediaSelectionGroup(
    for mediaCharacteristic: AVMediaCharacteristic
  ) async throws -> AVMediaSelectionGroup? {
    _ = try await load(.tracks)
    return nil
  }
  /// The only selection, which is empty.
  public var preferredMediaSelection: AVMediaSelection { AVMediaSelection(self) }
  /// The only selection, which is empty.
  public var allMediaSelections: [AVMediaSelection] { [preferredMediaSelection] }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  /// None: tracks are independent.
  public static var availableMediaCharacteristicsWithMediaSelectionOptions:
    AVAsyncProperty<Root, [AVMediaCharacteristic]>
  {
    AVAsyncProperty { asset throws(AVError) in
      _ = try asset.contents()
      return []
    }
  }
  /// The only selection, which is empty.
  public static var preferredMediaSelection: AVAsyncProperty<Root, AVMediaSelection> {
    AVAsyncProperty { $0.preferredMediaSelection }
  }
  /// The only selection, which is empty.
  public static var allMediaSelections: AVAsyncProperty<Root, [AVMediaSelection]> {
    AVAsyncProperty { $0.allMediaSelections }
  }
}
