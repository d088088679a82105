import Foundation
import MediaLibrary

/// Questions that people ask a library, and how long the answers take: all results in order, and the first
/// hundred.
enum Questions {
  static func ask(_ library: PhotoLibrary) async throws {
    print("question                       found   median ms  of processor")
    for album in AssetCollection.SmartAlbum.allCases {
      try await ask("album \(album.rawValue)") { try library.fetchAssets(in: album) }
    }
    for text in [
      "A150C1234", "C1007", "A101", "2999x1000", "R2EC", "prores", "r2", "no such thing",
    ] {
      try await ask("search \(text)") {
        try library.fetchAssets(with: FetchOptions(predicate: .text(text)))
      }
    }
    let newest = FetchOptions(
      predicate: .all([.mediaType(.video), .widthAtLeast(1920)]),
      sortDescriptors: [AssetSortDescriptor(key: .size, ascending: false)])
    try await ask("videos by size") { try library.fetchAssets(with: newest) }
  }

  private static func ask(_ question: String, _ fetch: () throws -> FetchResult) async throws {
    var found = 0
    let time = try await Measure.milliseconds {
      let result = try fetch()  // All results, in order.
      found = result.count
      _ = try result.objects(in: 0..<100)
    }
    let name = question.padding(toLength: 28, withPad: " ", startingAt: 0)
    print(
      name, String(format: "%7d  %9.2f  %12.2f", found, time.clock, time.processor),
      time.clock < 50 ? "" : "  over 50 ms")
  }
}
