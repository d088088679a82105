import MediaCore

/// Reads a `meta` atom with handler `mdta`.
enum MetadataParser {
  /// What can be read of a complete `meta` atom; nothing of an empty or a damaged one.
  static func parse(_ bytes: [UInt8]) -> MovieMetadata {
    var outer = AtomReader(bytes, type: "moov")
    guard let meta = try? outer.next() else { return MovieMetadata() }
    // ISO files have a version and flags before the first atom, QuickTime files have none.
    var iso = meta
    try? iso.skip(4)
    return (try? items(meta)) ?? (try? items(iso)) ?? MovieMetadata()
  }

  private static func items(_ meta: AtomReader) throws(QuickTimeError) -> MovieMetadata? {
    guard var handler = try meta.first("hdlr"), var keys = try meta.first("keys"),
      var list = try meta.first("ilst")
    else { return nil }
    try handler.skip(8)
    guard try handler.code() == "mdta" else { return nil }
    try keys.skip(8)
    var names: [String] = []
    while var key = try keys.next() {
      names.append(String(decoding: try key.raw(key.remaining), as: UTF8.self))
    }
    var metadata = MovieMetadata()
    while let item = try list.next() {
      let number = Int(item.type.rawValue)
      guard (1...max(names.count, 1)).contains(number), number <= names.count,
        var data = try item.first("data")
      else { continue }
      let type = try data.uint32()
      try data.skip(4)
      let value = value(type: type, try data.raw(data.remaining))
      metadata.items.append(MovieMetadata.Item(key: names[number - 1], value: value))
    }
    return metadata
  }

  private static func value(type: UInt32, _ bytes: [UInt8]) -> MovieMetadata.Value {
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch (type, bytes.count) {
    case (1, _): return .text(String(decoding: bytes, as: UTF8.self))
    case (21, 1...8), (65, 1), (66, 2), (67, 4), (74, 8):
      let shift = UInt64(64 - 8 * bytes.count)
      return .integer(Int64(bitPattern: bits << shift) >> Int64(shift))
    case (22, 1...7), (75, 1), (76, 2), (77, 4): return .integer(Int64(bits))
    case (23, 4): return .number(Double(Float(bitPattern: UInt32(bits))))
    case (24, 8): return .number(Double(bitPattern: bits))
    default: return .data(type: type, bytes: bytes)
    }
  }
}
