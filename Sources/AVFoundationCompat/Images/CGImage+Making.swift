public import Foundation
import RawDevelop

extension CGImage {
  /// An image from pixels in memory.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels; the top row comes first.
  ///   - bitsPerComponent: 8 or 16, or 32 for floats.
  ///   - bitsPerPixel: One sample for grays, three for colors, plus one for alpha or padding.
  ///   - bytesPerRow: Bytes from one row to the next.
  ///   - space: The color space of the samples.
  ///   - bitmapInfo: The position of alpha and the byte order. Premultiplied colors are divided by alpha.
  ///   - provider: The bytes.
  ///   - decode: Must be nil: samples cannot be remapped.
  ///   - shouldInterpolate: Has no effect.
  ///   - intent: Has no effect.
  /// - Returns: Nil for an unsupported layout, too few bytes, and a `decode` array.
  public convenience init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: CGBitmapInfo, provider: CGDataProvider,
    decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    guard decode == nil, (1...1 << 20).contains(width), (1...1 << 20).contains(height),
      let layout = GivenPixels(bitsPerComponent, bitsPerPixel, bitmapInfo, isGray: space.isGray),
      let data = provider.data, (width * layout.pixelBytes...1 << 40).contains(bytesPerRow),
      data.count >= (height - 1) * bytesPerRow + width * layout.pixelBytes
    else { return nil }
    let (colors, alpha) = data.withUnsafeBytes {
      layout.read($0, width: width, height: height, step: bytesPerRow)
    }
    self.init(
      RenderedImage(width: width, height: height, samples: colors, colorSpace: space.space),
      opacity: alpha)
  }
}

/// The memory layout of a program's pixels.
private struct GivenPixels {
  let sampleBytes: Int
  let pixelBytes: Int
  let isFloat: Bool
  let isSwapped: Bool
  /// The indexes of red, green and blue among a pixel's samples.
  let colors: [Int]
  /// The index of alpha; nil if there is none.
  let alpha: Int?
  let isPremultiplied: Bool

  /// Returns nil for a layout that is not supported.
  init?(_ depth: Int, _ pixel: Int, _ info: CGBitmapInfo, isGray: Bool) {
    let order = info.intersection(.byteOrderMask)
    isFloat = info.contains(.floatComponents)
    guard depth == 32 ? isFloat : depth == 16 ? !isFloat : depth == 8 && !isFloat,
      let kind = CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue),
      kind != .alphaOnly, pixel % depth == 0
    else { return nil }
    (sampleBytes, pixelBytes) = (depth / 8, pixel / 8)
    let own = isGray ? 1 : 3
    let isFirst = [.premultipliedFirst, .first, .noneSkipFirst].contains(kind)
    guard pixel / depth == (kind == .none ? own : own + 1) else { return nil }
    var places = (0..<own).map { $0 + (isFirst ? 1 : 0) }
    var last: Int? =
      [.none, .noneSkipFirst, .noneSkipLast].contains(kind) ? nil : isFirst ? 0 : own
    if depth == 8 {
      // A little-endian 32-bit word has a pixel's samples in reverse order.
      guard [.byteOrderDefault, .byteOrder32Big, .byteOrder32Little].contains(order),
        order != .byteOrder32Little || pixel == 32
      else { return nil }
      if order == .byteOrder32Little {
        places = places.map { 3 - $0 }
        last = last.map { 3 - $0 }
      }
      isSwapped = false
    } else {
      let little: CGBitmapInfo = depth == 16 ? .byteOrder16Little : .byteOrder32Little
      let big: CGBitmapInfo = depth == 16 ? .byteOrder16Big : .byteOrder32Big
      guard [.byteOrderDefault, little, big].contains(order) else { return nil }
      isSwapped = order != little
    }
    colors = own == 1 ? [places[0], places[0], places[0]] : places
    alpha = last
    isPremultiplied = kind == .premultipliedFirst || kind == .premultipliedLast
  }

  func read(
    _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, step: Int
  ) -> (RenderedImage.Samples, RenderedImage.Samples?) {
    let places = (0..<height).flatMap { row in
      (0..<width).map { row * step + $0 * pixelBytes }
    }
    switch sampleBytes {
    case 1:
      let (all, opaque) = samples(places) { bytes[$0] }
      return (.uint8(divided(all, opaque, 255)), opaque.map { .uint8($0) })
    case 2:
      let (all, opaque) = samples(places) {
        let word = bytes.loadUnaligned(fromByteOffset: $0, as: UInt16.self)
        return isSwapped ? word.byteSwapped : word
      }
      return (.uint16(divided(all, opaque, 65_535)), opaque.map { .uint16($0) })
    default:
      let (all, opaque) = samples(places) {
        let word = bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
        return Float(bitPattern: isSwapped ? word.byteSwapped : word)
      }
      guard isPremultiplied, let opaque else { return (.float(all), opaque.map { .float($0) }) }
      let colors = all.indices.map { opaque[$0 / 3] > 0 ? all[$0] / opaque[$0 / 3] : all[$0] }
      return (.float(colors), .float(opaque))
    }
  }

  private func samples<Sample>(
    _ pixels: [Int], _ load: (Int) -> Sample
  ) -> ([Sample], [Sample]?) {
    var all: [Sample] = []
    all.reserveCapacity(3 * pixels.count)
    for place in pixels {
      for color in colors { all.append(load(place + color * sampleBytes)) }
    }
    return (all, alpha.map { alpha in pixels.map { load($0 + alpha * sampleBytes) } })
  }

  private func divided<Sample: BinaryInteger>(
    _ colors: [Sample], _ alpha: [Sample]?, _ most: Float
  ) -> [Sample] {
    guard isPremultiplied, let alpha else { return colors }
    return colors.indices.map { index in
      let share = Float(alpha[index / 3])
      guard share > 0 else { return colors[index] }
      return Sample(min((Float(colors[index]) * most / share).rounded(), most))
    }
  }
}
