import TestSupport
import Testing

@testable import AVFoundationCompat

/// Fetch predicates as text.
struct FetchPredicateTests {
  private let values: [String: Any] = [
    "mediaType": PHAssetMediaType.video, "duration": 1.5, "pixelWidth": 1920, "isFavorite": true,
    "localIdentifier": "abc", "creationDate": Date(timeIntervalSinceReferenceDate: 100),
  ]

  private func holds(_ text: String, _ arguments: [Any] = []) throws -> Bool {
    var parser = FetchPredicateParser(text, arguments: arguments)
    return try parser.parse().holds { values[$0] }
  }

  @Test func predicate_comparisons_are_evaluated() throws {
    for text in [
      "mediaType == 2", "mediaType = 2", "duration > 1 AND duration < 2", "pixelWidth >= 1920",
      "(mediaType == 1 || mediaType == 2) && NOT (isFavorite == NO)", "!(isFavorite = false)",
      "mediaType IN {1, 2}", "duration BETWEEN {1, 2}", "localIdentifier BEGINSWITH 'ab'",
      "localIdentifier CONTAINS \"b\"", "localIdentifier ENDSWITH 'c'", "TRUEPREDICATE",
      "(pixelWidth & 128) != 0", "modificationDate == nil", "mediaType != 1 or FALSEPREDICATE",
      "pixelWidth > -1", "(duration) <= (1.5)",
    ] {
      #expect(try holds(text), "\(text)")
      #expect(try !holds("NOT (\(text))"), "\(text)")
    }
    for text in ["mediaType == 'x'", "iso == 3", "iso > 3", "isFavorite == NO AND mediaType == 2"] {
      #expect(try !holds(text), "\(text)")
    }
  }

  @Test func predicate_arguments_are_substituted_in_order() throws {
    let before = Date(timeIntervalSinceReferenceDate: 50)
    #expect(try holds("mediaType == %d AND creationDate > %@", [2, before]))
    #expect(try holds("%K == %ld", ["mediaType", PHAssetMediaType.video.rawValue]))
    #expect(try holds("mediaType IN %@", [[1, 2]]))
    #expect(try !holds("creationDate < %@", [before]))
    #expect(throws: AVError.self) { try holds("mediaType == %d") }
    #expect(throws: AVError.self) { try holds("mediaType == 1", [2]) }
    #expect(throws: AVError.self) { try holds("%K == 1", [3]) }
  }

  @Test func malformed_predicates_are_refused() {
    for text in [
      "", "mediaType ==", "== 1", "(mediaType == 1", "mediaType == 'x", "a ~ b", "mediaType == 1 1",
      "%", "NOT", "mediaType & x == 1", "mediaType IN {1", "1.2.3 == 1",
      String(repeating: "(", count: 5000) + "mediaType == 1", String(repeating: "!", count: 5000),
      String(repeating: "NOT (", count: 5000),
    ] {
      #expect(throws: AVError.self, "\(text.prefix(20))") { try holds(text) }
    }
  }

  @Test func unsupported_fetch_options_stay_false() {
    let options = PHFetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    options.wantsIncrementalChangeDetails = true
    #expect(!options.includeHiddenAssets && !options.includeAllBurstAssets)
    #expect(!options.wantsIncrementalChangeDetails && options.assetPredicate == nil)
    #expect(options.assetSortDescriptors.isEmpty && options.predicate == nil)
  }
}
