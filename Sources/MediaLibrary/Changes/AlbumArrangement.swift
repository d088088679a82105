import MediaCore

/// The assets of an album while a change block arranges them by their places.
struct AlbumArrangement {
  private(set) var assets: [String]

  /// Carries out a step that goes by places.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidArgument`` for places that the album has not.
  mutating func apply(_ step: AlbumChangeRequest.Step) throws(MediaLibraryError) {
    switch step {
    case .add, .remove: break
    case .insert(let given, let indexes): try insert(given, at: indexes)
    case .removeAt(let indexes): _ = try take(indexes)
    case .replace(let indexes, let given): try replace(indexes, with: given)
    case .move(let indexes, let place):
      let moved = try take(indexes)
      guard (0...assets.count).contains(place) else { throw beyond(place) }
      assets.insert(contentsOf: moved, at: place)
    }
  }

  private mutating func insert(
    _ given: [String], at indexes: [Int]
  ) throws(MediaLibraryError) {
    guard given.count == indexes.count else { throw mismatch(indexes.count, given.count) }
    var present = Set(assets)
    for (asset, place) in zip(given, indexes) where present.insert(asset).inserted {
      guard (0...assets.count).contains(place) else { throw beyond(place) }
      assets.insert(asset, at: place)
    }
  }

  private mutating func replace(
    _ indexes: [Int], with given: [String]
  ) throws(MediaLibraryError) {
    guard given.count == indexes.count else { throw mismatch(indexes.count, given.count) }
    var replaced = assets
    for (asset, place) in zip(given, indexes) {
      guard assets.indices.contains(place) else { throw beyond(place) }
      replaced[place] = asset
    }
    guard Set(replaced).count == replaced.count else {
      throw MediaLibraryError(
        .invalidArgument, "an album has an asset once; take it away from its other place first")
    }
    assets = replaced
  }

  /// Takes assets out.
  private mutating func take(_ indexes: [Int]) throws(MediaLibraryError) -> [String] {
    let places = Set(indexes)
    if let wrong = places.first(where: { !assets.indices.contains($0) }) { throw beyond(wrong) }
    let taken = places.sorted().map { assets[$0] }
    assets = assets.indices.filter { !places.contains($0) }.map { assets[$0] }
    return taken
  }

  private func beyond(_ place: Int) -> MediaLibraryError {
    MediaLibraryError(
      .invalidArgument, "the album has \(assets.count) assets, and no place \(place)")
  }

  private func mismatch(_ places: Int, _ assets: Int) -> MediaLibraryError {
    MediaLibraryError(.invalidArgument, "\(places) places for \(assets) assets")
  }
}
