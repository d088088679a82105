extension String {
  /// True for a path that comes before another one: by their bytes, by which no two are the same.
  func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
