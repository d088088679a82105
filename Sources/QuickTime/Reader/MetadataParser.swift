import MediaCore

/// Reads a `meta` atom with handler `mdta`.
enum MetadataParser {
  /// The items of a complete `meta` atom; none if it is empty or damaged.
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
      let value = MovieMetadata.Value(type: type, bytes: try data.raw(data.remaining))
      metadata.items.append(MovieMetadata.Item(key: names[number - 1], value: value))
    }
    return metadata
  }
}

extension MovieMetadata.Value {
  /// The value of bytes: as they are, where they are too many or too few for their type, of a type that is not known
  /// here, and of numbers that 64 bits with a sign do not hold.
  ///
  /// - Parameters:
  ///   - type: A number of QTFF's "well-known types".
  ///   - bytes: The value as a file has it.
  public init(type: UInt32, bytes: [UInt8]) {
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch (type, bytes.count) {
    case (1, _): self = .text(String(decoding: bytes, as: UTF8.self))
    case (21, 1...8), (65, 1), (66, 2), (67, 4), (74, 8):
      let shift = UInt64(64 - 8 * bytes.count)
      self = .integer(Int64(bitPattern: bits << shift) >> Int64(shift))
    case (22, 1...7), (75, 1), (76, 2), (77, 4): self = .integer(Int64(bits))
    case (78, 8) where bits <= UInt64(Int64.max): self = .integer(Int64(bits))
    case (23, 4): self = .number(Double(Float(bitPattern: UInt32(bits))))
    case (24, 8): self = .number(Double(bitPattern: bits))
    default: self = .data(type: type, bytes: bytes)
    }
  }
}
