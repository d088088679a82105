public import Foundation
public import MediaCore
import QuickTime
import Synchronization

/// A metadata item of a movie: a value with a key.
///
/// Unchecked: the compiler verifies only final classes. The only stored property is a `Mutex`.
public class AVMetadataItem: AVAsynchronousKeyValueLoading, @unchecked Sendable {
  struct Facts: Sendable {
    var identifier: AVMetadataIdentifier?
    var value: MovieMetadata.Value?
    /// The type of a program's value that movies cannot store.
    var misfit: String?
    var extendedLanguageTag: String?
    var dataType: String?
    var locale: Locale?
    /// The range in which a timed metadata item is valid; nil for an item of the whole movie.
    var timeRange: CMTimeRange?
    var startDate: Date?
    var extraAttributes: ExtraAttributes?
  }

  /// Attributes that a program adds to an item.
  ///
  /// Unchecked: the values are of any type. They are only returned as they were set; nothing here uses them.
  struct ExtraAttributes: @unchecked Sendable {
    let values: [AVMetadataExtraAttributeKey: Any]
  }

  let facts: Mutex<Facts>

  init(_ facts: Facts) { self.facts = Mutex(facts) }

  /// The key space and key.
  public var identifier: AVMetadataIdentifier? { facts.withLock { $0.identifier } }
  public var keySpace: AVMetadataKeySpace? { identifier?.parts?.space }
  /// The key in its key space, as a string.
  public var key: Any? { identifier?.parts?.key.rawValue }
  /// The key common to all containers; nil if there is none.
  public var commonKey: AVMetadataKey? {
    guard let parts = identifier?.parts else { return nil }
    if parts.space == .common { return parts.key }
    return parts.space == .quickTimeMetadata
      ? Self.commonKeys.first { $0.value == parts.key }?.key : nil
  }
  /// The value: a `String`, an `NSNumber`, or `Data`.
  public var value: Any? { sendableValue }
  fileprivate var sendableValue: (any Sendable)? {
    switch facts.withLock({ $0.value }) {
    case .text(let text)?: text
    case .integer(let number)?: NSNumber(value: number)
    case .number(let number)?: NSNumber(value: number)
    case .data(_, let bytes)?: Data(bytes)
    case nil: nil
    }
  }
  /// The value as a string; nil for data.
  public var stringValue: String? {
    switch facts.withLock({ $0.value }) {
    case .text(let text)?: text
    case .integer(let number)?: "\(number)"
    case .number(let number)?: "\(number)"
    case .data?, nil: nil
    }
  }
  /// The value as a number; nil for data and for text that is not a number.
  public var numberValue: NSNumber? {
    switch facts.withLock({ $0.value }) {
    case .text(let text)?: Double(text).map { NSNumber(value: $0) }
    case .integer(let number)?: NSNumber(value: number)
    case .number(let number)?: NSNumber(value: number)
    case .data?, nil: nil
    }
  }
  /// The value as a date; nil unless it is an ISO 8601 string.
  public var dateValue: Date? { stringValue.flatMap(MetadataDate.date) }
  /// The value's bytes; nil for strings and numbers.
  public var dataValue: Data? {
    if case .data(_, let bytes)? = facts.withLock({ $0.value }) { Data(bytes) } else { nil }
  }
  /// The type of the value, if it was set; otherwise nil.
  public var dataType: String? { facts.withLock { $0.dataType } }
  /// The language; nil for all.
  public var extendedLanguageTag: String? { facts.withLock { $0.extendedLanguageTag } }
  /// The locale of the text, if a program set it; nil for items that were read. Movies cannot store it.
  public var locale: Locale? { facts.withLock { $0.locale } }
  /// When a timed metadata item starts to be valid; invalid for an item of the whole movie.
  public var time: CMTime { facts.withLock { $0.timeRange }?.start ?? .invalid }

  /// How long a timed metadata item is valid; invalid for an item of the whole movie.
  public var duration: CMTime { facts.withLock { $0.timeRange }?.duration ?? .invalid }
  /// When an item starts to be valid, if a program set it; nil for items that were read. Movies cannot store it.
  public var startDate: Date? { facts.withLock { $0.startDate } }
  /// Attributes that a program set; nil for items that were read. Movies cannot store them.
  public var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
    facts.withLock { $0.extraAttributes }?.values
  }

  /// The items with an identifier.
  public static func metadataItems(
    from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
  ) -> [AVMetadataItem] {
    metadataItems.filter { item in
      if item.identifier == identifier { return true }
      guard let parts = identifier.parts, parts.space == .common else { return false }
      return item.commonKey == parts.key
    }
  }

  /// The items with a key, a `String` or ``AVMetadataKey``, in a key space; nil for any.
  public static func metadataItems(
    from metadataItems: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
  ) -> [AVMetadataItem] {
    let wanted = (key as? AVMetadataKey)?.rawValue ?? key as? String
    return metadataItems.filter { item in
      let isCommon = keySpace == .common
      let name = isCommon ? item.commonKey?.rawValue : item.key as? String
      return (wanted == nil || name == wanted)
        && (isCommon ? name != nil : keySpace == nil || item.keySpace == keySpace)
    }
  }

  /// The identifier of a key in a key space; nil if the key is not a string.
  public static func identifier(
    forKey key: Any, keySpace: AVMetadataKeySpace
  ) -> AVMetadataIdentifier? {
    let name = key as? AVMetadataKey ?? (key as? String).map { AVMetadataKey(rawValue: $0) }
    return name.map { AVMetadataIdentifier(keySpace, $0) }
  }

  /// The QuickTime keys of common keys.
  static let commonKeys: [AVMetadataKey: AVMetadataKey] = [
    .commonKeyTitle: .quickTimeMetadataKeyTitle, .commonKeyArtist: .quickTimeMetadataKeyArtist,
    .commonKeyAuthor: .quickTimeMetadataKeyAuthor,
    .commonKeyDescription: .quickTimeMetadataKeyDescription,
    .commonKeyCreationDate: .quickTimeMetadataKeyCreationDate,
    .commonKeyCopyrights: .quickTimeMetadataKeyCopyright,
    .commonKeyMake: .quickTimeMetadataKeyMake, .commonKeyModel: .quickTimeMetadataKeyModel,
    .commonKeySoftware: .quickTimeMetadataKeySoftware,
    .commonKeyLocation: .quickTimeMetadataKeyLocationISO6709,
  ]
}

extension AVMetadataItem: Hashable {
  public static func == (lhs: AVMetadataItem, rhs: AVMetadataItem) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
  /// The value: a `String`, an `NSNumber`, or `Data`.
  public static var value: AVAsyncProperty<Root, (any Sendable)?> {
    AVAsyncProperty { $0.sendableValue }
  }
  /// The value as a string; nil for data.
  public static var stringValue: AVAsyncProperty<Root, String?> {
    AVAsyncProperty { $0.stringValue }
  }
  /// The value as a number.
  public static var numberValue: AVAsyncProperty<Root, NSNumber?> {
    AVAsyncProperty { $0.numberValue }
  }
  /// The value as a date.
  public static var dateValue: AVAsyncProperty<Root, Date?> { AVAsyncProperty { $0.dateValue } }
  /// The value's bytes.
  public static var dataValue: AVAsyncProperty<Root, Data?> { AVAsyncProperty { $0.dataValue } }
}
