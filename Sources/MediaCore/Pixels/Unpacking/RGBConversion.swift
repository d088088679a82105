/// Red, green and blue bytes to Y, Cb and Cr of video range, by a color's matrix.
struct RGBConversion: Sendable {
  /// Weights of blue, green, red, and the offset with its rounding, all times 2^36.
  private struct Weights: Sendable {
    let blue: Int64
    let green: Int64
    let red: Int64
    let offset: Int64
  }

  /// How pixels lie.
  private enum Order: Sendable { case bgr, bgrx, xrgb }

  private let order: Order
  private let luma: Weights
  private let blueDifference: Weights
  private let redDifference: Weights
  private let low: Int64
  private let high: Int64

  private static let one = 68_719_476_736.0

  /// A conversion for a matrix; nil for one that is no matrix over R'G'B' (identity, constant
  /// luminance, unspecified).
  ///
  /// - Parameters:
  ///   - range: Of the RGB codes: 0-255, or 16-235.
  ///   - depth: Bits of the result.
  ///   - packing: How pixels lie: one of the packings of red, green and blue.
  init?(
    _ matrix: ColorDescription.Matrix, range: ColorDescription.Range, depth: Int,
    packing: PixelFormat.Packing
  ) {
    switch packing {
    case .packedBGRX: order = .bgrx
    case .packedXRGB: order = .xrgb
    default: order = .bgr
    }
    // H.273, table 4: the weights of red and blue in luma.
    let (red, blue): (Double, Double)
    switch matrix {
    case .bt709: (red, blue) = (0.2126, 0.0722)
    case .bt470bg, .smpte170M: (red, blue) = (0.299, 0.114)
    case .smpte240M: (red, blue) = (0.212, 0.087)
    case .bt2020: (red, blue) = (0.2627, 0.0593)
    case .identity, .unspecified, .bt2020ConstantLuminance: return nil
    }
    let green = 1 - red - blue
    let unit = Double(1 << (depth - 8))
    let (black, span) = range == .full ? (0.0, 255.0) : (16.0, 219.0)
    func weights(_ parts: (Double, Double, Double), gain: Double, zero: Double) -> Weights {
      let scale = gain * unit / span * Self.one
      let sum = (parts.0 + parts.1 + parts.2) * scale
      return Weights(
        blue: Int64((parts.0 * scale).rounded()), green: Int64((parts.1 * scale).rounded()),
        red: Int64((parts.2 * scale).rounded()),
        offset: Int64((zero * unit * Self.one - sum * black).rounded()))
    }
    luma = weights((blue, green, red), gain: 219, zero: 16)
    let toBlue = 0.5 / (1 - blue)
    blueDifference = weights(
      ((1 - blue) * toBlue, -green * toBlue, -red * toBlue), gain: 224, zero: 128)
    let toRed = 0.5 / (1 - red)
    redDifference = weights(
      (-blue * toRed, -green * toRed, (1 - red) * toRed), gain: 224, zero: 128)
    low = 1 << Int64(depth - 8)
    high = (1 << Int64(depth)) - 1 - low
  }

  @inline(__always)
  private func code(
    _ weights: Weights, _ blue: Int64, _ green: Int64, _ red: Int64, weightBits: Int64
  ) -> UInt16 {
    let sum =
      weights.blue &* blue &+ weights.green &* green &+ weights.red &* red
      &+ (weights.offset &<< weightBits) &+ (1 &<< (35 &+ weightBits))
    return UInt16(truncatingIfNeeded: min(max(sum &>> (36 &+ weightBits), low), high))
  }

  /// Luma of a row of pixels.
  func luma(
    _ source: UnsafePointer<UInt8>, _ destination: UnsafeMutablePointer<UInt16>, width: Int
  ) {
    switch order {
    case .bgr: luma(BGR.self, source, destination, width)
    case .bgrx: luma(BGRX.self, source, destination, width)
    case .xrgb: luma(XRGB.self, source, destination, width)
    }
  }

