public import MediaCore
import QuickTime
import Synchronization

/// Facts that hold for a stretch of time.
///
/// Unchecked because the compiler accepts `Sendable` of final classes only: its one property is a `Mutex`.
public class AVTimedMetadataGroup: @unchecked Sendable {
  private struct Contents {
    var items: [AVMetadataItem]
    var timeRange: CMTimeRange
  }

  private let contents: Mutex<Contents>

  /// Facts of a stretch of time; from its start to the next group where it has no length.
  public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
    contents = Mutex(Contents(items: items, timeRange: timeRange))
  }

  /// The facts.
  public fileprivate(set) var items: [AVMetadataItem] {
    get { contents.withLock { $0.items } }
    set { contents.withLock { $0.items = newValue } }
  }
  /// When they hold.
  public fileprivate(set) var timeRange: CMTimeRange {
    get { contents.withLock { $0.timeRange } }
    set { contents.withLock { $0.timeRange = newValue } }
  }

  /// A description for an input that takes groups like this one; nil if an item has no identifier or no value, or
  /// there is none.
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

/// Facts that a program may change.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds no stored property.
public final class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
  /// The facts.
  public override var items: [AVMetadataItem] {
    get { super.items }
    set { super.items = newValue }
  }
  /// When they hold.
  public override var timeRange: CMTimeRange {
    get { super.timeRange }
    set { super.timeRange = newValue }
  }
}

extension AVTimedMetadataGroup: Hashable {
  /// True for the same object.
  public static func == (lhs: AVTimedMetadataGroup, rhs: AVTimedMetadataGroup) -> Bool {
    lhs === rhs
  }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
