import MediaCore
import Synchronization
import TestSupport

@testable import ProRes

/// A frame of smooth waves, edges and a little noise, in any pixel format.
struct TestFrame {
  let width: Int
  let height: Int
  let fullChroma: Bool
  /// Luma, Cb, Cr as 10-bit codes; 16-bit alpha.
  var planes: [[UInt16]]
  var alpha: [UInt16]

  var chromaWidth: Int { fullChroma ? width : (width + 1) / 2 }

  enum Content: CaseIterable {
    case natural, noise, flat
    /// A checkerboard of the least and the greatest code, pixel by pixel.
    case extremes
    /// Every sample at its greatest, or least, code.
    case maximum, minimum
    /// All codes, including those outside the legal range.
    case overshoot
  }

  /// The parameters of a frame. Tests draw a few different ones many times.
  private struct Drawing: Hashable {
    let width: Int
    let height: Int
    let fullChroma: Bool
    let content: Content
    let seed: UInt64
  }

  private static let drawn = Mutex<[Drawing: TestFrame]>([:])

  init(width: Int, height: Int, fullChroma: Bool, content: Content = .natural, seed: UInt64 = 7) {
    let drawing = Drawing(
      width: width, height: height, fullChroma: fullChroma, content: content, seed: seed)
    if let drawn = Self.drawn.withLock({ $0[drawing] }) {
      self = drawn
    } else {
      self.init(drawing)
      let picture = self
      Self.drawn.withLock { $0[drawing] = picture }
    }
  }

  private init(_ drawing: Drawing) {
    let (width, height, content) = (drawing.width, drawing.height, drawing.content)
    self.width = width
    self.height = height
    fullChroma = drawing.fullChroma
    var random = SeededGenerator(seed: drawing.seed)
    let chroma = fullChroma ? width : (width + 1) / 2
    planes = [width, chroma, chroma].enumerated().map { plane, columns in
      Self.plane(plane, columns, height, content, &random)
    }
    let row = (0..<width).map { x in
      x < width / 3 ? 65535 : x < width / 2 ? UInt16(x * 97 % 65536) : 0
    }
    alpha = []
    alpha.reserveCapacity(width * height)
    for _ in 0..<height { alpha += row }
  }

  /// Draws a component.
  private static func plane(
    _ plane: Int, _ columns: Int, _ rows: Int, _ content: Content,
    _ random: inout SeededGenerator
  ) -> [UInt16] {
    switch content {
    case .flat: return [UInt16](repeating: 500, count: columns * rows)
    case .maximum: return [UInt16](repeating: 1023, count: columns * rows)
    case .minimum: return [UInt16](repeating: 0, count: columns * rows)
    case .noise, .extremes, .overshoot, .natural: break
    }
    return [UInt16](unsafeUninitializedCapacity: columns * rows) { codes, count in
      count = columns * rows
      // Loops without iterators, because tests are built without optimization.
      var (index, x, y) = (0, 0, 0)
      while index < count {
        switch content {
        case .noise: codes[index] = 64 + random.word(below: 877)
        case .overshoot: codes[index] = random.word(below: 1024)
        case .extremes: codes[index] = (x ^ y) & 1 == 0 ? 0 : 1023
        default:
          let wave = (x * (plane + 1) + y * 2) % 192
          let ramp = wave < 96 ? wave : 192 - wave
          let edge = (x / 24 + y / 16) % 3 == 0 ? 250 : 0
          codes[index] = UInt16(200 + ramp * 3 + edge + random.number(below: 13))
        }
        index += 1
        x += 1
        if x == columns { (x, y) = (0, y + 1) }
      }
    }
  }

  /// Writes a component into its own plane.
  private func putPlane(
    _ component: Int, _ columns: Int, in memory: MutablePixelBuffer.Planes,
    _ table: PixelFormat.Descriptor
  ) {
    let codes = planes[component]
    let isBytes = table.bitDepth == 8
    let shift = UInt16(isBytes ? 0 : table.bitDepth - 10 + table.shift)
    // Loops without iterators, because tests are built without optimization.
    var (y, index) = (0, 0)
    while index < codes.count {
      let row = memory.row(y, ofPlane: component)
      let (bytes, words) = (
        row.assumingMemoryBound(to: UInt8.self), row.assumingMemoryBound(to: UInt16.self)
      )
      var x = 0
      while x < columns {
        if isBytes {
          bytes[x] = UInt8(codes[index] >> 2)
        } else {
          words[x] = (codes[index] << shift).littleEndian
        }
        x += 1
        index += 1
      }
      y += 1
    }
  }