  /// Chroma of each pixel of a row.
  func chroma(
    _ source: UnsafePointer<UInt8>, _ cb: UnsafeMutablePointer<UInt16>,
    _ cr: UnsafeMutablePointer<UInt16>, width: Int
  ) {
    switch order {
    case .bgr: chroma(BGR.self, source, cb, cr, width)
    case .bgrx: chroma(BGRX.self, source, cb, cr, width)
    case .xrgb: chroma(XRGB.self, source, cb, cr, width)
    }
  }

  /// Chroma of the even pixels, each filtered over its neighbors (1, 2, 1) first.
  func halvedChroma(
    _ source: UnsafePointer<UInt8>, _ cb: UnsafeMutablePointer<UInt16>,
    _ cr: UnsafeMutablePointer<UInt16>, width: Int
  ) {
    switch order {
    case .bgr: halvedChroma(BGR.self, source, cb, cr, width)
    case .bgrx: halvedChroma(BGRX.self, source, cb, cr, width)
    case .xrgb: halvedChroma(XRGB.self, source, cb, cr, width)
    }
  }

  // MARK: Loops, one for each order

  @inline(__always)
  private func luma<Order: PixelOrder>(
    _ order: Order.Type, _ source: UnsafePointer<UInt8>,
    _ destination: UnsafeMutablePointer<UInt16>, _ width: Int
  ) {
    for index in 0..<width {
      let pixel = source + Order.step * index
      destination[index] = code(
        luma, Int64(pixel[Order.blue]), Int64(pixel[Order.green]), Int64(pixel[Order.red]),
        weightBits: 0)
    }
  }

  @inline(__always)
  private func chroma<Order: PixelOrder>(
    _ order: Order.Type, _ source: UnsafePointer<UInt8>, _ cb: UnsafeMutablePointer<UInt16>,
    _ cr: UnsafeMutablePointer<UInt16>, _ width: Int
  ) {
    for index in 0..<width {
      let pixel = source + Order.step * index
      let (blue, green, red) = (
        Int64(pixel[Order.blue]), Int64(pixel[Order.green]), Int64(pixel[Order.red])
      )
      cb[index] = code(blueDifference, blue, green, red, weightBits: 0)
      cr[index] = code(redDifference, blue, green, red, weightBits: 0)
    }
  }

  @inline(__always)
  private func halvedChroma<Order: PixelOrder>(
    _ order: Order.Type, _ source: UnsafePointer<UInt8>, _ cb: UnsafeMutablePointer<UInt16>,
    _ cr: UnsafeMutablePointer<UInt16>, _ width: Int
  ) {
    for index in 0..<(width + 1) / 2 {
      let left = source + Order.step * max(2 * index - 1, 0)
      let pixel = source + 2 * Order.step * index
      let right = source + Order.step * min(2 * index + 1, width - 1)
      @inline(__always)
      func sum(_ part: Int) -> Int64 {
        Int64(left[part]) &+ 2 &* Int64(pixel[part]) &+ Int64(right[part])
      }
      let (blue, green, red) = (sum(Order.blue), sum(Order.green), sum(Order.red))
      cb[index] = code(blueDifference, blue, green, red, weightBits: 2)
      cr[index] = code(redDifference, blue, green, red, weightBits: 2)
    }
  }
}

/// Where the bytes of a pixel lie, known at compile time so that loops over it vectorize.
private protocol PixelOrder {
  static var step: Int { get }
  static var blue: Int { get }
  static var green: Int { get }
  static var red: Int { get }
}

private enum BGR: PixelOrder {
  @inline(__always) static var step: Int { 3 }
  @inline(__always) static var blue: Int { 0 }
  @inline(__always) static var green: Int { 1 }
  @inline(__always) static var red: Int { 2 }
}

private enum BGRX: PixelOrder {
  @inline(__always) static var step: Int { 4 }
  @inline(__always) static var blue: Int { 0 }
  @inline(__always) static var green: Int { 1 }
  @inline(__always) static var red: Int { 2 }
}

private enum XRGB: PixelOrder {
  @inline(__always) static var step: Int { 4 }
  @inline(__always) static var blue: Int { 3 }
  @inline(__always) static var green: Int { 2 }
  @inline(__always) static var red: Int { 1 }
}
