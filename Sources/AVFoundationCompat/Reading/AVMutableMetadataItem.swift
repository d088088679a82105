public import Foundation
public import MediaCore
import QuickTime
import Synchronization

/// The name of what is said beside a value.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Sendable, Hashable {
  /// Apple's text.
  public let rawValue: String
  /// A name from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A name from its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Where the value is, in place of the value.
  public static let valueURI = Self(rawValue: "URIValue")
  /// What a relative address of a value begins from.
  public static let baseURI = Self(rawValue: "baseURI")
  /// More on the value, of a key space's own.
  public static let info = Self(rawValue: "info")
}

/// A fact that a program makes.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds no stored property.
public final class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
  /// A fact without key and value.
  public init() { super.init(Facts()) }

  /// The key space and the key.
  public override var identifier: AVMetadataIdentifier? {
    get { super.identifier }
    set { facts.withLock { $0.identifier = newValue } }
  }
  /// The space that the key is of.
  public override var keySpace: AVMetadataKeySpace? {
    get { super.keySpace }
    set {
      let key = super.identifier?.parts?.key ?? AVMetadataKey(rawValue: "")
      identifier = newValue.map { AVMetadataIdentifier($0, key) }
    }
  }
  /// The key in its space: a text or an ``AVMetadataKey``.
  public override var key: Any? {
    get { super.key }
    set {
      let name =
        newValue as? AVMetadataKey ?? (newValue as? String).map { AVMetadataKey(rawValue: $0) }
      identifier = name.map { AVMetadataIdentifier(super.keySpace ?? .quickTimeMetadata, $0) }
    }
  }
  /// The value: text, a number, a `Date` (stored as text by ISO 8601), or `Data`.
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
  /// The type of the value, as text. Ignored: the value says what it is.
  public override var dataType: String? {
    get { super.dataType }
    set { facts.withLock { $0.dataType = newValue } }
  }
  /// The language; nil for all.
  public override var extendedLanguageTag: String? {
    get { super.extendedLanguageTag }
    set { facts.withLock { $0.extendedLanguageTag = newValue } }
  }
  /// The place whose customs the text follows. Ignored: no movie has it.
  public override var locale: Locale? {
    get { super.locale }
    set { facts.withLock { $0.locale = newValue } }
  }
  /// From when on it holds; invalid for always. Ignored: what is written holds for the time of its group.
  public override var time: CMTime {
    get { super.time }
    set { changeRange { $0.start = newValue } }
  }
  /// How long it holds. Ignored, as ``time`` is.
  public override var duration: CMTime {
    get { super.duration }
    set { changeRange { $0.duration = newValue } }
  }
  /// When it begins to hold. Ignored: no movie has it.
  public override var startDate: Date? {
    get { super.startDate }
    set { facts.withLock { $0.startDate = newValue } }
  }
  /// What else a program has to say. Ignored: no movie has it.
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
