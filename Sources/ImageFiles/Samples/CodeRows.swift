import MediaCore
import RawDevelop
import Synchronization

/// An image's rows as values from 0 to 1, as integer codecs need them.
struct CodeRows: Sendable {
  let image: RenderedImage
  /// Converts light to HDR values; nil to keep the image's values.
  let range: HighRangeCurve?
  /// Samples clipped so far.
  let clipped = Counter()

  /// A counter used by several threads.
  final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add(_ more: Int) {
      if more > 0 { value.wrappingAdd(more, ordering: .relaxed) }
    }
  }

  init(_ image: RenderedImage, range: HighRangeCurve? = nil) {
    self.image = image
    self.range = range
  }

  /// Values in a row.
  var length: Int { 3 * image.width }

  /// Reads a row's values, all from 0 to 1.
  func read(_ row: Int, into target: UnsafeMutablePointer<Float>) {
    let place = row * length
    switch image.samples {
    case .uint8(let values):
      values.withUnsafeBufferPointer { source in
        for index in 0..<length { target[index] = Float(source[place + index]) / 255 }
      }
      return
    case .uint16(let values):
      values.withUnsafeBufferPointer { source in
        for index in 0..<length { target[index] = Float(source[place + index]) / 65_535 }
      }
      return
    case .half, .float: image.readFloats(row, into: target)
    }
    if let range {
      clipped.add(range.apply(target, count: image.width))
      return
    }
    var cut = 0
    for index in 0..<length {
      let number = target[index]
      // NaN becomes 0, too.
      if !(number >= 0 && number <= 1) {
        cut += 1
        target[index] = number > 1 ? 1 : 0
      }
    }
    clipped.add(cut)
  }

  /// Some rows as consecutive integers; `maximum` stands for 1.
  func integers<Integer: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ rows: Range<Int>, maximum: Int, as type: Integer.Type = Integer.self
  ) -> [Integer] {
    if let stored: [Integer] = stored(rows, maximum: maximum) { return stored }
    return [Integer](unsafeUninitializedCapacity: rows.count * length) { target, count in
      ConcurrentMap.bands(filling: target, rowLength: length, of: 16) { band, part in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: length) { line in
          guard let numbers = line.baseAddress else { return }
          for (index, row) in band.enumerated() {
            read(rows.lowerBound + row, into: numbers)
            for column in 0..<length {
              part[index * length + column] = Integer(
                wholePart: numbers[column] * Float(maximum) + 0.5)
            }
          }
        }
      }
      count = rows.count * length
    }
  }

  /// The image's integers in some rows, if they already have the wanted form, because a conversion would
  /// return the same ones. Returns all rows without copying. Nil for other images.
  private func stored<Integer>(_ rows: Range<Int>, maximum: Int) -> [Integer]? {
    let part = rows.lowerBound * length..<rows.upperBound * length
    // Cast as a whole array in `Any`: casting element by element would take time, and memory for all of them.
    func taken<Sample>(_ values: [Sample]) -> Any {
      part == values.indices ? values : Array(values[part])
    }
    return switch image.samples {
    case .uint8(let values) where maximum == 255: taken(values) as? [Integer]
    case .uint16(let values) where maximum == 65_535: taken(values) as? [Integer]
    default: nil
    }
  }
}

extension FixedWidthInteger {
  /// Converts the integer part of a float that fits both types. In generic code this is several times faster than
  /// the initializer that takes any float type.
  init(wholePart number: Float) { self.init(truncatingIfNeeded: Int32(number)) }
}

extension RenderedImage {
  /// Reads a row's floats unchanged; integers are scaled to 0 to 1.
  func readFloats(_ row: Int, into target: UnsafeMutablePointer<Float>) {
    let (length, place) = (3 * width, row * 3 * width)
    switch samples {
    case .uint8(let values):
      values.withUnsafeBufferPointer { source in
        for index in 0..<length { target[index] = Float(source[place + index]) / 255 }
      }
    case .uint16(let values):
      values.withUnsafeBufferPointer { source in
        for index in 0..<length { target[index] = Float(source[place + index]) / 65_535 }
      }
    case .half(let values):
      values.withUnsafeBufferPointer { source in
        for index in 0..<length {
          target[index] = Self.widened(source[place + index])
        }
      }
    case .float(let values):
      values.withUnsafeBufferPointer { source in
        for index in 0..<length { target[index] = source[place + index] }
      }
    }
  }

  /// Widens the bits of a half float, without the call per value that processors before F16C need.
  @inline(__always)
  private static func widened(_ half: UInt16) -> Float {
    let magnitude = UInt32(half & 0x7FFF) << 13
    // Float exponents are 112 greater. Subnormal halves have no exponent: one is added, and its value is subtracted
    // again.
    let usual = magnitude + 112 << 23
    let least = (Float(bitPattern: magnitude + 113 << 23) - 0x1p-14).bitPattern
    let finite = magnitude < 1 << 23 ? least : usual
    let bits = magnitude < 31 << 23 ? finite : magnitude | 0x7F80_0000
    return Float(bitPattern: bits | UInt32(half & 0x8000) << 16)
  }
}
