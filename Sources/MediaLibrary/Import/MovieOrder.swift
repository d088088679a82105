/// The order of a take's movies, by name.
enum MovieOrder {
  /// True if the first path precedes the second: `take.mov` before `take-002.mov`, `take-999.mov`
  /// before `take-1000.mov`.
  static func isBefore(_ first: String, _ second: String) -> Bool {
    let (a, b) = (FileName(first).stem, FileName(second).stem)
    return (a.utf8.count, a) < (b.utf8.count, b)
  }
}
