import Testing

/// Edit lists of QuickTime and MPEG-4 files, for tests that replace them.
package enum EditList {
  /// An entry: its duration in the movie's timescale, its start in the media in the track's
  /// timescale (-1 for a gap), and its playback rate.
  package typealias Entry = (length: Int, first: Int, rate: Int)

  /// A file with a new edit list in its last track that has one. The index must follow the media,
  /// so no media offset changes.
  package static func replaced(in file: [UInt8], by edits: [Entry]) throws -> [UInt8] {
    var bytes = file
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    func place(_ name: String, before end: Int) throws -> Int {
      let code = Array(name.utf8)
      return try #require(bytes.indices.last { $0 < end && bytes[$0...].starts(with: code) }) - 4
    }
    func size(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let list =
      number(0) + number(edits.count)
      + edits.flatMap { number($0.length) + number($0.first) + number($0.rate << 16) }
    let atom =
      number(16 + list.count) + Array("edts".utf8) + number(8 + list.count) + Array("elst".utf8)
      + list
    let old = try place("edts", before: bytes.count)
    let grown = atom.count - size(old)
    bytes.replaceSubrange(old..<old + size(old), with: atom)
    for name in ["trak", "moov"] {
      let place = try place(name, before: old)
      bytes.replaceSubrange(place..<place + 4, with: number(size(place) + grown))
    }
    return bytes
  }
}
