import AssetReader
public import Foundation
import MediaCore

extension AVAsset {
  /// An undetermined locale if the file has chapters: their language is unknown.
  public var availableChapterLocales: [Locale] {
    (try? contents())?.chapters.isEmpty == false ? [Locale(identifier: "und")] : []
  }

  /// The chapters in time order, each with its title. A chapter ends where the next one starts; the last one ends
  /// with the asset.
  ///
  /// - Parameters:
  ///   - locale: Ignored: titles have no language here.
  ///   - commonKeys: Which items to return; only titles exist. Empty for all.
  public func chapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
  ) -> [AVTimedMetadataGroup] {
    let isTitled = commonKeys.isEmpty || commonKeys.contains(.commonKeyTitle)
    return (try? contents())?.chapterGroups(isTitled: isTitled) ?? []
  }

  /// The chapters, like ``chapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)``, in any language.
  public func chapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String]
  ) -> [AVTimedMetadataGroup] { (try? contents())?.chapterGroups() ?? [] }

  /// The chapters, see ``chapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)``.
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

  /// The chapters, see ``chapterMetadataGroups(bestMatchingPreferredLanguages:)``.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String]
  ) async throws -> [AVTimedMetadataGroup] {
    try await loaded { asset throws(AVError) in try asset.contents().chapterGroups() }
  }
}

extension AVAsset.Contents {
  /// A group for each chapter, with its title if it has one.
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
  /// An undetermined locale if the file has chapters.
  public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
    AVAsyncProperty { asset throws(AVError) in
      _ = try asset.contents()
      return asset.availableChapterLocales
    }
  }
}
