import AssetReader
public import Foundation
import MediaCore

extension AVAsset {
  /// One without a language, if the file has chapters: which language they are in is not known.
  public var availableChapterLocales: [Locale] {
    (try? contents())?.chapters.isEmpty == false ? [Locale(identifier: "und")] : []
  }

  /// The chapters, each with its title, in order of time. A chapter lasts to the next one, the last to the end.
  ///
  /// - Parameters:
  ///   - locale: Any: titles have no language here.
  ///   - commonKeys: What is wanted of a chapter; titles are all that there is. Empty for everything.
  public func chapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
  ) -> [AVTimedMetadataGroup] {
    let isTitled = commonKeys.isEmpty || commonKeys.contains(.commonKeyTitle)
    return (try? contents())?.chapterGroups(isTitled: isTitled) ?? []
  }

  /// The chapters, as ``chapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)``, whatever the
  /// languages.
  public func chapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String]
  ) -> [AVTimedMetadataGroup] { (try? contents())?.chapterGroups() ?? [] }

  /// The chapters, as ``chapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)``.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadChapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
  ) async throws -> [AVTimedMetadataGroup] {
    let isTitled = commonKeys.isEmpty || commonKeys.contains(.commonKeyTitle)
    return try await loaded { asset throws(AVError) in
      try asset.contents().chapterGroups(isTitled: isTitled)
    }
  }

  /// The chapters, as ``chapterMetadataGroups(bestMatchingPreferredLanguages:)``.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String]
  ) async throws -> [AVTimedMetadataGroup] {
    try await loaded { asset throws(AVError) in try asset.contents().chapterGroups() }
  }
}

extension AVAsset.Contents {
  /// A group of facts for each chapter: its title, unless it has none.
  func chapterGroups(isTitled: Bool = true) -> [AVTimedMetadataGroup] {
    let ends = chapters.dropFirst().map(\.start) + [duration]
    return zip(chapters, ends).map { chapter, end in
      let range =
        end.isNumeric && end > chapter.start
        ? CMTimeRange(start: chapter.start, end: end)
        : CMTimeRange(start: chapter.start, duration: .zero)
      let title = AVMetadataItem.Facts(
        identifier: .commonIdentifierTitle, value: .text(chapter.title), timeRange: range)
      let items = isTitled && !chapter.title.isEmpty ? [AVMetadataItem(title)] : []
      return AVTimedMetadataGroup(items: items, timeRange: range)
    }
  }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  /// One without a language, if the file has chapters.
  public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
    AVAsyncProperty { asset throws(AVError) in
      _ = try asset.contents()
      return asset.availableChapterLocales
    }
  }
}
