import QuickTime

/// How many of a file's copies were told to be given up.
struct LostCopies {
  private var count = 0

  /// Copies that were given up since the last call.
  mutating func take(from file: any MovieFile) -> [MovieFileCopy] {
    let lost = file.copies.filter { !$0.isWhole }
    defer { count = lost.count }
    return Array(lost.dropFirst(count))
  }
}
