import CZlib
import Foundation
import MediaCore
import TIFF

@testable import DNG

/// A raw image stored as other programs do and our writer does not.
struct StoredForm {
  var bitDepth = 12
  var isFloat = false
  var compression = 1
  var predictor = 1
  var isBigEndian = false
  /// Nil for strips of seven rows.
  var tileSide: Int? = 32
  var components = 1
  var isPlanar = false
  /// Codes the samples of a tile or strip in place of ``compression``: samples, pixels per row, rows,
  /// components.
  var code: (@Sendable ([UInt16], Int, Int, Int) -> [UInt8])?
  /// Changes entries before the file is laid out.
  var change: @Sendable (inout TIFFDirectory) -> Void = { _ in }

  static let (width, height) = (72, 45)

  /// The image's samples; those of floating-point files fit in 16-bit floats.
  func samples() -> [Double] {
    (0..<Self.width * Self.height * components).map { index in
      let value = (index * 37 + index / 11 % 29 * 5) % (1 << min(bitDepth, 16))
      // Exact in 16 bits of floating point.
      return isFloat ? Double(value % 2048) / 64 - 3 : Double(value)
    }
  }

  func file() throws -> [UInt8] {
    let samples = samples()
    let planes = isPlanar ? components : 1
    let depth = isPlanar ? 1 : components
    let (chunkWidth, chunkHeight) = (tileSide ?? Self.width, tileSide ?? 7)
    var chunks: [[UInt8]] = []
    for plane in 0..<planes {
      for top in stride(from: 0, to: Self.height, by: chunkHeight) {
        for left in stride(from: 0, to: Self.width, by: chunkWidth) {
          let rows = tileSide == nil ? min(chunkHeight, Self.height - top) : chunkHeight
          let lines = (0..<rows).map { row in
            (0..<chunkWidth).flatMap { column -> [Double] in
              let (y, x) = (min(top + row, Self.height - 1), min(left + column, Self.width - 1))
              let first = (y * Self.width + x) * components
              return isPlanar ? [samples[first + plane]] : Array(samples[first..<first + depth])
            }
          }
          chunks.append(
            code.map { $0(lines.joined().map { UInt16($0) }, chunkWidth, rows, depth) }
              ?? compressed(lines.flatMap { stored($0, step: depth) }))
        }
      }
    }
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 4, 0, 0])
    root[.dngBackwardVersion] = .bytes([1, 4, 0, 0])
    SensorCalibration.assumed(model: "Example", bitDepth: 12).addEntries(to: &root)
    root[.newSubFileType] = .long(0)
    root[.imageWidth] = .long(Self.width)
    root[.imageLength] = .long(Self.height)
    root[.bitsPerSample] = .shorts([UInt16](repeating: UInt16(bitDepth), count: components))
    root[.sampleFormat] = .shorts([UInt16](repeating: isFloat ? 3 : 1, count: components))
    root[.compression] = .short(compression)
    root[.predictor] = .short(predictor)
    root[.samplesPerPixel] = .short(components)
    root[.planarConfiguration] = .short(isPlanar ? 2 : 1)
    root[.photometric] = .short(components == 1 ? 32_803 : 34_892)
    if components == 1 {
      root[.cfaRepeatPatternDim] = .shorts([2, 2])
      root[.cfaPattern] = .bytes([1, 0, 2, 1])
    }
    if let tileSide {
      root[.tileWidth] = .long(tileSide)
      root[.tileLength] = .long(tileSide)
    } else {
      root[.rowsPerStrip] = .long(chunkHeight)
    }
    root.pixels = .init(isTiled: tileSide != nil, chunks: chunks)
    change(&root)
    let bytes = try TIFFWriter.serialize(root)
    return isBigEndian ? Self.swapped(bytes) : bytes
  }

  /// The file's bytes for a row of samples, predicted as the form says.
  private func stored(_ row: [Double], step: Int) -> [UInt8] {
    let factors = [2: 1, 3: 1, 34_892: 2, 34_893: 4, 34_894: 2, 34_895: 4]
    let distance = step * (factors[predictor] ?? 0)
    if isFloat {
      let words = row.map { word(Float($0)) }
      let size = bitDepth / 8
      guard predictor != 1 else {
        return words.flatMap { word in
          order((0..<size).map { byte in UInt8(truncatingIfNeeded: word >> (8 * byte)) })
        }
      }
      let planes: [UInt8] = (0..<size).flatMap { byte in
        let shift = 8 * (size - 1 - byte)
        return words.map { UInt8(truncatingIfNeeded: $0 >> shift) }
      }
      return planes.indices.map { $0 < distance ? planes[$0] : planes[$0] &- planes[$0 - distance] }
    }
    let values = row.map { UInt32($0) }
    let differences: [UInt32] = values.indices.map { index in
      if distance == 0 || index < distance { return values[index] }
      return (values[index] &- values[index - distance]) & 0xFFFF
    }
    if bitDepth == 8 { return differences.map { UInt8(truncatingIfNeeded: $0) } }
    if bitDepth == 16 {
      return differences.flatMap { value in
        order([UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)])
      }
    }
    var bytes = [UInt8](repeating: 0, count: (values.count * bitDepth + 7) / 8)
    for (index, value) in values.enumerated() {
      for bit in 0..<bitDepth where value >> (bitDepth - 1 - bit) & 1 == 1 {
        let place = index * bitDepth + bit
        bytes[place / 8] |= 0x80 >> (place % 8)
      }
    }
    return bytes
  }

  /// Puts little-endian bytes into the file's order.
  private func order(_ bytes: [UInt8]) -> [UInt8] { isBigEndian ? bytes.reversed() : bytes }

  /// A float in the form's bits; the values here need no more precision than any form has.
  private func word(_ value: Float) -> UInt32 {
    let bits = value.bitPattern
    guard bitDepth < 32, value != 0 else { return bits }
    let (exponentBits, mantissaBits, bias) = bitDepth == 24 ? (7, 16, 63) : (5, 10, 15)
    let exponent = Int(bits >> 23 & 0xFF) - 127 + bias
    return (bits >> 31) << (exponentBits + mantissaBits) | UInt32(exponent) << mantissaBits
      | (bits & 0x7F_FFFF) >> (23 - mantissaBits)
  }

  private func compressed(_ bytes: [UInt8]) -> [UInt8] {
    guard compression != 1 else { return bytes }
    var length = compressBound(uLong(bytes.count))
    var target = [UInt8](repeating: 0, count: Int(length))
    guard compress(&target, &length, bytes, uLong(bytes.count)) == Z_OK else { return [] }
    return Array(target.prefix(Int(length)))
  }

  /// The same file with its header and directories in the other byte order, and the pixels unchanged.
  static func swapped(_ file: [UInt8]) -> [UInt8] {
    var bytes = file
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
    }
    func swap(_ offset: Int, _ size: Int) {
      bytes.replaceSubrange(offset..<offset + size, with: file[offset..<offset + size].reversed())
    }
    (bytes[0], bytes[1]) = (0x4D, 0x4D)
    swap(2, 2)
    swap(4, 4)
    let root = number(4, 4)
    let count = number(root, 2)
    swap(root, 2)
    for entry in 0..<count {
      let place = root + 2 + 12 * entry
      let (type, values) = (number(place + 2, 2), number(place + 4, 4))
      let size = [0, 1, 1, 2, 4, 4, 1, 1, 2, 4, 4, 4, 8][type]
      let total = type == 5 || type == 10 ? 2 * values : values
      let start = total * size <= 4 ? place + 8 : number(place + 8, 4)
      swap(place, 2)
      swap(place + 2, 2)
      swap(place + 4, 4)
      if total * size > 4 { swap(place + 8, 4) }
      for value in 0..<total { swap(start + value * size, size) }
    }
    return bytes
  }
}
