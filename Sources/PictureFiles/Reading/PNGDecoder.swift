import RawDevelop

/// Makes pixels of a PNG file's rows.
struct PNGDecoder {
  private let reader: PNGReader
  private let bytes: [UInt8]
  private var header: PNGReader.Header { reader.header }

  init(_ reader: PNGReader, _ bytes: [UInt8]) { (self.reader, self.bytes) = (reader, bytes) }

  /// One of the parts that a picture is sent in: columns and rows from a first one on, each so many.
  private struct Pass {
    let column: Int
    let row: Int
    let columnStep: Int
    let rowStep: Int

    static let whole = [Pass(column: 0, row: 0, columnStep: 1, rowStep: 1)]
    /// Adam7's seven.
    static let interlaced = [
      Pass(column: 0, row: 0, columnStep: 8, rowStep: 8),
      Pass(column: 4, row: 0, columnStep: 8, rowStep: 8),
      Pass(column: 0, row: 4, columnStep: 4, rowStep: 8),
      Pass(column: 2, row: 0, columnStep: 4, rowStep: 4),
      Pass(column: 0, row: 2, columnStep: 2, rowStep: 4),
      Pass(column: 1, row: 0, columnStep: 2, rowStep: 2),
      Pass(column: 0, row: 1, columnStep: 1, rowStep: 2),
    ]

    func width(of all: Int) -> Int { max((all - column + columnStep - 1) / columnStep, 0) }
    func height(of all: Int) -> Int { max((all - row + rowStep - 1) / rowStep, 0) }
  }

  /// The samples as the file has them: one a byte, or a word of 16 bits in two, the upper byte first.
  ///
  /// - Returns: The samples, and how many rows' worth of bytes are missing.
  /// - Throws: ``PictureFileError/Code/invalidFile`` for what is no deflated data.
  private func rows() throws(PictureFileError) -> (samples: [UInt8], missing: Int) {
    let passes = header.isInterlaced ? Pass.interlaced : Pass.whole
    let bits = header.pixelBits
    func length(_ pass: Pass) -> Int { (pass.width(of: header.width) * bits + 7) / 8 }
    let total = passes.reduce(0) { sum, pass in
      pass.width(of: header.width) == 0
        ? sum : sum + pass.height(of: header.height) * (1 + length(pass))
    }
    guard total <= 1032 * bytes.count + 4096 else {
      throw .invalidFile("it claims more pixels than its data can hold")
    }
    var raw = try inflated(total)
    let missing = total - raw.count
    raw += [UInt8](repeating: 0, count: missing)
    let size = header.bitDepth == 16 ? 2 : 1
    var samples = [UInt8](
      repeating: 0, count: header.width * header.height * header.samples * size)
    var place = 0
    for pass in passes where pass.width(of: header.width) > 0 {
      let (count, length) = (pass.height(of: header.height), length(pass))
      guard count > 0 else { continue }
      try Self.unfilter(
        &raw, from: place, rows: count, length: length, step: max(bits / 8, 1))
      spread(raw, from: place, length: length, pass, into: &samples)
      place += count * (length + 1)
    }
    return (samples, missing)
  }

  private func inflated(_ limit: Int) throws(PictureFileError) -> [UInt8] {
    var inflater = Inflater()
    var raw: [UInt8] = []
    for range in reader.data {
      guard let part = inflater?.append(Array(bytes[range]), limit: limit - raw.count) else {
        guard !raw.isEmpty else { throw .invalidFile("its deflated data is damaged") }
        break
      }
      raw += part
    }
    guard !raw.isEmpty else { throw .invalidFile("it has no data") }
    return raw
  }

  /// Undoes the filters of rows, each behind the number of its own.
  private static func unfilter(
    _ raw: inout [UInt8], from start: Int, rows: Int, length: Int, step: Int
  ) throws(PictureFileError) {
    var isKnown = true
    raw.withUnsafeMutableBufferPointer { raw in
      for row in 0..<rows {
        let line = start + row * (length + 1) + 1
        let above = line - length - 1
        func up(_ index: Int) -> UInt8 { row > 0 && index >= 0 ? raw[above + index] : 0 }
        func left(_ index: Int) -> UInt8 { index >= step ? raw[line + index - step] : 0 }
        switch raw[line - 1] {
        case 0: break
        case 1: for index in 0..<length { raw[line + index] &+= left(index) }
        case 2: for index in 0..<length { raw[line + index] &+= up(index) }
        case 3:
          for index in 0..<length {
            raw[line + index] &+= UInt8((Int(left(index)) + Int(up(index))) / 2)
          }
        case 4:
          for index in 0..<length {
            raw[line + index] &+= predictor(
              Int(left(index)), Int(up(index)), Int(up(index - step)))
          }
        default: isKnown = false
        }
      }
    }
    guard isKnown else { throw .invalidFile("a row has a filter that PNG does not have") }
  }

