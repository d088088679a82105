import DNG
import MediaCore
import RawDevelop
import TIFF

extension ImageJob {
  /// TIFF 6.0 with EXIF, a color profile and XMP: strips of integers or floats.
  mutating func writeTIFF() throws(ImageFileError) {
    let strips = TIFFStrips(
      rows: rows, bitDepth: bitDepth, isFloat: writesFloats,
      isDeflated: settings.compression == .deflate)
    var root = directory(strips)
    root.pixels = TIFFDirectory.PixelData(
      isTiled: false, chunks: [[UInt8]](repeating: [], count: strips.count))
    if strips.isDeflated {
      try write(root, try compressed(strips))
    } else {
      try append(head(root, strips.sizes))
      for index in 0..<strips.count {
        try checkCancellation()
        try appendEven(strips.bytes(index))
      }
    }
    noteClipping(rows.clipped.count)
  }

  private func compressed(_ strips: TIFFStrips) throws(ImageFileError) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    for start in stride(from: 0, to: strips.count, by: 16) {
      let results = ConcurrentMap.results(min(16, strips.count - start)) {
        (index) throws(ImageFileError) in try Deflater.compress(strips.bytes(start + index))
      }
      try checkCancellation()
      for result in results { chunks.append(try result.get()) }
    }
    return chunks
  }

  private func write(
    _ root: TIFFDirectory, _ chunks: [[UInt8]]
  ) throws(ImageFileError) {
    try append(head(root, chunks.map(\.count)))
    for chunk in chunks { try appendEven(chunk) }
  }

  private func append(_ bytes: [UInt8]) throws(ImageFileError) { try output.append(bytes) }

  private func appendEven(_ bytes: [UInt8]) throws(ImageFileError) {
    try output.append(bytes)
    if bytes.count % 2 == 1 { try output.append([0]) }
  }

  private func head(
    _ root: TIFFDirectory, _ sizes: [Int]
  ) throws(ImageFileError) -> [UInt8] {
    do { return try TIFFWriter.head(root, chunkSizes: sizes) } catch {
      throw ImageFileError(
        .unsupported, "the TIFF file cannot be written: \(error.message); choose jxl or exr")
    }
  }

  private func directory(_ strips: TIFFStrips) -> TIFFDirectory {
    var root = ImageEXIF.directory(content)
    // EXIF has these for compressed files; TIFF has its own entries for them.
    for tag in [TIFFTag.pixelXDimension, .pixelYDimension] {
      root.linked[.exifIFD]?[tag] = nil
    }
    root.linked[.exifIFD]?.linked[.interoperabilityIFD] = nil
    root[.newSubFileType] = .long(0)
    root[.imageWidth] = .long(width)
    root[.imageLength] = .long(height)
    root[.bitsPerSample] = .shorts([UInt16](repeating: UInt16(bitDepth), count: 3))
    root[.compression] = .short(strips.isDeflated ? 8 : 1)
    root[.photometric] = .short(2)
    root[.samplesPerPixel] = .short(3)
    root[.rowsPerStrip] = .long(strips.height)
    root[.planarConfiguration] = .short(1)
    root[.sampleFormat] = .shorts([UInt16](repeating: strips.isFloat ? 3 : 1, count: 3))
    if strips.isDeflated { root[.predictor] = .short(strips.isFloat ? 3 : 2) }
    root[.iccProfile] = .undefined(ICCProfile.bytes(image.colorSpace))
    if let xmp = content.xmp { root[.xmp] = .bytes(Array(xmp.utf8)) }
    return root
  }
}

/// An image divided into strips of rows.
private struct TIFFStrips: Sendable {
  let rows: CodeRows
  let bitDepth: Int
  let isFloat: Bool
  let isDeflated: Bool

  var rowBytes: Int { rows.length * bitDepth / 8 }
  /// Rows in a strip of about 256 KiB.
  var height: Int { min(max((1 << 18) / rowBytes, 1), rows.image.height) }
  var count: Int { (rows.image.height + height - 1) / height }
  var sizes: [Int] { (0..<count).map { range($0).count * rowBytes } }

  private func range(_ index: Int) -> Range<Int> {
    index * height..<min((index + 1) * height, rows.image.height)
  }

  /// The bytes of a strip; if it is to be deflated, differences in place of samples.
  func bytes(_ index: Int) -> [UInt8] {
    let range = range(index)
    return [UInt8](unsafeUninitializedCapacity: range.count * rowBytes) { target, count in
      let memory = UnsafeMutableRawBufferPointer(target)
      withUnsafeTemporaryAllocation(of: Float.self, capacity: rows.length) { line in
        guard let numbers = line.baseAddress else { return }
        for (index, row) in range.enumerated() {
          let place = index * rowBytes
          let part = UnsafeMutableRawBufferPointer(rebasing: memory[place..<place + rowBytes])
          if isFloat {
            rows.image.readFloats(row, into: numbers)
            put(floats: numbers, part)
          } else {
            rows.read(row, into: numbers)
            put(numbers, part)
          }
        }
      }
      count = range.count * rowBytes
    }
  }

  /// Stores integers; if deflated, as differences from the previous pixel (predictor 2).
  private func put(_ numbers: UnsafeMutablePointer<Float>, _ target: UnsafeMutableRawBufferPointer)
  {
    if bitDepth == 8 {
      var before: SIMD3<UInt8> = [0, 0, 0]
      for index in 0..<rows.length {
        let code = UInt8(numbers[index] * 255 + 0.5)
        target[index] = isDeflated ? code &- before[index % 3] : code
        before[index % 3] = code
      }
      return
    }
    var before: SIMD3<UInt16> = [0, 0, 0]
    for index in 0..<rows.length {
      let code = UInt16(numbers[index] * 65_535 + 0.5)
      let stored = isDeflated ? code &- before[index % 3] : code
      target.storeBytes(of: stored.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
      before[index % 3] = code
    }
  }

  /// Stores floats; if deflated, a row's highest bytes first, then the next ones, as differences (predictor 3,
  /// Adobe's TIFF Technical Note 3).
  private func put(
    floats: UnsafeMutablePointer<Float>, _ target: UnsafeMutableRawBufferPointer
  ) {
    let (length, size) = (rows.length, bitDepth / 8)
    func bits(_ index: Int) -> UInt32 {
      size == 2 ? UInt32(Float16(floats[index]).bitPattern) : floats[index].bitPattern
    }
    guard isDeflated else {
      for index in 0..<length {
        let value = bits(index)
        for byte in 0..<size {
          target[index * size + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))
        }
      }
      return
    }
    for index in 0..<length {
      let value = bits(index)
      for byte in 0..<size {
        target[byte * length + index] =
          UInt8(truncatingIfNeeded: value >> UInt32(8 * (size - 1 - byte)))
      }
    }
    for index in stride(from: length * size - 1, through: 3, by: -1) {
      target[index] = target[index] &- target[index - 3]
    }
  }
}
