/// Removes personal metadata.
public final class AVMetadataItemFilter: Sendable {
  private init() {}

  /// A filter that keeps titles, descriptions, copyrights, dates, and the camera and software. It removes
  /// locations, people's names, and items with unknown keys.
  public static func forSharing() -> AVMetadataItemFilter { AVMetadataItemFilter() }

  private static let kept: Set<AVMetadataKey> = [
    .commonKeyTitle, .commonKeyDescription, .commonKeyCopyrights, .commonKeyCreationDate,
    .commonKeyMake, .commonKeyModel, .commonKeySoftware,
  ]

  /// The items that stay, and the identifiers of those removed.
  func apply(to items: [AVMetadataItem]) -> (kept: [AVMetadataItem], dropped: [String]) {
    var (kept, dropped): ([AVMetadataItem], [String]) = ([], [])
    for item in items {
      if item.commonKey.map(Self.kept.contains) ?? false {
        kept.append(item)
      } else {
        dropped.append(item.identifier?.rawValue ?? "an item without an identifier")
      }
    }
    return (kept, dropped)
  }
}
