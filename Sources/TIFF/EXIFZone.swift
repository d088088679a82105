/// Parses EXIF's offset from UTC, as in `OffsetTimeOriginal`: `+09:00`.
///
/// No zone is more than 14 hours from UTC, and `TimeZone` does not accept every offset beyond.
package enum EXIFZone {
  /// Seconds east of Greenwich, at most 14 hours in either direction; nil for any other text.
  package static func seconds(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":").map { Int($0) }
    guard text.first == "+" || text.first == "-", parts.count == 2, let hours = parts[0],
      let minutes = parts[1], (0...14).contains(hours), (0...59).contains(minutes),
      60 * hours + minutes <= 14 * 60
    else { return nil }
    return (text.first == "-" ? -60 : 60) * (60 * hours + minutes)
  }
}
