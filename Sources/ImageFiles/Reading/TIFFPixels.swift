import MediaCore
import RawDevelop

/// Decodes pixels from a TIFF image's strips or tiles.
struct TIFFPixels {
  private let layout: TIFFImageReader.Layout
  private let bytes: [UInt8]

  init(_ layout: TIFFImageReader.Layout, _ bytes: [UInt8]) {
    (self.layout, self.bytes) = (layout, bytes)
  }

  /// The samples read from each pixel: colors, and alpha if present.
  private var channels: Int { layout.colors + (layout.alpha > 0 ? 1 : 0) }

  /// - Throws: ``ImageFileError/Code/invalidFile``, ``ImageFileError/Code/unsupported``.
  func read() throws(ImageFileError) -> (samples: ImageSamples, notes: [String]) {
    try check()
    var notes: [String] = []
    let count = layout.width * layout.height * channels
    guard count <= 2048 * bytes.count + 65_536 else {
      throw .invalidFile("it claims more pixels than its data can hold")
    }
    var values = [UInt32](repeating: 0, count: count)
    let parts = layout.isPlanar ? layout.samples : 1
    if layout.samples > channels {
      notes.append(
        "channels other than color and alpha that are not read: \(layout.samples - channels)")
    }
    for part in 0..<parts where part < channels || parts == 1 {
      for index in 0..<layout.across * layout.down {
        let number = part * layout.across * layout.down + index
        try place(try chunk(number), index, plane: layout.isPlanar ? part : nil, into: &values)
      }
    }
    let (samples, more) = finished(values)
    return (samples, notes + more)
  }

  private func check() throws(ImageFileError) {
    let depths =
      layout.compression == 7 ? [8] : layout.format == 3 ? [16, 32] : [1, 2, 4, 8, 16, 32]
    guard depths.contains(layout.bits), [1, 3, 4].contains(layout.format) else {
      throw .unread("samples of \(layout.bits) bits and format \(layout.format)")
    }
    guard !layout.hasReversedBits else { throw .unread("bits in the reverse order") }
    guard [1, 5, 7, 8, 32_946, 32_773].contains(layout.compression) else {
      throw .unread("compression \(layout.compression)")
    }
    guard
      [0, 1, 2, 3, 5].contains(layout.photometric)
        || layout.photometric == 6 && layout.compression == 7
    else { throw .unread("colors of kind \(layout.photometric)") }
    guard layout.photometric != 5 || layout.bits == 8 && layout.format == 1,
      layout.photometric != 3 || layout.bits <= 8 && layout.palette.count >= 3 << layout.bits,
      layout.bits >= 8 || layout.samples == 1
    else { throw .unread("colors of kind \(layout.photometric) in \(layout.bits) bits") }
  }

  /// The bytes of a strip or tile, with prediction undone.
  private func chunk(_ index: Int) throws(ImageFileError) -> [UInt8] {
    let samples = layout.isPlanar ? 1 : layout.samples
    let rowBytes = (layout.chunk.width * samples * layout.bits + 7) / 8
    let offset = layout.offsets[index]
    let isLast = !layout.isTiled && index % layout.down == layout.down - 1
    let rows =
      isLast ? layout.height - (layout.down - 1) * layout.chunk.height : layout.chunk.height
    let wanted = rowBytes * rows
    let length = index < layout.counts.count ? layout.counts[index] : wanted
    guard offset >= 0, length >= 0, offset + length <= bytes.count else {
      throw .invalidFile("a strip is beyond the end of the file")
    }
    let data = Array(bytes[offset..<offset + length])
    var plain: [UInt8]
    switch layout.compression {
    case 1: plain = data
    case 5: plain = TIFFCodecs.lzw(data, limit: wanted)
    case 7:
      plain = try TIFFCodecs.jpeg(
        data, tables: layout.tables, samples: samples, isBrightness: layout.photometric == 6,
        width: layout.chunk.width, height: rows)
    case 32_773: plain = TIFFCodecs.packBits(data, limit: wanted)
    default:
      var inflater = Inflater()
      plain = inflater?.append(data, limit: wanted) ?? []
    }
    guard plain.count >= wanted else { throw .invalidFile("a strip ends before its pixels") }
    if layout.compression != 7, layout.predictor > 1 {
      try undoPrediction(&plain, rowBytes: rowBytes, rows: rows, samples: samples)
    }
    return plain
  }

