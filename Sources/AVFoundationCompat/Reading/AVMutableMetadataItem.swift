public import Foundation
public import MediaCore
import QuickTime
import Synchronization

/// The key of an additional attribute.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The URI of the value, in place of the value.
  public static let valueURI = Self(rawValue: "URIValue")
  /// The base of a relative URI.
  public static let baseURI = Self(rawValue: "baseURI")
  /// Additional information, specific to the key space.
  public static let info = Self(rawValue: "info")
}

/// A metadata item that can be changed.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
  /// An item without key and value.
  public init() { super.init(Facts()) }

  /// The key space and key.
  public override var identifier: AVMetadataIdentifier? {
    get { super.identifier }
    set { facts.withLock { $0.identifier = newValue } }
  }
  public override var keySpace: AVMetadataKeySpace? {
    get { super.keySpace }
    set {
      let key = super.identifier?.parts?.key ?? AVMetadataKey(rawValue: "")
      identifier = newValue.map { AVMetadataIdentifier($0, key) }
    }
  }
  /// The key in its key space: a `String` or ``AVMetadataKey``.
  public override var key: Any? {
    get { super.key }
    set {
      let name =
        newValue as? AVMetadataKey ?? (newValue as? String).map { AVMetadataKey(rawValue: $0) }
      identifier = name.map { AVMetadataIdentifier(super.keySpace ?? .quickTimeMetadata, $0) }
    }
  }
  /// The value: a string, a number, a `Date` (stored as ISO 8601 text), or `Data`.
  public override var value: Any? {
    get { super.value }
    set {
      let value = newValue.flatMap(MovieMetadata.Value.init(any:))
      facts.withLock { facts in
        facts.value = value
        facts.misfit = value == nil ? newValue.map { "\(type(of: $0))" } : nil
      }
    }
  }
  /// The type of the value. Ignored: it is derived from the value.
  public override var dataType: String? {
    get { super.dataType }
    set { facts.withLock { $0.dataType = newValue } }
  }
  /// The language; nil for all.
  public override var extendedLanguageTag: String? {
    get { super.extendedLanguageTag }
    set { facts.withLock { $0.extendedLanguageTag = newValue } }
  }
  /// The locale of the text. Ignored: movies cannot store it.
  public override var locale: Locale? {
    get { super.locale }
    set { facts.withLock { $0.locale = newValue } }
  }
  /// When the item starts to be valid; invalid for always. Ignored: items are written with the range of their group.
  public override var time: CMTime {
    get { super.time }
    set { changeRange { $0.start = newValue } }
  }
  /// How long the item is valid. Ignored, like ``time``.
  public override var duration: CMTime {
    get { super.duration }
    set { changeRange { $0.duration = newValue } }
  }
  /// When the item starts to be valid. Ignored: movies cannot store it.
  public override var startDate: Date? {
    get { super.startDate }
    set { facts.withLock { $0.startDate = newValue } }
  }
  /// Additional attributes. Ignored: movies cannot store them.
  public override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
    get { super.extraAttributes }
    set {
      let kept = newValue.map(ExtraAttributes.init(values:))
      facts.withLock { $0.extraAttributes = kept }
    }
  }

  private func changeRange(_ change: (inout CMTimeRange) -> Void) {
    facts.withLock { facts in
      var range = facts.timeRange ?? .invalid
      change(&range)
      facts.timeRange = range
    }
  }
}
