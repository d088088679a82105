/// EXIF's offset from universal time, as `OffsetTimeOriginal` has it: `+09:00`.
///
/// No place on earth is further from Greenwich than 14 hours, and `TimeZone` does not take each offset beyond.
package enum EXIFZone {
  /// Seconds east of Greenwich, 14 hours at most in both directions; nil for any other text.
  package static func seconds(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":").map { Int($0) }
    guard text.first == "+" || text.first == "-", parts.count == 2, let hours = parts[0],
      let minutes = parts[1], (0...14).contains(hours), (0...59).contains(minutes),
      60 * hours + minutes <= 14 * 60
    else { return nil }
    return (text.first == "-" ? -60 : 60) * (60 * hours + minutes)
  }
}
