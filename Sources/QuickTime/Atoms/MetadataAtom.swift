import MediaCore

extension AtomWriter {
  /// The movie's `meta` atom with handler `mdta`: keys, then one item for each.
  mutating func metadata(_ metadata: MovieMetadata) {
    guard !metadata.items.isEmpty else { return }
    atom("meta") { meta in
      meta.fullAtom("hdlr") { atom in
        atom.uint32(0)
        atom.code("mdta")
        atom.zeros(12)
        atom.uint16(0)  // no name
      }
      meta.fullAtom("keys") { keys in
        keys.uint32(UInt32(clamping: metadata.items.count))
        for item in metadata.items {
          keys.atom("mdta") { $0.raw(item.key.utf8) }
        }
      }
      meta.atom("ilst") { list in
        for (index, item) in metadata.items.enumerated() {
          // An item's type is its key's number, from 1.
          list.atom(FourCharCode(rawValue: UInt32(index + 1))) { atom in
            atom.metadataValue(item.value)
          }
        }
      }
    }
  }

  private mutating func metadataValue(_ value: MovieMetadata.Value) {
    atom("data") { atom in
      let (type, bytes): (UInt32, [UInt8]) =
        switch value {
        case .text(let text): (1, Array(text.utf8))
        case .integer(let number): (21, Self.bigEndian(number))
        case .number(let number):
          (24, withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) })
        case .data(let type, let bytes): (type, bytes)
        }
      atom.uint32(type)
      atom.uint32(0)  // any country, any language
      atom.raw(bytes)
    }
  }

  /// Four bytes where they do, which every reader knows, else eight.
  private static func bigEndian(_ number: Int64) -> [UInt8] {
    if let short = Int32(exactly: number) {
      return withUnsafeBytes(of: short.bigEndian) { Array($0) }
    }
    return withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
