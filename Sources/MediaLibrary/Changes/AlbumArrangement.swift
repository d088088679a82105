import MediaCore

/// An album's assets while a change block arranges them by position.
struct AlbumArrangement {
  private(set) var assets: [String]

  /// Performs a step that uses positions.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidArgument`` for positions that the album does not
  ///   have.
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
        .invalidArgument, "an album contains an asset only once; remove the other one first")
    }
    assets = replaced
  }

  /// Removes assets and returns them.
  private mutating func take(_ indexes: [Int]) throws(MediaLibraryError) -> [String] {
    let places = Set(indexes)
    if let wrong = places.first(where: { !assets.indices.contains($0) }) { throw beyond(wrong) }
    let taken = places.sorted().map { assets[$0] }
    assets = assets.indices.filter { !places.contains($0) }.map { assets[$0] }
    return taken
  }

  private func beyond(_ place: Int) -> MediaLibraryError {
    MediaLibraryError(
      .invalidArgument, "the album has \(assets.count) assets, but no position \(place)")
  }

  private func mismatch(_ places: Int, _ assets: Int) -> MediaLibraryError {
    MediaLibraryError(.invalidArgument, "\(places) positions for \(assets) assets")
  }
}