  /// The frame in a pixel format; 8-bit formats drop two bits.
  func buffer(_ format: PixelFormat, fields: FieldOrder = .progressive) throws -> PixelBuffer {
    var picture = try MutablePixelBuffer(
      .init(format: format, width: width, height: height, fieldOrder: fields))
    for plane in 0..<picture.planeCount {
      _ = picture.withUnsafeMutableBytes(ofPlane: plane) {
        $0.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
    picture.withPlanes { planes in
      fill(planes, format.descriptor)
      if format.descriptor.hasAlpha { fillAlpha(planes, format.descriptor) }
    }
    return picture.finish()
  }

  private func fill(_ memory: MutablePixelBuffer.Planes, _ table: PixelFormat.Descriptor) {
    func put(_ plane: Int, _ y: Int, _ index: Int, _ code: UInt16) {
      let bytes = memory.row(y, ofPlane: plane).assumingMemoryBound(to: UInt8.self)
      if table.bitDepth == 8 {
        bytes[index] = UInt8(code >> 2)
      } else {
        let word = Int(code) << (table.bitDepth - 10 + table.shift)
        bytes[2 * index] = UInt8(word & 255)
        bytes[2 * index + 1] = UInt8(word >> 8)
      }
    }
    func orBits(_ plane: Int, _ y: Int, bit: Int, _ code: UInt16) {
      let bytes = memory.row(y, ofPlane: plane).assumingMemoryBound(to: UInt8.self) + bit / 8
      let word = Int(code) << (bit % 8)
      bytes[0] |= UInt8(word & 255)
      bytes[1] |= UInt8(word >> 8 & 255)
      if word >> 16 != 0 { bytes[2] |= UInt8(word >> 16) }
    }
    for component in 0..<3 {
      let columns = component == 0 ? width : chromaWidth
      if table.packing == .planar {
        putPlane(component, columns, in: memory, table)
        continue
      }
      for y in 0..<height {
        for x in 0..<columns {
          let code = planes[component][y * columns + x]
          let pair = 2 * x + component - 1
          switch table.packing {
          case .planar: break
          case .biplanar: put(component == 0 ? 0 : 1, y, component == 0 ? x : pair, code)
          case .biplanarPacked10:
            orBits(component == 0 ? 0 : 1, y, bit: 10 * (component == 0 ? x : pair), code)
          case .packedYCbYCr: put(0, y, component == 0 ? 2 * x : 4 * x + 2 * component - 1, code)
          case .packedCbYCrY:
            put(0, y, component == 0 ? 2 * x + 1 : 4 * x + 2 * (component - 1), code)
          case .v210:
            let index = component == 0 ? 2 * x + 1 : 4 * x + 2 * (component - 1)
            orBits(0, y, bit: index / 3 * 32 + index % 3 * 10, code)
          case .packedBGR, .packedBGRX, .packedXRGB, .mosaic, .mosaicPacked: break
          }
        }
      }
    }
  }

  private func fillAlpha(_ memory: MutablePixelBuffer.Planes, _ table: PixelFormat.Descriptor) {
    for index in alpha.indices {
      let code = table.bitDepth == 16 ? alpha[index] : alpha[index] >> (16 - table.bitDepth)
      let row = memory.row(index / width, ofPlane: 3)
      if table.bitDepth == 8 {
        row.storeBytes(of: UInt8(code), toByteOffset: index % width, as: UInt8.self)
      } else {
        row.storeBytes(of: code.littleEndian, toByteOffset: index % width * 2, as: UInt16.self)
      }
    }
  }

  /// The PSNR in dB of all 10-bit samples of an outside decoder except alpha.
  ///
  /// FFmpeg clips to the legal codes 4 to 1019, so the frame is clipped too.
  func psnr(_ decoded: OutsideDecoder.Planes) -> Double {
    var sum = 0
    var count = 0
    for (wanted, found) in zip(planes, decoded) {
      // A loop without iterators, because tests are built without optimization.
      var index = 0
      while index < wanted.count {
        let code = min(max(Int(wanted[index]), 4), 1019)
        let difference = code - min(max(Int(found[index]), 4), 1019)
        sum += difference * difference
        index += 1
      }
      count += wanted.count
    }
    return 10 * (1023 * 1023 / max(Double(sum) / Double(count), 1e-6)).logarithm10
  }

  /// The PSNR in dB of a decoded component, with a peak of 1023.
  func psnr(_ decoded: ReferenceDecoder.Picture, component: Int) -> Double {
    var sum = 0.0
    let (wanted, found) = (planes[component], decoded.planes[component])
    var index = 0
    while index < min(wanted.count, found.count) {
      let difference = Double(wanted[index]) - Double(found[index])
      sum += difference * difference
      index += 1
    }
    let error = max(sum / Double(planes[component].count), 1e-6)
    return 10 * (1023 * 1023 / error).logarithm10
  }
}

extension Double {
  /// log10 from the exponent and a series, so tests need no C library for one function.
  var logarithm10: Double {
    let mantissa = significand
    let ratio = (mantissa - 1) / (mantissa + 1)
    var term = ratio
    var sum = 0.0
    for power in stride(from: 1, to: 60, by: 2) {
      sum += term / Double(power)
      term *= ratio * ratio
    }
    return (Double(exponent) * 0.6931471805599453 + 2 * sum) / 2.302585092994046
  }
}

extension ProResEncoder {
  /// Encodes into memory of the encoder's maximum frame size.
  func encode(_ buffer: PixelBuffer) throws -> [UInt8] {
    let target = UnsafeMutableRawBufferPointer.allocate(
      byteCount: maximumFrameSize, alignment: 64)
    defer { target.deallocate() }
    let size = try encode(buffer, into: target)
    return Array(target[..<size])
  }
}

extension ProResProfile {
  /// The minimum PSNR, in dB at 10 bits, of a frame with one quantization index, whatever its
  /// content.
  ///
  /// The error of a coefficient is less than 0.7 of its step, which is a quarter of weight times
  /// scale; rounding costs half a code each way.
  func leastPSNR(index: Int) -> Double {
    let scale = Double(QuantizationIndex.scale(index))
    func error(_ matrix: QuantizationMatrix) -> Double {
      var sum = 0.0
      for weight in matrix.weights {
        let most = Double(weight) * scale / 4 * 0.7
        sum += most * most
      }
      return sum / 64
    }
    let worst = max(error(lumaMatrix), error(chromaMatrix))
    return 10 * (1023 * 1023 / (worst + 1)).logarithm10
  }
}
