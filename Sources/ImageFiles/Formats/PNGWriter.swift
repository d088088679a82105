import CZlib
import DNG
import MediaCore
import RawDevelop

extension ImageJob {
  /// PNG (third edition): color in an iCCP or cICP chunk, EXIF in eXIf, XMP in iTXt.
  mutating func writePNG() throws(ImageFileError) {
    guard width <= Int32.max, height <= Int32.max else {
      throw ImageFileError(.unsupported, "PNG cannot hold an image of \(width)x\(height)")
    }
    try output.append([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let trueColor: UInt8 = 2
    try append(
      "IHDR", big(UInt32(width)) + big(UInt32(height)) + [UInt8(bitDepth), trueColor, 0, 0, 0])
    try appendColor()
    try append("eXIf", try ImageEXIF.bytes(content))
    if let xmp = content.xmp {
      try append("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Array(xmp.utf8))
    }
    if content.metadata.orientation != .up {
      note(
        .metadataOmitted,
        "PNG states the orientation only in EXIF, which many readers ignore")
    }
    try appendPixels()
    noteClipping(rows.clipped.count)
    try append("IEND", [])
  }

  private func appendColor() throws(ImageFileError) {
    guard settings.dynamicRange == .standard else {
      let points = codePoints
      try append("cICP", [UInt8(points.primaries), UInt8(points.transfer), 0, 1])
      return
    }
    let profile = ICCProfile.bytes(image.colorSpace)
    let name = Array(image.colorSpace.name.utf8.prefix(79))
    try append("iCCP", name + [0, 0] + Deflater.compress(profile))
  }

  /// Filtered rows in deflated bands, several at a time.
  private func appendPixels() throws(ImageFileError) {
    let (filter, height) = (PNGFilter(rows: rows, sampleBytes: bitDepth / 8), height)
    let bandHeight = max((1 << 20) / (filter.rowBytes + 1), 1)
    let count = (height + bandHeight - 1) / bandHeight
    // zlib's header: deflate with a 32 KiB window.
    var lead: [UInt8] = [0x78, 0x5E]
    var checksum = adler32(0, nil, 0)
    for start in stride(from: 0, to: count, by: 16) {
      let parts = ConcurrentMap.results(min(16, count - start)) {
        (index) throws(ImageFileError) -> (bytes: [UInt8], checksum: UInt, length: Int) in
        let first = (start + index) * bandHeight
        let filtered = filter.apply(first..<min(first + bandHeight, height))
        let bytes = try Deflater.part(filtered, isLast: start + index == count - 1)
        let checksum = filtered.withUnsafeBufferPointer {
          adler32(1, $0.baseAddress, UInt32(clamping: $0.count))
        }
        return (bytes, checksum, filtered.count)
      }
      try checkCancellation()
      for (index, result) in parts.enumerated() {
        let part = try result.get()
        checksum = adler32_combine(checksum, part.checksum, part.length)
        let isLast = start + index == count - 1
        try append(
          "IDAT", lead + part.bytes + (isLast ? big(UInt32(truncatingIfNeeded: checksum)) : []))
        lead = []
      }
    }
  }

  private func append(_ type: String, _ data: [UInt8]) throws(ImageFileError) {
    let content = Array(type.utf8) + data
    let checksum = content.withUnsafeBufferPointer {
      crc32(0, $0.baseAddress, UInt32(clamping: $0.count))
    }
    try output.append(
      big(UInt32(clamping: data.count)) + content + big(UInt32(truncatingIfNeeded: checksum)))
  }

  private func big(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

/// PNG's row filters; picks the one with the smallest differences, as the standard advises.
private struct PNGFilter: Sendable {
  let rows: CodeRows
  /// Bytes in a sample.
  let sampleBytes: Int

  var rowBytes: Int { rows.length * sampleBytes }

  /// Some rows, each preceded by the number of its filter.
  func apply(_ band: Range<Int>) -> [UInt8] {
    let (length, step) = (rowBytes, 3 * sampleBytes)
    var above = band.lowerBound > 0 ? bytes(of: band.lowerBound - 1) : zeros(length)
    var result: [UInt8] = []
    result.reserveCapacity(band.count * (length + 1))
    var candidates = (zeros(length), zeros(length), zeros(length))
    for row in band {
      let line = bytes(of: row)
      let sums = Self.filter(
        line, above, step, &candidates.0, &candidates.1, &candidates.2)
      if sums.sub <= sums.up, sums.sub <= sums.paeth {
        result.append(1)
        result += candidates.0
      } else if sums.up <= sums.paeth {
        result.append(2)
        result += candidates.1
      } else {
        result.append(4)
        result += candidates.2
      }
      above = line
    }
    return result
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// Applies the filters Sub, Up and Paeth; returns the sums of their differences.
  private static func filter(
    _ line: [UInt8], _ above: [UInt8], _ step: Int, _ sub: inout [UInt8], _ up: inout [UInt8],
    _ paeth: inout [UInt8]
  ) -> (sub: Int, up: Int, paeth: Int) {
    line.withUnsafeBufferPointer { line in
      above.withUnsafeBufferPointer { above in
        sub.withUnsafeMutableBufferPointer { sub in
          up.withUnsafeMutableBufferPointer { up in
            paeth.withUnsafeMutableBufferPointer { paeth in
              var sums = (sub: 0, up: 0, paeth: 0)
              for index in 0..<line.count {
                let (value, b) = (line[index], above[index])
                let a = index < step ? 0 : line[index - step]
                let c = index < step ? 0 : above[index - step]
                sub[index] = value &- a
                up[index] = value &- b
                paeth[index] = value &- predictor(Int(a), Int(b), Int(c))
                sums.sub += Int(Int8(bitPattern: sub[index]).magnitude)
                sums.up += Int(Int8(bitPattern: up[index]).magnitude)
                sums.paeth += Int(Int8(bitPattern: paeth[index]).magnitude)
              }
              return sums
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func predictor(_ a: Int, _ b: Int, _ c: Int) -> UInt8 {
    let (fromA, fromB, fromC) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
    let nearest = fromA <= fromB && fromA <= fromC ? a : fromB <= fromC ? b : c
    return UInt8(truncatingIfNeeded: nearest)
  }

  /// A row as big-endian samples.
  private func bytes(of row: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: rowBytes) { target, count in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: rows.length) { line in
        guard let numbers = line.baseAddress else { return }
        rows.read(row, into: numbers)
        for column in 0..<rows.length {
          if sampleBytes == 1 {
            target[column] = UInt8(numbers[column] * 255 + 0.5)
          } else {
            let code = UInt16(numbers[column] * 65_535 + 0.5)
            target[2 * column] = UInt8(code >> 8)
            target[2 * column + 1] = UInt8(code & 0xFF)
          }
        }
      }
      count = rowBytes
    }
  }
}
