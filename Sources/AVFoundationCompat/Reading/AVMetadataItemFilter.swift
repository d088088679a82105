/// Leaves out what a file says of people.
public final class AVMetadataItemFilter: Sendable {
  private init() {}

  /// A filter that leaves titles, descriptions, rights, dates and what names cameras and programs. Places, names
  /// and what is not known go.
  public static func forSharing() -> AVMetadataItemFilter { AVMetadataItemFilter() }

  private static let kept: Set<AVMetadataKey> = [
    .commonKeyTitle, .commonKeyDescription, .commonKeyCopyrights, .commonKeyCreationDate,
    .commonKeyMake, .commonKeyModel, .commonKeySoftware,
  ]

  /// The items that stay, and the names of those that go.
  func apply(to items: [AVMetadataItem]) -> (kept: [AVMetadataItem], dropped: [String]) {
    let kept = items.filter { $0.commonKey.map(Self.kept.contains) ?? false }
    let dropped = items.filter { item in !kept.contains { $0 === item } }
    return (kept, dropped.map { $0.identifier?.rawValue ?? "an item without a name" })
  }
}
