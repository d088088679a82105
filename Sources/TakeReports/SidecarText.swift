import FoundationEssentials

/// Produces the text of a sidecar piece by piece.
///
/// Most of it is the checksums of a long take. An encoder keeps more than a hundred bytes for each
/// of them until all are written; this keeps only one piece as text.
struct SidecarText: Sequence, IteratorProtocol {
  private typealias Checksums = TakeSidecar.Checksums

  /// Parts in sequence: text, or a list that is converted to text when its turn comes.
  private enum Part {
    case text(String)
    case rest([UInt8])
    case frames(ArraySlice<Checksums.Sum>)
    case runs(ArraySlice<Checksums.Run>)
  }

  /// The number of list entries in a piece.
  private static let pieceLength = 1024
  private var parts: [Part] = []
  private var place = 0

  /// Prepares the text: JSON with sorted keys.
  init(_ sidecar: TakeSidecar) throws {
    var facts = sidecar
    facts.checksums = nil
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = Array(try encoder.encode(facts)) + [UInt8(ascii: "\n")]
    guard let sums = sidecar.checksums else {
      parts = [.rest(text)]
      return
    }
    // "checksums" is the first key in sorted order, and never the only one.
    parts = [.text("{\n  \"checksums\" : ")] + Self.parts(of: sums)
    parts += [.text(","), .rest(Array(text.dropFirst()))]
  }

  private static func parts(of sums: Checksums) -> [Part] {
    var parts: [Part] = [.text("{\n    \"algorithm\" : \"\(Checksums.algorithmName)\",\n")]
    if let file = sums.file { parts.append(.text("    \"file\" : \"\(file)\",\n")) }
    parts += [.text("    \"frames\" : ["), .frames(sums.frames[...]), .text("\n    ],\n")]
    for (name, region) in [("head", sums.head), ("index", sums.index)] {
      guard let region else { continue }
      parts.append(
        .text(
          "    \"\(name)\" : {\n      \"byteCount\" : \(region.byteCount),\n      \"offset\" : "
            + "\(region.offset),\n      \"xxHash64\" : \"\(region.xxHash64)\"\n    },\n"))
    }
    parts.append(.text("    \"audio\" : ["))
    for (number, track) in sums.audio.enumerated() {
      parts += [
        .text((number > 0 ? "," : "") + "\n      {\n        \"runs\" : ["), .runs(track.runs[...]),
        .text("\n        ],\n        \"track\" : \(track.track)\n      }"),
      ]
    }
    return parts + [.text("\n    ]\n  }")]
  }

  mutating func next() -> [UInt8]? {
    guard place < parts.count else { return nil }
    switch parts[place] {
    case .text(let text):
      place += 1
      return Array(text.utf8)
    case .rest(let bytes):
      place += 1
      return bytes
    case .frames(let sums):
      let rest = sums.dropFirst(Self.pieceLength)
      parts[place] = .frames(rest)
      if rest.isEmpty { place += 1 }
      return Self.list(sums.prefix(Self.pieceLength), isLast: rest.isEmpty) { "\n      \"\($0)\"" }
    case .runs(let runs):
      let rest = runs.dropFirst(Self.pieceLength)
      parts[place] = .runs(rest)
      if rest.isEmpty { place += 1 }
      return Self.list(runs.prefix(Self.pieceLength), isLast: rest.isEmpty) { run in
        "\n          {\n            \"samples\" : \(run.samples),\n"
          + "            \"xxHash64\" : \"\(run.xxHash64)\"\n          }"
      }
    }
  }

  /// Joins entries with commas, and adds one after the last if more follow.
  private static func list<Entry>(
    _ entries: some Collection<Entry>, isLast: Bool, _ text: (Entry) -> String
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var left = entries.count
    for entry in entries {
      bytes += text(entry).utf8
      left -= 1
      if left > 0 || !isLast { bytes.append(UInt8(ascii: ",")) }
    }
    return bytes
  }
}
