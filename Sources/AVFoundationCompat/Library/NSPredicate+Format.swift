public import Foundation
import Synchronization

extension NSPredicate {
  /// A predicate from its text, as PhotoKit's fetch options take it. `docs/avfoundation.md` lists the supported
  /// syntax.
  ///
  /// Invalid text matches nothing, and a fetch with it has an `error`; Apple's framework stops the program.
  public convenience init(format predicateFormat: String, _ args: Any...) {
    self.init(format: predicateFormat, argumentArray: args)
  }

  /// Same as `init(format:_:)`.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    var parser = FetchPredicateParser(predicateFormat, arguments: arguments ?? [])
    let parsed = Result { () throws(AVError) in try parser.parse() }
    // Never changed after this line. Its constants are values, or objects that the caller handed over.
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

  /// The parsed text; nil for a predicate that was not made from text.
  var parsed: Result<FetchPredicate, AVError>? {
    let question = ParsedPredicateQuestion()
    _ = evaluate(with: question)
    return question.answer
  }
}

/// Passed to a predicate to get what it was parsed to.
private final class ParsedPredicateQuestion {
  var answer: Result<FetchPredicate, AVError>?
}

extension PHAsset {
  /// The keys that predicates and sort descriptors may use.
  static let keys = [
    "localIdentifier", "mediaType", "mediaSubtypes", "creationDate", "modificationDate",
    "isFavorite", "favorite", "pixelWidth", "pixelHeight", "duration",
  ]

  /// The value for a key; nil for an unknown key.
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
}
