/// The order of a take's movies by their names.
enum MovieOrder {
  /// True where the first of two paths comes first: `take.mov` before `take-002.mov`, `take-999.mov`
  /// before `take-1000.mov`.
  static func isBefore(_ first: String, _ second: String) -> Bool {
    let (a, b) = (FileName(first).stem, FileName(second).stem)
    return (a.utf8.count, a) < (b.utf8.count, b)
  }
}
