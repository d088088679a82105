public import MediaCore
import QuickTime
import Synchronization

/// Metadata items that are valid in a time range.
///
/// Unchecked: the compiler verifies only final classes. The only stored property is a `Mutex`.
public class AVTimedMetadataGroup: @unchecked Sendable {
  private struct Contents {
    var items: [AVMetadataItem]
    var timeRange: CMTimeRange
  }

  private let contents: Mutex<Contents>

  /// A group of items. If the range has no duration, it ends where the next group starts.
  public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
    contents = Mutex(Contents(items: items, timeRange: timeRange))
  }

  public fileprivate(set) var items: [AVMetadataItem] {
    get { contents.withLock { $0.items } }
    set { contents.withLock { $0.items = newValue } }
  }
  /// The range in which the items are valid.
  public fileprivate(set) var timeRange: CMTimeRange {
    get { contents.withLock { $0.timeRange } }
    set { contents.withLock { $0.timeRange = newValue } }
  }

  /// A description for a writer input that takes groups like this one; nil if the group is empty, or an item has no
  /// identifier or value.
  public func copyFormatDescription() -> CMMetadataFormatDescription? {
    let items = items
    let keys = items.compactMap { item -> MetadataFormatDescription.Key? in
      let facts = item.facts.withLock { $0 }
      guard let identifier = facts.identifier, let value = facts.value else { return nil }
      return MetadataFormatDescription.Key(
        identifier: identifier.rawValue,
        dataType: facts.dataType ?? MetadataValues.name(for: value))
    }
    guard !keys.isEmpty, keys.count == items.count else { return nil }
    return .metadata(MetadataFormatDescription(keys: keys))
  }
}

/// A timed metadata group that can be changed.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
  public override var items: [AVMetadataItem] {
    get { super.items }
    set { super.items = newValue }
  }
  /// The range in which the items are valid.
  public override var timeRange: CMTimeRange {
    get { super.timeRange }
    set { super.timeRange = newValue }
  }
}

extension AVTimedMetadataGroup: Hashable {
  public static func == (lhs: AVTimedMetadataGroup, rhs: AVTimedMetadataGroup) -> Bool {
    lhs === rhs
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
