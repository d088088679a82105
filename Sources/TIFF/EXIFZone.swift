/// EXIF's offset from universal time, as `OffsetTimeOriginal` has it: `+09:00`.
package enum EXIFZone {
  /// Seconds east of Greenwich; nil for any other text.
  package static func seconds(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":").map { Int($0) }
    guard text.first == "+" || text.first == "-", parts.count == 2, let hours = parts[0],
      let minutes = parts[1], (0...23).contains(hours), (0...59).contains(minutes)
    else { return nil }
    return (text.first == "-" ? -60 : 60) * (60 * hours + minutes)
  }
}