  private static func predictor(_ a: Int, _ b: Int, _ c: Int) -> UInt8 {
    let (fromA, fromB, fromC) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
    let nearest = fromA <= fromB && fromA <= fromC ? a : fromB <= fromC ? b : c
    return UInt8(truncatingIfNeeded: nearest)
  }

  /// Puts the samples of a pass in their places.
  private func spread(
    _ raw: [UInt8], from start: Int, length: Int, _ pass: Pass, into samples: inout [UInt8]
  ) {
    let (count, depth) = (header.samples, header.bitDepth)
    let (columns, rows) = (pass.width(of: header.width), pass.height(of: header.height))
    let size = depth == 16 ? 2 : 1
    raw.withUnsafeBufferPointer { raw in
      samples.withUnsafeMutableBufferPointer { samples in
        for row in 0..<rows {
          let line = start + row * (length + 1) + 1
          let target = (pass.row + row * pass.rowStep) * header.width
          for column in 0..<columns {
            let place = (target + pass.column + column * pass.columnStep) * count * size
            guard depth < 8 else {
              for index in 0..<count * size {
                samples[place + index] = raw[line + column * count * size + index]
              }
              continue
            }
            let bit = column * depth
            let shift = 8 - depth - bit % 8
            samples[place] = raw[line + bit / 8] >> UInt8(shift) & UInt8((1 << depth) - 1)
          }
        }
      }
    }
  }
}

extension PNGDecoder {
  /// The picture.
  ///
  /// - Throws: ``PictureFileError/Code/invalidFile``.
  func decoded() throws(PictureFileError) -> DecodedPicture {
    let (raw, missing) = try rows()
    let color = PictureFileColor(
      profile: reader.facts.profile, codePoints: reader.facts.codePoints)
    var decoded = color.decoded(header.bitDepth == 16 ? words(raw) : codes(raw))
    if missing > 0 || !reader.isWhole {
      decoded.notes.append("the file ends before its picture: the rest is black")
    }
    return decoded
  }

  /// Samples of 16 bits.
  private func words(_ raw: [UInt8]) -> PictureSamples {
    let values = stride(from: 0, to: raw.count, by: 2).map {
      UInt16(raw[$0]) << 8 | UInt16(raw[$0 + 1])
    }
    // A color that is transparent.
    let key = stride(from: 0, to: reader.transparency.count - 1, by: 2).map {
      UInt16(reader.transparency[$0]) << 8 | UInt16(reader.transparency[$0 + 1])
    }
    let (all, channels) = keyed(values, key, opaque: .max)
    return PictureSamples(
      width: header.width, height: header.height, channels: channels, samples: .uint16(all))
  }

  /// Samples of at most 8 bits, as ones of 8.
  private func codes(_ raw: [UInt8]) -> PictureSamples {
    if header.colorType == 3 { return looked(raw) }
    let key = stride(from: 1, to: reader.transparency.count, by: 2).map { reader.transparency[$0] }
    let (all, channels) = keyed(raw, key, opaque: UInt8((1 << header.bitDepth) - 1))
    let factor = UInt8(255 / ((1 << header.bitDepth) - 1))
    return PictureSamples(
      width: header.width, height: header.height, channels: channels,
      samples: .uint8(factor == 1 ? all : all.map { $0 * factor }))
  }

  /// Colors of the table.
  private func looked(_ raw: [UInt8]) -> PictureSamples {
    let alpha = reader.transparency
    let channels = alpha.isEmpty ? 3 : 4
    var values: [UInt8] = []
    values.reserveCapacity(raw.count * channels)
    for index in raw.lazy.map(Int.init) {
      // An index beyond the palette is black, as in libpng.
      let isThere = 3 * index + 3 <= reader.palette.count
      for part in 0..<3 { values.append(isThere ? reader.palette[3 * index + part] : 0) }
      if channels == 4 { values.append(index < alpha.count ? alpha[index] : 255) }
    }
    return PictureSamples(
      width: header.width, height: header.height, channels: channels, samples: .uint8(values))
  }

  /// Samples with alpha behind each pixel where one color is transparent.
  private func keyed<Sample: FixedWidthInteger>(
    _ values: [Sample], _ key: [Sample], opaque: Sample
  ) -> ([Sample], channels: Int) {
    let count = header.samples
    guard key.count == count, header.colorType < 3 else { return (values, count) }
    var all: [Sample] = []
    all.reserveCapacity(values.count / count * (count + 1))
    for place in stride(from: 0, to: values.count, by: count) {
      let pixel = values[place..<place + count]
      all += pixel
      all.append(pixel.elementsEqual(key) ? 0 : opaque)
    }
    return (all, count + 1)
  }
}
