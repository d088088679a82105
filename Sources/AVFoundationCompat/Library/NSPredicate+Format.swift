public import Foundation
import Synchronization

extension NSPredicate {
  /// A predicate from its text, as fetch options of PhotoKit take: see docs/avfoundation.md for its words.
  ///
  /// Text that cannot be read, for which Apple's stops the program, holds for nothing; a fetch with it has an
  /// `error`.
  public convenience init(format predicateFormat: String, _ args: Any...) {
    self.init(format: predicateFormat, argumentArray: args)
  }

  /// As `init(format:_:)`.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    var parser = FetchPredicateParser(predicateFormat, arguments: arguments ?? [])
    let parsed = Result { () throws(AVError) in try parser.parse() }
    // Never changed after this line; its constants are values, or objects that the program gave away.
    nonisolated(unsafe) let kept = parsed
    self.init { object, _ in
      if let question = object as? ParsedPredicateQuestion {
        question.answer = kept
        return true
      }
      guard let predicate = try? kept.get() else { return false }
      switch object {
      case let asset as PHAsset: return predicate.holds { asset.value($0) }
      case let album as PHAssetCollection: return predicate.holds(album.value)
      default: return false
      }
    }
  }

  /// What the text was read as; nil for a predicate that was not made from text.
  var parsed: Result<FetchPredicate, AVError>? {
    let question = ParsedPredicateQuestion()
    _ = evaluate(with: question)
    return question.answer
  }
}

/// Asks a predicate what it was made from.
private final class ParsedPredicateQuestion {
  var answer: Result<FetchPredicate, AVError>?
}

extension PHAsset {
  /// The keys that predicates and sort descriptors may name.
  static let keys = [
    "localIdentifier", "mediaType", "mediaSubtypes", "creationDate", "modificationDate",
    "isFavorite", "favorite", "pixelWidth", "pixelHeight", "duration",
  ]

  /// A value by its key; nil for another.
  func value(_ key: String) -> Any? {
    switch key {
    case "localIdentifier": localIdentifier
    case "mediaType": mediaType.rawValue
    case "mediaSubtypes": 0
    case "creationDate": creationDate
    case "modificationDate": modificationDate
    case "isFavorite", "favorite": isFavorite
    case "pixelWidth": pixelWidth
    case "pixelHeight": pixelHeight
    case "duration": duration
    default: nil
    }
  }

  fileprivate var creationSeconds: Double {
    creationDate?.timeIntervalSinceReferenceDate ?? 0
  }
  fileprivate var modificationSeconds: Double {
    modificationDate?.timeIntervalSinceReferenceDate ?? 0
  }
  fileprivate var favoriteNumber: Int { isFavorite ? 1 : 0 }
  fileprivate var mediaTypeNumber: Int { mediaType.rawValue }
  fileprivate var unknown: Int { 0 }
}

extension NSSortDescriptor {
  /// An order by a key of assets. A key that assets do not have leaves their order alone.
  public convenience init(key: String?, ascending: Bool) {
    switch key {
    case "creationDate": self.init(keyPath: \PHAsset.creationSeconds, ascending: ascending)
    case "modificationDate":
      self.init(keyPath: \PHAsset.modificationSeconds, ascending: ascending)
    case "duration": self.init(keyPath: \PHAsset.duration, ascending: ascending)
    case "pixelWidth": self.init(keyPath: \PHAsset.pixelWidth, ascending: ascending)
    case "pixelHeight": self.init(keyPath: \PHAsset.pixelHeight, ascending: ascending)
    case "mediaType": self.init(keyPath: \PHAsset.mediaTypeNumber, ascending: ascending)
    case "isFavorite", "favorite":
      self.init(keyPath: \PHAsset.favoriteNumber, ascending: ascending)
    case "localIdentifier": self.init(keyPath: \PHAsset.localIdentifier, ascending: ascending)
    default: self.init(keyPath: \PHAsset.unknown, ascending: ascending)
    }
  }
}
