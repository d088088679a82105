extension String {
  /// True if the path sorts before another one. Bytes are compared, as distinct paths may be equal
  /// as Strings.
  func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
