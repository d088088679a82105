import TestSupport

@testable import ImageFiles

/// Makes PNG files of any form, with any filters, from known samples.
struct PNGMaker {
  var width = 17
  var height = 13
  var colorType = 2
  var bitDepth = 8
  var isInterlaced = false
  /// The palette's colors, three bytes each.
  var palette: [UInt8] = []
  var transparency: [UInt8] = []
  /// Chunks before the image data.
  var chunks: [UInt8] = []
  var seed: UInt64 = 1

  /// Samples per pixel.
  var samples: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 0 }

  static func big(_ number: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return big(content.count) + body + big(Int(checksum(body)))
  }

  /// PNG's CRC-32 (ISO 3309).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  /// A sample's number, which may be any that the depth allows.
  func number(_ column: Int, _ row: Int, _ sample: Int) -> Int {
    (column * 7919 + row * 104_729 + sample * 31 + Int(seed) * 977) * 2_654_435 >> 7
      & (1 << bitDepth - 1)
  }

  /// The bytes of some columns and rows, each row after the number of its filter.
  private func rows(
    _ columns: [Int], _ lines: [Int], _ random: inout SeededGenerator
  ) -> [UInt8] {
    let step = max(samples * bitDepth / 8, 1)
    var result: [UInt8] = []
    var above: [UInt8] = []
    for row in lines {
      var line: [UInt8] = []
      var (bits, count) = (0, 0)
      for column in columns {
        for sample in 0..<samples {
          bits = bits << bitDepth | number(column, row, sample)
          count += bitDepth
          while count >= 8 {
            line.append(UInt8(truncatingIfNeeded: bits >> (count - 8)))
            count -= 8
          }
        }
      }
      if count > 0 { line.append(UInt8(truncatingIfNeeded: bits << (8 - count))) }
      if above.isEmpty { above = [UInt8](repeating: 0, count: line.count) }
      let filter = Int.random(in: 0...4, using: &random)
      result.append(UInt8(filter))
      for index in line.indices {
        let (left, up) = (index < step ? 0 : Int(line[index - step]), Int(above[index]))
        let corner = index < step ? 0 : Int(above[index - step])
        let guess = [0, left, up, (left + up) / 2, Self.paeth(left, up, corner)][filter]
        result.append(line[index] &- UInt8(guess))
      }
      above = line
    }
    return result
  }

  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let sum = left + up - corner
    return [left, up, corner].enumerated().min {
      (abs(sum - $0.element), $0.offset) < (abs(sum - $1.element), $1.offset)
    }?.element ?? 0
  }

  /// The image's rows before they are deflated.
  var data: [UInt8] {
    var random = SeededGenerator(seed: seed)
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    return passes.flatMap { x, y, across, down in
      x < width
        ? rows(
          Array(stride(from: x, to: width, by: across)),
          Array(stride(from: y, to: height, by: down)), &random) : []
    }
  }

  /// - Parameter cuts: Where the deflated data is divided into chunks.
  func file(cuts: [Int] = []) throws -> [UInt8] {
    let header =
      Self.big(width) + Self.big(height)
      + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
    let deflated = try Deflater.compress(data)
    let places = ([0] + cuts + [deflated.count]).map { min($0, deflated.count) }
    return PNGReader.mark + Self.chunk("IHDR", header) + chunks
      + (palette.isEmpty ? [] : Self.chunk("PLTE", palette))
      + (transparency.isEmpty ? [] : Self.chunk("tRNS", transparency))
      + zip(places, places.dropFirst()).flatMap { Self.chunk("IDAT", Array(deflated[$0..<$1])) }
      + Self.chunk("IEND", [])
  }

  /// Red, green, blue and opacity of a pixel, in 8 bits, or 16 if the file's samples have 16.
  func pixel(_ column: Int, _ row: Int) -> [Int] {
    let values = (0..<samples).map { number(column, row, $0) }
    let most = bitDepth == 16 ? 65_535 : 255
    func scaled(_ value: Int) -> Int { value * most / (1 << bitDepth - 1) }
    switch colorType {
    case 3:
      let (index, count) = (values[0], palette.count / 3)
      let color = index < count ? palette[3 * index..<3 * index + 3].map { Int($0) } : [0, 0, 0]
      return color + [index < transparency.count ? Int(transparency[index]) : 255]
    case 4: return [scaled(values[0]), scaled(values[0]), scaled(values[0]), scaled(values[1])]
    case 6: return values.map(scaled)
    default:
      let key = stride(from: 0, to: transparency.count - 1, by: 2).map {
        Int(transparency[$0]) << 8 | Int(transparency[$0 + 1])
      }
      let colors = (colorType == 0 ? [values[0], values[0], values[0]] : values).map(scaled)
      return colors + [values == key ? 0 : most]
    }
  }
}
