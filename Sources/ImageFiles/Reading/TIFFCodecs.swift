import CTurboJPEG
import RawDevelop

/// The compressions of TIFF's strips.
enum TIFFCodecs {
  /// PackBits (TIFF 6.0, section 9).
  static func packBits(_ data: [UInt8], limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place < data.count, result.count < limit {
      let count = Int(Int8(bitPattern: data[place]))
      place += 1
      if count >= 0 {
        let end = min(place + count + 1, data.count)
        result += data[place..<end]
        place = end
      } else if count > -128, place < data.count {
        result += repeatElement(data[place], count: 1 - count)
        place += 1
      }
    }
    return result
  }

  /// LZW (TIFF 6.0, section 13): codes of 9 to 12 bits, most significant bit first.
  static func lzw(_ data: [UInt8], limit: Int) -> [UInt8] {
    let (clear, stop) = (256, 257)
    var result: [UInt8] = []
    result.reserveCapacity(limit)
    // The start and length of each code's bytes within the output.
    var starts = [Int](repeating: 0, count: 4096)
    var lengths = [Int](repeating: 0, count: 4096)
    var (next, width, previous) = (258, 9, -1)
    var (bits, count) = (UInt32(0), 0)
    for byte in data {
      bits = bits << 8 | UInt32(byte)
      count += 8
      guard count >= width else { continue }
      count -= width
      let code = Int(bits >> UInt32(count)) & (1 << width - 1)
      if code == stop || result.count >= limit { break }
      if code == clear {
        (next, width, previous) = (258, 9, -1)
        continue
      }
      let start = result.count
      if code < 256 {
        result.append(UInt8(code))
      } else if code < next {
        for index in 0..<lengths[code] { result.append(result[starts[code] + index]) }
      } else if code == next, previous >= 0 {
        // The previous bytes, followed by the first of them.
        for index in previous..<start { result.append(result[index]) }
        result.append(result[previous])
      } else {
        return result
      }
      if previous >= 0, next < 4096 {
        // The previous bytes, followed by the first byte of these.
        (starts[next], lengths[next]) = (previous, start - previous + 1)
        next += 1
      }
      if next >= 1 << width - 1, width < 12 { width += 1 }
      previous = start
    }
    return result
  }

  /// JPEG in a strip (Technical Note 2), with separate tables.
  ///
  /// - Parameter isBrightness: True for luma and color differences, which are converted to red, green and blue.
  /// - Throws: ``ImageFileError/Code/invalidFile`` for a damaged strip, or one of another size.
  static func jpeg(
    _ data: [UInt8], tables: [UInt8], samples: Int, isBrightness: Bool, width: Int, height: Int
  ) throws(ImageFileError) -> [UInt8] {
    guard [1, 3].contains(samples), data.starts(with: [0xFF, 0xD8]) else {
      throw .invalidFile("a strip is not a JPEG image of \(samples) samples")
    }
    // Adobe's segment tells the decoder what the components are, which only the TIFF file states.
    let kind = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, isBrightness ? 1 : 0]
    let shared = tables.count > 4 ? Array(tables[2..<tables.count - 2]) : []
    let file = [0xFF, 0xD8] + (JPEGSegments.segment(0xEE, kind) ?? []) + shared + data.dropFirst(2)
    var facts = try JPEGReader.facts(file)
    guard facts.width == width, facts.height >= height,
      facts.colorModel == (samples == 1 ? .gray : .rgb)
    else { throw .invalidFile("a strip's JPEG image has the wrong size") }
    facts.isWhole = nil
    let image = try JPEGReader.decoded(file, facts).image
    guard case .uint8(let pixels) = image.samples else { return [] }
    return samples == 3 ? pixels : stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] }
  }
}
