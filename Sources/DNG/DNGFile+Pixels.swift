import MediaCore
import TIFF

extension DNGFile {
  /// The most samples of a picture that is decoded: 16384 by 16384 of four.
  static let sampleLimit = 1 << 30

  /// The samples of a picture as they are stored, without its linearization table.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for damage, ``DNGError/Code/unsupported``
  ///   for a compression that is not read.
  public func decodePixels(of picture: Picture) throws(DNGError) -> RawImage {
    guard picture.components <= 4, picture.bitDepth <= 16 else {
      throw DNGError(
        .unsupported,
        "pixels of \(picture.components) samples of \(picture.bitDepth) bits are not read")
    }
    let total = picture.width * picture.height * picture.components
    guard codedSampleCount(of: picture) <= greatestSampleCount(of: picture) else {
      throw DNGError.damaged("a picture claims more pixels than its data can hold")
    }
    let chunks = ConcurrentWork.map(picture.layout.count, worker: {}) { _, index in
      Result { () throws(DNGError) in try decodeChunk(index, of: picture) }
    }
    var samples = [UInt16](repeating: 0, count: total)
    for (index, chunk) in chunks.enumerated() {
      Self.place(try chunk.get(), index, picture, into: &samples)
    }
    return try RawImage(
      width: picture.width, height: picture.height, components: picture.components,
      bitDepth: picture.bitDepth, samples: samples)
  }

  /// The samples of all tiles or strips, with what reaches over the picture's edge.
  private func codedSampleCount(of picture: Picture) -> Int {
    let layout = picture.layout
    let rows = layout.isTiled ? layout.count / layout.columns * layout.height : picture.height
    return layout.columns * layout.width * rows * picture.components
  }

  /// The most samples that the bytes of a picture can stand for: what claims more is damaged, and
  /// no memory is taken for it.
  private func greatestSampleCount(of picture: Picture) -> Int {
    // Many tiles may be said to lie in the same place.
    let count = min(picture.byteCount, bytes.count)
    let greatest =
      switch picture.compression {
      case .some(.none): count * 8 / picture.bitDepth
      // Two bits for a block of 64, and blocks of colour for four of brightness.
      case .lossyJPEG: count * 512
      // A code word has a bit at least.
      default: count * 8
      }
    return min(greatest, Self.sampleLimit)
  }

  private static func place(
    _ chunk: [UInt16], _ index: Int, _ picture: Picture, into samples: inout [UInt16]
  ) {
    let layout = picture.layout
    let components = picture.components
    let x = index % layout.columns * layout.width
    let y = index / layout.columns * layout.height
    let count = min(layout.width, picture.width - x) * components
    for row in 0..<min(layout.height, picture.height - y) {
      let target = ((y + row) * picture.width + x) * components
      let source = row * layout.width * components
      samples.replaceSubrange(target..<target + count, with: chunk[source..<source + count])
    }
  }

  /// The samples of a strip or tile, its padding among them.
  private func decodeChunk(_ index: Int, of picture: Picture) throws(DNGError) -> [UInt16] {
    let layout = picture.layout
    let offset = layout.offsets[index]
    let data = bytes[offset..<offset + layout.byteCounts[index]]
    let rows =
      layout.isTiled
      ? layout.height : min(layout.height, picture.height - index * layout.height)
    let count = layout.width * rows * picture.components
    switch picture.compression {
    case .some(.none): return try Self.unpack(data, picture, rows: rows)
    case .jpeg where picture.role != .preview:
      let decoded = try LosslessJPEGDecoder.decode(data, sampleLimit: count)
      guard decoded.samples.count == count else {
        throw DNGError.damaged("tile \(index) has another size than the file says")
      }
      return decoded.samples
    case .lossyJPEG where picture.components == 3 && picture.bitDepth == 8:
      return try JPEGCodec.decode(data, width: layout.width, height: rows).map { UInt16($0) }
    default:
      throw DNGError(
        .unsupported, "pixels of compression \(picture.compressionCode) are not read")
    }
  }

  /// Samples that are not compressed: bytes, little-endian words, or bits from the top of bytes.
  private static func unpack(
    _ data: ArraySlice<UInt8>, _ picture: Picture, rows: Int
  ) throws(DNGError) -> [UInt16] {
    let perRow = picture.layout.width * picture.components
    let depth = picture.bitDepth
    let bytesPerRow = (perRow * depth + 7) / 8
    guard data.count >= bytesPerRow * rows else {
      throw DNGError.damaged("a tile or strip is shorter than its pixels")
    }
    var samples: [UInt16] = []
    samples.reserveCapacity(perRow * rows)
    for row in 0..<rows {
      let start = data.startIndex + row * bytesPerRow
      for column in 0..<perRow {
        switch depth {
        case 8: samples.append(UInt16(data[start + column]))
        case 16:
          samples.append(
            UInt16(data[start + 2 * column]) | UInt16(data[start + 2 * column + 1]) << 8)
        default:
          var value: UInt32 = 0
          let first = column * depth
          for bit in first..<first + depth {
            let byte = UInt32(data[start + bit >> 3])
            value = value << 1 | (byte >> UInt32(7 - bit & 7)) & 1
          }
          samples.append(UInt16(truncatingIfNeeded: value))
        }
      }
    }
    return samples
  }

  /// True where the pixels agree with the digest that the file carries; nil where it has none.
  ///
  /// - Throws: What decoding throws.
  public func verifyDigest() throws(DNGError) -> Bool? {
    guard case .bytes(let expected) = root.entries[.newRawImageDigest] else { return nil }
    let raw = try rawPicture()
    let pixels = try decodePixels(of: raw)
    let tableCount = raw.directory.entries[.linearizationTable]?.count
    let asBytes = raw.bitDepth == 8 || (tableCount.map { $0 <= 256 } ?? false)
    return RawTiles.digest(pixels, asBytes: asBytes) == expected
  }
}