  private func undoPrediction(
    _ plain: inout [UInt8], rowBytes: Int, rows: Int, samples: Int
  ) throws(ImageFileError) {
    let size = layout.bits / 8
    switch (layout.predictor, size) {
    case (2, 1), (2, 2), (2, 4):
      for row in 0..<rows {
        for place in samples..<rowBytes / size {
          let (here, before) = (
            row * rowBytes + place * size, row * rowBytes + (place - samples) * size
          )
          let sum = word(plain, here, size) &+ word(plain, before, size)
          for byte in 0..<size {
            let shift = UInt32(8 * (layout.isLittleEndian ? byte : size - 1 - byte))
            plain[here + byte] = UInt8(truncatingIfNeeded: sum >> shift)
          }
        }
      }
    case (3, 2), (3, 4):
      let count = rowBytes / size
      for row in 0..<rows {
        let start = row * rowBytes
        for place in samples..<rowBytes { plain[start + place] &+= plain[start + place - samples] }
        let line = Array(plain[start..<start + rowBytes])
        // Byte planes begin with the most significant.
        for index in 0..<count {
          for byte in 0..<size {
            let target = layout.isLittleEndian ? size - 1 - byte : byte
            plain[start + index * size + target] = line[byte * count + index]
          }
        }
      }
    default: throw .unread("prediction \(layout.predictor) of \(layout.bits) bits")
    }
  }

  private func word(_ bytes: [UInt8], _ place: Int, _ size: Int) -> UInt32 {
    var value: UInt32 = 0
    for byte in 0..<size {
      value = value << 8 | UInt32(bytes[place + (layout.isLittleEndian ? size - 1 - byte : byte)])
    }
    return value
  }

  /// Stores a chunk's samples at their positions in the image.
  private func place(
    _ chunk: [UInt8], _ index: Int, plane: Int?, into values: inout [UInt32]
  ) throws(ImageFileError) {
    let (left, top) = (
      index % layout.across * layout.chunk.width, index / layout.across * layout.chunk.height
    )
    let samples = plane == nil ? layout.samples : 1
    let rowBytes = (layout.chunk.width * samples * layout.bits + 7) / 8
    let (bits, size) = (layout.bits, layout.bits / 8)
    for row in 0..<min(layout.chunk.height, layout.height - top) {
      for column in 0..<min(layout.chunk.width, layout.width - left) {
        let target = ((top + row) * layout.width + left + column) * channels
        if bits < 8 {
          let byte = chunk[row * rowBytes + column * bits / 8]
          values[target] = UInt32(byte >> UInt8(8 - bits - column * bits % 8)) & (1 << bits - 1)
          continue
        }
        for sample in 0..<(plane == nil ? channels : 1) {
          values[target + (plane ?? sample)] = word(
            chunk, row * rowBytes + (column * samples + sample) * size, size)
        }
      }
    }
  }

  private func finished(_ values: [UInt32]) -> (samples: ImageSamples, notes: [String]) {
    var (channels, notes) = (channels, [String]())
    let samples: RenderedImage.Samples
    switch (layout.format, layout.bits) {
    case (3, 32): samples = .float(values.map { Float(bitPattern: $0) })
    case (3, _): samples = .half(values.map { UInt16(truncatingIfNeeded: $0) })
    case (_, 32):
      notes.append("32-bit samples were reduced to 16 bits")
      samples = .uint16(values.map { UInt16(inverted($0, .max) >> 16) })
    case (_, 16): samples = .uint16(values.map { UInt16(inverted($0, 65_535)) })
    case (_, let bits) where layout.photometric == 3:
      channels = 3 + channels - 1
      samples = .uint8(looked(values, 1 << bits))
    case (_, let bits):
      let most: UInt32 = 1 << UInt32(bits) - 1
      let codes = values.map { UInt8(inverted($0, most) * 255 / most) }
      if layout.photometric == 5 {
        notes.append("inks were converted to red, green and blue without a profile")
        channels -= 1
        samples = .uint8(colors(codes))
      } else {
        samples = .uint8(codes)
      }
    }
    var made = ImageSamples(
      width: layout.width, height: layout.height, channels: channels, samples: samples)
    made.isPremultiplied = layout.alpha == 1
    return (made, notes)
  }

  /// Inverts a sample if 0 is white in the image.
  private func inverted(_ value: UInt32, _ most: UInt32) -> UInt32 {
    layout.photometric == 0 ? most - value : value
  }

  private func looked(_ values: [UInt32], _ count: Int) -> [UInt8] {
    var colors: [UInt8] = []
    colors.reserveCapacity(3 * values.count)
    for place in stride(from: 0, to: values.count, by: channels) {
      let index = Int(values[place])
      for part in 0..<3 { colors.append(UInt8(layout.palette[part * count + index] >> 8)) }
      if channels > 1 { colors.append(UInt8(truncatingIfNeeded: values[place + 1])) }
    }
    return colors
  }

  private func colors(_ codes: [UInt8]) -> [UInt8] {
    var colors: [UInt8] = []
    for place in stride(from: 0, to: codes.count, by: channels) {
      let black = 255 - Int(codes[place + 3])
      for part in 0..<3 {
        let color = (255 - Int(codes[place + part])) * black
        colors.append(UInt8((color + 127) / 255))
      }
      if channels > 4 { colors.append(codes[place + 4]) }
    }
    return colors
  }
}

extension ImageFileError {
  /// An error for an unsupported form of TIFF file.
  fileprivate static func unread(_ form: String) -> ImageFileError {
    ImageFileError(.unsupported, "a TIFF image with \(form) is not read")
  }
}
